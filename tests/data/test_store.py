"""The store of prepared data sets: prepared once, made again when damaged, and honest about what is missing."""

import os

import numpy as np
import pytest
import tiny

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import suite
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import availability, prepare, prepare_all
from bayes_hpo.errors import RunError, UserError

CSV = "x,kind\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n"


@pytest.fixture
def conf(tmp_path):
    return tiny.write_registry(tmp_path / "conf", tiny.write_archive(tmp_path / "archive"))


@pytest.fixture
def settings(tmp_path):
    return Settings(results_dir=str(tmp_path / "results"), archive_dir=str(tmp_path / "archive"))


def with_csv(settings, tmp_path, content=CSV, **more):
    (tmp_path / "mine.csv").write_text(content)
    return Settings(results_dir=settings.results_dir, csv=str(tmp_path / "mine.csv"), **more)


def untouched(path):
    """A function that says whether `path` was left alone since now."""
    os.utime(path, (1, 1))
    return lambda: path.stat().st_mtime == 1


def test_a_prepared_set_is_left_alone(settings, conf):
    path = prepare("parted", settings, conf)
    assert path == settings.folder / "parted.npz"
    left_alone = untouched(path)
    prepare("parted", Settings(results_dir=settings.results_dir), conf)  # the archive is not needed again
    assert left_alone()


def test_preparing_twice_gives_the_same_bytes(settings, conf):
    path = prepare("parted", settings, conf)
    first = path.read_bytes()
    path.unlink()
    assert prepare("parted", settings, conf).read_bytes() == first


@pytest.mark.parametrize("damage", ["cut", "foreign", "other set"])
def test_a_damaged_set_is_made_again(settings, conf, damage):
    path = prepare("parted", settings, conf)
    whole = path.read_bytes()
    other = prepare("whole", settings, conf).read_bytes()
    path.write_bytes({"cut": whole[: len(whole) // 2], "foreign": b"nothing", "other set": other}[damage])
    assert prepare("parted", settings, conf).read_bytes() == whole


def test_a_set_that_is_not_the_registered_one_is_refused(settings, conf, tmp_path):
    path = tmp_path / "archive" / "unknown" / "unknown_R.dat"
    path.write_text(tiny.r_dat(tiny.X[:59], tiny.Y[:59]))
    with pytest.raises(RunError, match=r"unknown is not the registered data set \(n=59 instead of 60, classes=1"):
        prepare("unknown", settings, conf)
    assert not list(settings.folder.glob("*"))


def test_a_suite_is_prepared_as_far_as_it_can_be_had(settings, conf):
    said = []
    with pytest.raises(RunError, match="1 of 2 data sets could not be prepared: absent; the others are ready"):
        prepare_all(suite("all", conf), settings, conf, say=said.append)
    assert (settings.folder / "sklearn-iris.npz").exists()
    assert len(said) == 2


def test_availability_says_what_is_there_what_can_be_had_and_how(settings, conf):
    prepare("whole", settings, conf)
    states = {one.name: one for one in availability(["whole", "parted", "absent", "sklearn-iris"], settings, conf)}
    assert [one.state for one in states.values()] == ["prepared", "obtainable", "missing", "obtainable"]
    assert states["parted"].command.endswith(
        f"dataset=parted results_dir={settings.results_dir} data.archive_dir={settings.archive_dir}"
    )
    assert states["absent"].command == "python -m bayes_hpo.stages.data dataset=absent data.archive_dir=FOLDER"
    assert "absent_R.dat" in states["absent"].reason
    assert [path.name for path in settings.folder.iterdir()] == ["whole.npz"]


def test_a_data_set_without_a_number_at_openml_needs_a_folder(tmp_path):
    settings = Settings(results_dir=str(tmp_path))
    stock, quake = availability(["torgo-stock", "quake"], settings)
    assert (stock.state, quake.state) == ("missing", "obtainable")
    assert stock.command.endswith("dataset=torgo-stock data.openml_dir=FOLDER")
    assert "read from a folder" in stock.reason


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".x"])
def test_a_name_that_leaves_the_store_is_refused(settings, conf, name, tmp_path):
    with pytest.raises(UserError, match="is not a valid name"):
        prepare(name, with_csv(settings, tmp_path), conf)


def test_an_unknown_name_is_a_wrong_command(settings, conf):
    with pytest.raises(UserError, match=r"unknown dataset=hole \(did you mean whole\?\)"):
        prepare("hole", settings, conf)


def test_a_file_of_the_users_needs_no_row_and_is_followed(settings, conf, tmp_path):
    mine = with_csv(settings, tmp_path)
    path = prepare("mine", mine, conf)
    left_alone = untouched(path)
    prepare("mine", mine, conf)
    assert prepare("mine", settings, conf) == path  # later commands need not name the file
    assert left_alone()
    with_csv(settings, tmp_path, CSV.replace("1,a", "9,a"))
    prepare("mine", mine, conf)
    assert Data.load(path).X[0, 0] == 9


def test_another_target_makes_another_set(settings, conf, tmp_path):
    content = "x,y,z\n" + "".join(f"{i},{i % 2},{i // 3}\n" for i in range(6))
    path = prepare("mine", with_csv(settings, tmp_path, content), conf)
    by_last = Data.load(path).y
    prepare("mine", with_csv(settings, tmp_path, content, target="y"), conf)
    assert not np.array_equal(Data.load(path).y, by_last)


def test_a_file_cannot_take_a_registered_name(settings, conf, tmp_path):
    with pytest.raises(UserError, match="dataset=whole is a registered data set"):
        prepare("whole", with_csv(settings, tmp_path), conf)

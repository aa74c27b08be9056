"""Faults of data sets as commands meet them: a user's file, a set that is not there, a prepared file that was hurt."""

import shlex
import shutil
from dataclasses import replace

import numpy as np
import pytest
from bits import flip_in_array

from bayes_hpo.data.prepared import Data

pytestmark = pytest.mark.slow  # every test runs stages

PLAIN = "x,kind\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n"


@pytest.mark.parametrize(
    ("content", "overrides", "code", "words"),
    [
        (PLAIN, ["data.target=class"], 2, "data.target=class is not a column; allowed: x, kind"),
        (PLAIN.replace("b", "a"), [], 1, "all 6 rows are of class a"),
        (PLAIN.replace("6,b", "6,a"), [], 1, "class b has 2 row(s), too small to stratify"),
        (PLAIN.replace("2,", "two,"), [], 1, "column 'x', line 3: 'two' is not a number"),
        ("", [], 1, "empty"),
        (PLAIN.replace("a", "ä").encode("latin-1"), [], 1, "not UTF-8"),
        (None, [], 2, "is not a file"),
    ],
)
def test_a_fault_of_a_users_file_is_one_sentence(command, sentence, tmp_path, content, overrides, code, words):
    path = tmp_path / "mine.csv"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments = ["dataset=mine", f"data.csv={path}", *overrides, f"results_dir={tmp_path / 'results'}"]
    said = sentence(command("data", *arguments), code)
    assert words in said
    assert "mine.csv" in said or code == 2
    assert not (tmp_path / "results").exists()


def test_a_users_file_becomes_a_data_set_to_search(command, job, pool, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("x,z,kind\n" + "".join(f"{i % 7},{i % 5},{i % 2}\n" for i in range(40)))
    assert command("data", "dataset=mine", f"data.csv={path}", f"results_dir={tmp_path}").returncode == 0
    done = command("search", *job, "dataset=mine", f"results_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert pool(tmp_path, dataset="mine").is_file()


def test_a_data_set_that_is_not_there_comes_with_the_command_that_gets_it(command, sentence, job, tmp_path):
    said = sentence(command("search", *job, f"results_dir={tmp_path}"), 1)
    module, *arguments = shlex.split(said.partition("python -m bayes_hpo.stages.")[2])
    assert command(module, *arguments).returncode == 0
    assert (tmp_path / "data/sklearn-iris.npz").is_file()


@pytest.mark.parametrize(("file", "reason"), [("", "Not a directory"), ("data/openml", "File exists")])
def test_a_file_where_a_folder_must_be_is_one_sentence(command, sentence, tmp_path, file, reason):
    results = tmp_path / "results"
    (results / file).parent.mkdir(parents=True, exist_ok=True)
    (results / file).touch()
    said = sentence(command("data", "dataset=openml-61", f"results_dir={results}"), 1)
    assert f"{results}/data/openml/61 could not be written ({reason})" in said


@pytest.mark.parametrize("place", ["data.archive_dir", "data.archive_url"])
def test_an_archive_that_is_not_there_is_named(command, sentence, tmp_path, place):
    arguments = ["dataset=abalone", f"results_dir={tmp_path}", "data.attempts=1", "data.timeout_s=1"]
    said = sentence(command("data", *arguments, f"{place}={tmp_path / 'nowhere'}"), 2)
    assert str(tmp_path / "nowhere") in said


def test_what_the_archive_alone_has_says_how_to_name_it(command, sentence, tmp_path):
    said = sentence(command("data", "dataset=abalone", f"results_dir={tmp_path}"), 1)
    assert "data.archive_dir=FOLDER" in said


def _truncated(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _altered(path):
    with np.load(path) as stored:
        arrays = dict(stored)
    arrays["X"][0, 0] += 1
    np.savez_compressed(path, **arrays)


def _bit_flipped(path):
    flip_in_array(path, "X")


def _foreign(path):
    path.write_text("this was a data set")


def _without_pools(results, stage):
    """A search would refuse to replace finished pools of another budget before it reads the data."""
    if stage == "search":
        shutil.rmtree(results / "toy/pools")


@pytest.mark.parametrize("hurt", [_truncated, _altered, _bit_flipped, _foreign])
@pytest.mark.parametrize("name", ["search", "score"])
def test_a_hurt_data_file_is_refused(command, sentence, job, results, contents, hurt, name):
    path = results / "data/sklearn-iris.npz"
    hurt(path)
    _without_pools(results, name)
    before = contents(results)
    assert f"{path} " in sentence(command(name, *job, "budget=3", f"results_dir={results}"), 1)
    assert contents(results) == before


def _renamed(path, command):
    """The prepared file of another data set under this name."""
    assert command("data", "dataset=sklearn-wine", f"results_dir={path.parents[1]}").returncode == 0
    path.with_name("sklearn-wine.npz").rename(path)


def _shorter(path, command):
    """A row less than the registry states, as of an older registry or reader."""
    data = Data.load(path)
    replace(data, X=data.X[:-1], y=data.y[:-1]).save(path)


@pytest.mark.parametrize(
    ("hurt", "words"),
    [
        (_renamed, "name=sklearn-wine instead of sklearn-iris, n=178 instead of 150, p=13 instead of 4"),
        (_shorter, "n=149 instead of 150"),
    ],
)
@pytest.mark.parametrize("name", ["search", "score", "measure"])
def test_another_data_set_is_refused_with_the_command_that_brings_it(
    command, sentence, job, results, contents, hurt, words, name
):
    path = results / "data/sklearn-iris.npz"
    hurt(path, command)
    _without_pools(results, name)
    before = contents(results)
    arguments = ("study=overfitting", "scale=toy", "measure=splits") if name == "measure" else (*job, "budget=3")
    said = sentence(command(name, *arguments, f"results_dir={results}"), 1)
    assert f"{path} is not the data set of that name ({words}); prepare it again with: python -m " in said
    assert contents(results) == before
    stage, *overrides = shlex.split(said.partition("python -m bayes_hpo.stages.")[2])
    assert command(stage, *overrides).returncode == 0
    assert len(Data.load(path).y) == 150


def test_a_hurt_data_file_is_prepared_again(command, results):
    path = results / "data/sklearn-iris.npz"
    whole = path.read_bytes()
    _truncated(path)
    assert command("data", "dataset=sklearn-iris", f"results_dir={results}").returncode == 0
    with np.load(path) as stored:
        assert stored["X"].shape == (150, 4)
    assert len(path.read_bytes()) == len(whole)


def test_no_space_for_a_data_set_leaves_nothing_half(stage, sentence, unsearched, contents):
    before = contents(unsearched)
    said = sentence(stage("data", "dataset=sklearn-wine", f"results_dir={unsearched}", file_size=1000), 1)
    assert "sklearn-wine.npz could not be written (File too large)" in said
    assert contents(unsearched) == before

"""What an artifact is made from is there and whole, or a sentence says how to make it."""

import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from bits import flipped
from chapter_5 import METHODS, STUDY

from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.overrides import settings
from bayes_hpo.documents.printed import Printed
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.report.results import Results
from bayes_hpo.scores.choices import Choices
from bayes_hpo.storage import measured

FRAME = pd.DataFrame({"kind": ["truth", "mean"], "x": [0.0, 1.0]})
SPACE = {"parameters": {"learner": {"choices": ["svm", "rf"]}}}
SMOKE = {"study": "overfitting", "scale": "smoke"}
REMAKE = "make it with: python -m bayes_hpo.stages.measure study=overfitting measure=toy scale=smoke"


@pytest.fixture
def given(tmp_path):
    """Of the study overfitting at smoke scale, with the folder of its measures alone."""
    names = {"setting": "tiny", "methods": (), "datasets": {}}
    return Results(**SMOKE, **names, scores_dir=tmp_path / "scores", measures_dir=tmp_path)


def test_a_measure_comes_back_as_it_was_written(given, tmp_path):
    measured.write(FRAME, tmp_path / "toy.parquet", {}, **SMOKE)
    assert given.measure("toy").equals(FRAME)


def test_a_missing_measure_names_the_command_that_makes_it(given, tmp_path):
    with pytest.raises(RunError, match=f"there is no measure {tmp_path}/toy.parquet; {REMAKE}"):
        given.measure("toy")


def test_missing_scores_go_on_from_those_that_are_released(given):
    command = "make them with: snakemake --cores 2 smoke_overfitting"
    assert given.remake == command
    assert replace(given, released="mine").remake.startswith(f"{command} --config skip=mine, then release them")


def test_missing_scores_may_be_released(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("iris", "pima"):
        path = tmp_path / f"released/overfitting/smoke/{name}/holdout/gp.parquet"
        path.parent.mkdir(parents=True)
        path.touch()
    said = replace(given, datasets=dict.fromkeys(["iris", "pima", "car"])).remake
    assert said.endswith("smoke_overfitting, or add scores=released, which has 2 of the 3 data sets")
    assert "scores=released" not in replace(given, datasets={"car": None}).remake


@pytest.mark.parametrize("keep", [0, 3, 100, -20])
def test_a_damaged_measure_is_named(given, tmp_path, keep):
    path = tmp_path / "toy.parquet"
    measured.write(FRAME, path, {}, **SMOKE)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(RunError, match=rf"the measure {path} cannot be read \(.+\); delete it and {REMAKE}"):
        given.measure("toy")


def test_a_measure_of_another_form_is_named(given, tmp_path):
    FRAME.to_parquet(tmp_path / "toy.parquet")
    with pytest.raises(RunError, match=f"has another schema than this code.s; {REMAKE}"):
        given.measure("toy")


@pytest.mark.parametrize("owner", [{"study": "svm_width"}, {"scale": "small"}, {}])
def test_a_measure_of_another_study_scale_or_name_is_named(given, tmp_path, owner):
    path = tmp_path / ("toy.parquet" if owner else "other.parquet")
    measured.write(FRAME, path, {}, **SMOKE | owner)
    path.rename(tmp_path / "toy.parquet")
    is_of = " ".join([path.stem, *(SMOKE | owner).values()])
    with pytest.raises(
        RunError, match=rf"the measure {tmp_path}/toy.parquet is that of {is_of}; delete it and {REMAKE}"
    ):
        given.measure("toy")


def test_no_flipped_bit_changes_a_measure(given, tmp_path):
    measured.write(FRAME, tmp_path / "toy.parquet", {}, **SMOKE)
    refused = 0
    for _ in flipped(tmp_path / "toy.parquet", every=17):
        try:
            assert given.measure("toy").equals(FRAME)
        except RunError:
            refused += 1
    assert refused > 100


def test_a_released_measure_is_made_again_and_released_again(given):
    with pytest.raises(RunError, match=f"{REMAKE}, then bring it here: .*stages.release"):
        replace(given, released="released").measure("toy")


def test_a_foreign_file_is_named(given, tmp_path):
    (tmp_path / "toy.parquet").write_text("kind,x,y")
    with pytest.raises(RunError, match=r"toy\.parquet cannot be read \(.+\); delete it"):
        given.measure("toy")


def test_it_takes_what_the_study_says_of_its_document():
    rows = {
        "splice": SimpleNamespace(source="bundled", rest=9, abbreviation="46"),
        "mine": SimpleNamespace(source="file", rest=5, abbreviation=""),
    }
    others = {"study": "conditional", "scale": "toy", "setting": "tiny", "scores_dir": Path(), "measures_dir": Path()}
    given = Results.of(rows, STUDY | {"space": SPACE, "most_rows": 7}, **others)
    assert given.most_rows == 7
    assert given.choice == Choices("learner", ("svm", "rf"))
    assert given.printed.not_comparable == ("46", "917")
    assert given.printed.flagged == ("46", "184", "917", "1049", "s-sh")
    assert given.printed.names == {"splice": "46", "mine": ""}
    assert (given.copies, given.sizes, given.methods) == (("splice",), {"splice": 9, "mine": 5}, METHODS)


@pytest.mark.parametrize("key", ["flagged", "not_comparable"])
def test_a_study_flags_only_what_its_tables_print(key):
    words = rf"unknown study\.{key}=titan \(did you mean tita\?\); allowed: 46, 184, 389, "
    with pytest.raises(UserError, match=words):
        Printed.of(STUDY | {key: ["46", "titan"]}, {})


def test_two_methods_have_two_labels():
    with pytest.raises(UserError, match=r"study\.labels calls two methods SMAC; give each method a label of its own"):
        Printed.of(STUDY | {"labels": STUDY["labels"] | {"rs": "SMAC"}}, {})


def test_choices_of_released_scores_are_restored(given):
    absent = replace(given, choice=Choices("learner", ("svm", "rf")), datasets={"iris": None})
    with pytest.raises(RunError, match="make them with: snakemake --cores 2 smoke_overfitting"):
        replace(absent, expected={}).choices()
    with pytest.raises(RunError, match="restore them with: git checkout -- released"):
        absent.choices()


def test_the_command_of_released_scores_leaves_out_what_was_left_out(given):
    command = replace(given, released="released").command("T5_2", "")
    assert command.endswith("scale=smoke artifact=T5_2 scores=released")
    less = replace(given, released="released", left_out=("pima", "car")).command("T5_2", "")
    assert less == f"{command} 'without=[pima,car]'"


@pytest.mark.parametrize("released", [None, "released"])
@pytest.mark.parametrize("place", ["results", "/elsewhere/my results"])
def test_the_command_of_changed_settings_asks_for_the_same_again(given, released, place):
    changed = "study.methods=[rs,gp]", "study.validations=[holdout]"
    results = replace(given, released=released, results_dir=place, overrides=changed, left_out=("car",))
    *_, stage = (words := shlex.split(results.command("T3_1", Path("T3_1.tex"))))[:3]
    cfg = configure(stage.rpartition(".")[2], words[3:])
    wanted = configure("report", ["study=overfitting", "scale=smoke", "without=[car]", *changed])
    assert (cfg["study"], cfg["scale"], cfg["without"]) == (wanted["study"], wanted["scale"], wanted["without"])
    assert (cfg["scores"], cfg["artifact"]) == (released, "T3_1")
    assert cfg["results_dir"] == ("results" if released else place)
    assert settings(cfg["overrides"]) == changed


def test_the_command_of_runs_elsewhere_names_their_folder_and_no_other_does(given):
    plain = given.command("T3_1", Path("T3_1.tex"))
    assert "results_dir" not in plain
    elsewhere = replace(given, results_dir="my results", left_out=("car",))
    assert shlex.split(elsewhere.command("T3_1", Path("T3_1.tex"))) == [
        *shlex.split(plain),
        "--config",
        "results_dir=my results",
        "without=car",
    ]
    assert replace(given, results_dir="my results", released="released").command("T3_1", Path()) == replace(
        given, released="released"
    ).command("T3_1", Path())

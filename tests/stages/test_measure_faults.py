"""Measures as commands meet them: an unknown one, a data set that is not there, no space, a file that was hurt."""

import json

import pandas as pd
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.slow  # every test runs stages

TWO = "study.scales.toy.repetitions.holdout=2"
MEASURE = ("study=overfitting", "scale=toy", "measure=splits")


@pytest.fixture
def path(unsearched):
    """Where the measure goes in `unsearched`."""
    return unsearched / "toy/measures/overfitting/splits.parquet"


def test_the_command_writes_the_frame_and_says_where(command, unsearched, path, grid_of):
    done = command("measure", *MEASURE, f"results_dir={unsearched}")
    assert (done.returncode, done.stdout) == (0, f"{path}\n")
    assert set(pd.read_parquet(path)["dataset"]) == {"sklearn-iris"}
    depends = json.loads(pq.read_schema(path).metadata[b"depends"])
    assert depends["config"]["owner"] == "overfitting"
    assert depends["config"]["measure"] == grid_of().cfg["measures"]["splits"]
    assert {"bayes_hpo.measures.splits", "bayes_hpo.splits", "bayes_hpo.seeds"} <= set(depends["modules"])


@pytest.mark.parametrize(
    ("override", "code", "words"),
    [
        ("measure=split", 2, "unknown measure=split (did you mean splits?); allowed: "),
        ("measure.iteration=2", 2, "unknown name=measure.iteration (did you mean measure.iterations?)"),
        ("measure.iterations=two", 2, "measure.iterations: 'two' is not of type int"),
        ("study=nope", 2, "unknown study=nope; allowed: "),
        ("measure.dataset=sklearn-wine", 1, "python -m bayes_hpo.stages.data dataset=sklearn-wine"),
    ],
)
def test_a_wrong_command_is_one_sentence(command, sentence, unsearched, contents, override, code, words):
    before = contents(unsearched)
    assert words in sentence(command("measure", *MEASURE, override, f"results_dir={unsearched}"), code)
    assert contents(unsearched) == before


@pytest.mark.parametrize(
    ("measure", "override", "words"),
    [
        ("toy_covariances", "measure.length=nan", "measure.length=nan must be at least"),
        ("mondrian_draw", "measure.lifetime=inf", "measure.lifetime=inf must be at least"),
        ("gp_snapshots", "measure.methods=[gp]", "unknown measure.methods=gp; allowed: rs, spearmint, "),
    ],
)
def test_a_setting_that_the_study_cannot_have_is_one_sentence(command, sentence, tmp_path, measure, override, words):
    arguments = ("study=conditional", "scale=toy", f"measure={measure}", override, f"results_dir={tmp_path}")
    assert words in sentence(command("measure", *arguments), 2)
    assert not list(tmp_path.iterdir())


def test_finished_searches_are_measured_and_those_whose_pools_are_gone_stay(command, sentence, tmp_path):
    place = ("study=svm_width", "scale=toy", TWO, f"results_dir={tmp_path}")
    search = ("dataset=sklearn-breast-cancer", "protocol=holdout", "searcher=gp", *place)
    assert command("data", "dataset=sklearn-breast-cancer", f"results_dir={tmp_path}").returncode == 0
    for number, held in ((0, {0}), (1, {0, 1})):
        assert command("search", *search, f"repetitions={number}").returncode == 0
        done = command("measure", "measure=width_traits", "finished=true", *place)
        assert done.returncode == 0, done.stderr
        assert set(pd.read_parquet(done.stdout.strip())["repetition"]) == held
        for pool in tmp_path.glob("toy/pools/*/*/*/*/*"):
            pool.unlink()  # lost with the machine
    assert "there is no manifest" in sentence(command("measure", "measure=width_traits", *place), 1)


def test_without_a_finished_search_it_is_one_sentence(command, sentence, tmp_path):
    arguments = ("study=divbo", "scale=toy", "measure=selection_errors", "finished=true", f"results_dir={tmp_path}")
    assert "no search of rs, divbo_bo, rb, " in (said := sentence(command("measure", *arguments), 1))
    assert said.endswith(f" is finished below {tmp_path}; run one first")
    assert not list(tmp_path.iterdir())


def test_without_a_measure_the_choices_are_named(command, sentence):
    assert "measure must be given; allowed: " in sentence(command("measure", *MEASURE[:2]), 2)


def test_after_no_space_the_same_command_makes_it(stage, command, sentence, unsearched, contents):
    before = contents(unsearched)
    arguments = (*MEASURE, f"results_dir={unsearched}")
    assert "splits.parquet could not be written" in sentence(stage("measure", *arguments, file_size=1000), 1)
    assert contents(unsearched) == before
    assert command("measure", *arguments).returncode == 0

"""Scoring some repetitions alone: those given and no others are needed, and none that the file holds is lost."""

import pandas as pd
import pytest

pytestmark = pytest.mark.slow  # every test runs stages

TWO = "study.scales.toy.repetitions.holdout=2"
THREE = "study.scales.toy.repetitions.holdout=3"


@pytest.fixture
def score(command, job, results):
    """Function: score some repetitions (text) of the searches of `results`; the finished command."""
    return lambda text, scale=THREE: command("score", *job, scale, f"repetitions={text}", f"results_dir={results}")


def held(results):
    """The repetitions of the file of scores."""
    path = results / "toy/scores/overfitting/sklearn-iris/holdout/random.parquet"
    return set(pd.read_parquet(path)["repetition"])


def test_only_the_given_repetitions_are_needed_and_scored(score, results):
    assert score("1").returncode == 0
    assert held(results) == {1}


def test_repetitions_that_were_searched_in_other_blocks_are_scored_together(score, results):
    done = score("0-1")
    assert done.returncode == 0, done.stderr
    assert held(results) == {0, 1}


def test_a_repetition_that_the_file_holds_stays_there(score, results):
    assert score("0-1").returncode == 0
    assert score("0").returncode == 0
    assert held(results) == {0, 1}


def test_a_repetition_without_a_pool_is_one_sentence_with_the_search(score, sentence, results):
    said = sentence(score("2"), 1)
    assert "there is no " in said
    assert "rep_002.npz; search it first: python -m bayes_hpo.stages.search" in said
    assert "repetitions=2-2" in said
    assert not list(results.rglob("*.parquet"))


def test_a_pool_of_other_settings_is_one_sentence_with_the_search(command, sentence, job, results):
    done = command("score", *job, TWO, "study.time_limit=77", "repetitions=0-1", f"results_dir={results}")
    said = sentence(done, 1)
    assert "rep_000.npz was made by other code or settings; search it again: python -m bayes_hpo.stages.search" in said


@pytest.mark.parametrize("stage", ["search", "score"])
def test_repetitions_beyond_the_scale_are_refused(command, sentence, job, results, contents, stage):
    before = contents(results)
    said = sentence(command(stage, *job, TWO, "repetitions=0-99", f"results_dir={results}"), 2)
    assert "repetitions=0-99 goes beyond the scale; allowed: 0 to 1" in said
    assert contents(results) == before

"""What a caption says of how much of the scale is there: both numbers where some is missing, else one."""

from collections import Counter

import pandas as pd
import pytest
from divbo_results import DATASETS, THREE, arguments, results_of, suggested
from score_rows import rows

from bayes_hpo.campaign import results as of_grid
from bayes_hpo.report import caption, measured
from bayes_hpo.report.comparison import compare
from bayes_hpo.report.figures import sensitivity, surrogates
from bayes_hpo.report.tables.suggestions import updates_table
from bayes_hpo.scores.failures import Failures

TWO = {"iris": "iris", "wine": "wine"}


@pytest.mark.parametrize(
    ("datasets", "repetitions", "planned", "phrase"),
    [
        (3, [1, 2, 1], (12, 6), "3 of 12 data sets, 1 to 2 of 6 repetitions"),
        (3, [2, 2, 2], (12, 6), "3 of 12 data sets, 2 of 6 repetitions"),
        (12, [6, 2], (12, 6), "12 data sets, 2 to 6 of 6 repetitions"),
        (11, [6, 6], (12, 6), "11 of 12 data sets, 6 repetitions"),
        (12, [6, 6], (12, 6), "12 data sets, 6 repetitions"),
        (1, [1], (1, 1), "1 data set, 1 repetition"),
        (1, [1], (2, 1), "1 of 2 data sets, 1 repetition"),
        (3, [1, 2], (0, 0), "3 data sets, 1 to 2 repetitions"),  # not known
        (3, [1, 2], (12, 0), "3 of 12 data sets, 1 to 2 repetitions"),
        (3, [8, 8], (2, 6), "3 data sets, 8 repetitions"),  # of a larger scale
    ],
)
def test_numbers_are_stated_of_the_scale_s_where_there_are_fewer(datasets, repetitions, planned, phrase):
    assert caption.size(datasets, pd.Series(repetitions), planned) == phrase


@pytest.mark.parametrize(
    ("counts", "planned", "phrase"),
    [([1, 3], 4, "1 to 3 of 4 runs"), ([2], 2, "2 runs"), ([1], 0, "1 run"), ([0, 1], 1, "0 to 1 of 1 run")],
)
def test_one_number_is_stated_of_the_scale_s_where_there_are_fewer(counts, planned, phrase):
    assert caption.of_planned(pd.Series(counts), planned, "run") == phrase


@pytest.mark.parametrize(
    ("repetitions", "sentence"),
    [
        ({"holdout": 6, "kfold": 2}, "Hold-out: 2 of 3 data sets, 1 to 2 of 6 repetitions; 5-fold: 2 of 3 data sets, 2 "
                                     "repetitions."),
        ({}, "Hold-out: 2 of 3 data sets, 1 to 2 repetitions; 5-fold: 2 of 3 data sets, 2 repetitions."),
    ],
)  # fmt: skip
def test_a_comparison_says_how_much_of_the_scale_it_rests_on(given, repetitions, sentence):
    frame = rows(lambda *_: 0.2, TWO, ["rs", "gp"])
    frame = frame[(frame["dataset"] != "wine") | (frame["validation"] != "holdout") | (frame["repetition"] == 0)]
    results = given(frame, TWO | {"glass": "glass"}, repetitions=repetitions)
    assert caption.coverage(compare(results, ["rs", "gp"]))[0] == sentence


@pytest.fixture
def results(given, tmp_path):
    return results_of(given, tmp_path)


def planned(results, **repetitions):
    return type(results)(**{**results.__dict__, "repetitions": repetitions})


def test_measures_say_how_many_repetitions_of_the_scale_they_are_of(results):
    made = planned(results(THREE, ["quake"], suggestions=suggested()), holdout=6)
    found = measured.coverage(made, "quake", made.measure("suggestions"), "holdout")
    assert found == ["quake: hold-out, 2 of 6 repetitions."]
    assert measured.coverage(planned(made), "quake", made.measure("suggestions"), "holdout") == [
        "quake: hold-out, 2 repetitions."
    ]


def test_the_report_of_a_study_knows_the_numbers_of_its_scale(grid_of):
    """DivBO at small scale: 12 data sets, 6 repetitions."""
    made = of_grid.results_of(grid_of("divbo", "small"), "released")
    assert (made.planned("holdout"), made.planned("kfold")) == ((12, 6), (12, 0))


def test_table_4_and_figure_2_say_how_much_of_the_scale_is_there(results):
    counts = [
        {"dataset": "quake", "repetition": r, "validation": "holdout", "method": method}
        | {"quantity": f"effective_updates_{window}", "value": 1.0}
        for r in range(2)
        for method in THREE
        for window in ("100", "50")
    ]
    taus = [
        {"dataset": name, "repetition": r, "validation": "holdout", "method": "rs_es", "surrogate": "lightgbm"}
        | {"observations": 250, "value": 0.5}
        for name in DATASETS
        for r in range(1 + (name == "wind"))
    ]
    made = results(THREE, DATASETS, suggestion_statistics=counts, surrogate_correlations=taus)
    made = planned(made, holdout=6)
    assert updates_table(made, **arguments("T4")).notes[0] == "Hold-out: 1 of 2 data sets, 2 of 6 repetitions."
    only = arguments("F2") | {"surrogates": {"lightgbm": "LGB"}, "printed": {"quake": {}, "wind": {}}}
    assert surrogates.correlations(made, **only)[1][0] == "Hold-out: 2 data sets, 1 to 2 of 6 repetitions."


def test_figure_7_says_how_much_of_the_scale_is_there(results):
    cells = [
        {"dataset": "wind", "repetition": r, "validation": "holdout", "method": "divbo", "iteration": 250}
        | {"validation_loss": 0.1}
        for r in range(3)
    ]
    made = planned(results(["divbo"], DATASETS, selection_errors=cells), holdout=6)
    notes = sensitivity.accuracies(made, **arguments("F7"))[1]
    assert notes[0] == "Hold-out: 1 of 2 data sets, 3 of 6 repetitions; 1 of 16 cells were run."


@pytest.mark.parametrize(
    ("searches", "phrase"),
    [
        ({"bo": (500, {"timed out": 9}, 0)}, "9 of 500 (9 timed out)."),
        (
            {"bo": (500, {"timed out": 9, "ValueError": 2}, 1), "random": (1000, {"timed out": 1}, 2)},
            "12 of 1,500 (10 timed out, 2 ValueError); 11 of bo's 500, 1 of random's 1,000; unknown for 3 searches "
            "scored by older code.",
        ),
        ({"bo": (500, {}, 0), "random": (500, {}, 0)}, "none of 1,000 trials."),
        ({"bo": (0, {}, 4), "random": (500, {"timed out": 1}, 0)}, "1 of 500 (1 timed out); unknown for 4 searches"),
    ],
)
def test_failed_trials_are_counted_by_searcher_where_there_are_several(searches, phrase):
    counts = {
        name: Failures(trials, Counter(reasons), unknown) for name, (trials, reasons, unknown) in searches.items()
    }
    (sentence,) = caption.failed_trials({"divbo": counts})
    assert sentence.startswith(f"Failed trials in the searches of the study: {phrase}")


def test_a_study_without_scores_has_no_sentence_on_failed_trials():
    assert caption.failed_trials({"divbo": {}}) == []

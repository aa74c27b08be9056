"""The figure to table 3.1 draws its ranks and says what Friedman's test says, ours above the published."""

import pytest
from scipy.stats import friedmanchisquare
from score_rows import DATASETS, METHODS, PRINTED, as_printed, rows
from thesis_artifacts import function

from bayes_hpo.errors import RunError

figure = function("FT3_1")


def written(axis):
    return {text.get_text() for text in axis.texts}


def test_ours_are_the_published_when_our_errors_are(given, printed_rows):
    made, _ = figure(given(printed_rows))
    for ours, theirs in zip(made.axes[:2], made.axes[2:], strict=True):
        assert written(ours) == written(theirs)
        assert len(written(ours)) == 14 + 2  # the axis and the critical difference


def test_titles_say_friedman_s_p(given, printed_rows):
    made, _ = figure(given(printed_rows))
    for axis, (validation, printed) in zip(made.axes[2:], PRINTED.items(), strict=True):
        columns = [[printed[name][dataset] for dataset in DATASETS.values()] for name in printed]
        p = friedmanchisquare(*columns).pvalue
        label = {"holdout": "hold-out", "kfold": "5-fold"}[validation]
        assert axis.get_title() == f"{label}, published (Friedman p = {p:.2g})"


def test_two_methods_have_no_friedman_test(given):
    made, _ = figure(given(rows(as_printed, methods=["rs", "gp"]), methods=("rs", "gp")))
    assert all("no Friedman test" in axis.get_title() for axis in made.axes)


def test_one_method_is_refused_in_a_sentence(given):
    words = (
        "^at least 2 methods are compared, but overfitting has only gp; name .* snakemake --cores 2 toy_overfitting$"
    )
    with pytest.raises(RunError, match=words):
        figure(given(rows(as_printed, methods=["gp"]), methods=("gp",)))


def test_one_data_set_joins_all_methods(given):
    made, notes = figure(given(rows(as_printed, {"iris": "iris"}, repetitions=(0,)), datasets={"iris": "iris"}))
    for axis in made.axes:
        assert "CD = 19.84, longer than the axis" in written(axis)
        assert sum(line.get_linewidth() > 2 for line in axis.lines) == 1
    assert "Hold-out: 1 data set, 1 repetition; 5-fold: 1 data set, 1 repetition." in notes


def test_a_new_method_joins_ours_and_leaves_the_published_alone(given):
    methods = (*METHODS, "mine")
    made, _ = figure(given(rows(lambda v, n, m, r, t: 0.05 if m == "mine" else 0.1, methods=methods), methods=methods))
    assert [any("mine" in text for text in written(axis)) for axis in made.axes] == [True, True, False, False]


def test_data_sets_that_the_document_lacks_stand_alone(given):
    made, notes = figure(given(rows(lambda *_: 0.1, {"mine": ""}), datasets={"mine": ""}))
    assert len(made.axes) == 2
    assert "The document has no cells of these data sets." in notes

"""Figure 5.6 draws the printed ranks, Friedman's p and Nemenyi's distance, ours above the published."""

import pytest
from chapter_5 import CELLS, METHODS, scores
from scipy import stats
from thesis_artifacts import function

from bayes_hpo.errors import RunError

figure = function("F5_6")
pytestmark = pytest.mark.slow  # whole tables of 24 data sets


@pytest.fixture
def drawn(conditional):
    """Function: (figure, notes) of some scores."""
    return lambda frame, **changes: figure(conditional(frame, **changes))


def written(axis):
    return {text.get_text() for text in axis.texts}


def test_ours_are_the_published_when_our_errors_are(drawn):
    made, _ = drawn(scores(repetitions=1))
    ours, theirs = made.axes
    assert written(ours) == written(theirs)
    assert {"CD = 3.08", "GP-cond-ls  2.50", "9.15  Spearmint", "7.08  RS"} <= written(ours)
    assert theirs.get_title() == "5-fold, published (Friedman p = 4e-12)"


def test_only_gp_cond_ls_is_not_joined_to_random_search(drawn):
    made, _ = drawn(scores(repetitions=1))
    bars = [line.get_xdata() for line in made.axes[1].lines if line.get_linewidth() > 2]
    better = [text.split("  ") for text in written(made.axes[1]) if text.startswith(("GP", "SMAC"))]
    rank = {name: float(value) for name, value in better}
    joined = {name for name, value in rank.items() if any(low <= value and high >= 7.08 for low, high in bars)}
    assert set(rank) - joined == {"GP-cond-ls"}


def test_three_methods_have_friedman_s_test_and_two_have_none(drawn):
    methods = ["rs", "smac", "gp_cond_ls"]
    p = stats.friedmanchisquare(*CELLS[methods].T.to_numpy()).pvalue
    made, _ = drawn(scores(methods=methods, repetitions=1))
    assert made.axes[0].get_title() == f"5-fold, ours (Friedman p = {p:.2g})"
    made, _ = drawn(scores(methods=methods[:2], repetitions=1))
    assert made.axes[0].get_title() == "5-fold, ours (no Friedman test)"


def test_methods_without_scores_are_named(drawn):
    made, notes = drawn(scores(methods=[name for name in METHODS if name != "smac"], repetitions=1))
    assert "Left out, no scores: SMAC; 10 methods are compared." in notes
    assert not any("SMAC" in text for text in written(made.axes[1]))


def test_one_method_is_refused_in_a_sentence(drawn):
    words = (
        "^at least 2 methods are compared, but conditional has only RS; "
        "name another in its methods and make its scores with: snakemake --cores 2 toy_conditional$"
    )
    with pytest.raises(RunError, match=words):
        drawn(scores(methods=["rs"], repetitions=1), methods=("rs",))

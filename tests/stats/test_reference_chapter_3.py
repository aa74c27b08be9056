"""Tables 3.2 to 3.5 of the thesis from the errors of its tables B.1 and B.2, and from each other.

Table 3.1 from B.1 and B.2 is in test_ranks.py. The cells of B.1 and B.2 have one decimal, so 16 and 21 % of all pairs
are ties, most of which the thesis did not have. The errors behind tables 3.4 and 3.5 are unpublished.
"""

import itertools

import numpy as np
import pytest

from bayes_hpo.documents import published
from bayes_hpo.stats.ranks import win_rate
from bayes_hpo.stats.wilcoxon import p_value, pairwise
from bayes_hpo.stats.win_loss import net_wins

DATASETS = 118
TABLES = {"holdout": "T3_2", "kfold": "T3_3"}


def table(validation):
    """Errors of table 3.2 or 3.3, its net wins, and its marks (in either triangle), in the order of the errors."""
    errors = published.errors(validation)[0]
    printed, marks = published.net_wins(TABLES[validation])[validation]
    order = list(errors.columns)
    return errors, printed.loc[order, order], (marks | marks.T).loc[order, order]


def pairs(square):
    """The cells of a frame above the diagonal."""
    return square.to_numpy()[np.triu_indices(len(square), 1)]


@pytest.mark.parametrize(
    ("validation", "exact", "largest", "correlation", "ties"),
    [("holdout", 13, 8, 0.987, 0.156), ("kfold", 6, 13, 0.983, 0.205)],
)
def test_net_wins_follow_from_rounded_errors_within_a_few_data_sets(validation, exact, largest, correlation, ties):
    errors, printed, _ = table(validation)
    ours, theirs = pairs(net_wins(errors)), pairs(printed)
    assert len(ours) == 91
    assert (ours == theirs).sum() == exact
    assert np.abs(ours - theirs).max() == largest
    assert np.corrcoef(ours, theirs)[0, 1] == pytest.approx(correlation, abs=0.0005)
    tied = [(errors[one] == errors[other]).mean() for one, other in itertools.combinations(errors, 2)]
    assert np.mean(tied) == pytest.approx(ties, abs=0.0005)


@pytest.mark.parametrize(("validation", "agreeing"), [("holdout", 90), ("kfold", 86)])
def test_marks_follow_from_wilcoxons_test(validation, agreeing):
    errors, _, marks = table(validation)
    assert ((pairs(pairwise(errors)) < 0.05) == pairs(marks)).sum() == agreeing


def test_the_best_method_is_marked_against_all_with_hold_out_and_against_eleven_with_5_fold():
    assert table("holdout")[2].loc["gp_r"].sum() == 13
    marked = table("kfold")[2].loc["gp_r"]
    assert set(marked.index[~marked]) == {"gp_r", "rs", "cma_r"}


@pytest.mark.parametrize(
    ("validation", "better", "worse", "p", "digits"),
    [
        ("holdout", "gp_r", "gp", 1.7e-4, 5e-6),
        ("holdout", "cma_r", "cma", 0.27, 0.005),
        ("holdout", "gp_sel", "gp", 0.47, 0.005),
        ("kfold", "gp_r", "gp", 0.055, 0.0005),
        ("kfold", "cma_r", "cma", 0.059, 0.0005),
        ("kfold", "gp_r", "cma_r", 0.61, 0.005),
        ("kfold", "gp_r", "rs", 0.42, 0.005),
        ("kfold", "cma_gv_r", "gp_sel_r", 0.007, 0.0005),
    ],
)
def test_p_of_the_pairs_that_the_claims_are_about(validation, better, worse, p, digits):
    errors = published.errors(validation)[0]
    assert p_value(errors[better] - errors[worse]) == pytest.approx(p, abs=digits)


def test_reshuffled_hold_out_is_worse_than_5_fold_across_data_sets():
    differences = published.errors("holdout")[0]["gp_r"] - published.errors("kfold")[0]["gp"]
    assert p_value(differences) == pytest.approx(0.002, abs=0.0005)
    assert np.sign(differences).sum() > 0


@pytest.mark.parametrize("name", ["T3_2", "T3_3", "T3_4"])
def test_what_the_row_wins_the_column_loses(name):
    for printed, _ in published.net_wins(name).values():
        assert (printed == -printed.T).all(axis=None)


@pytest.mark.parametrize(
    ("counts", "summary", "validation"),
    [
        ("T3_2", "T3_1", "holdout"),
        ("T3_3", "T3_1", "kfold"),
        ("T3_4", "T3_5", "holdout"),
        ("T3_4", "T3_5", "kfold"),
    ],
)
def test_every_printed_rank_and_win_rate_follows_from_the_printed_net_wins(counts, summary, validation):
    printed, wins = published.summary(summary)[validation], published.net_wins(counts)[validation][0]
    k = len(printed)
    ranks = ((k + 1) / 2 - wins.sum(axis=1) / (2 * DATASETS)).loc[printed.index]
    assert (ranks.round(2) == printed["rank"]).all()
    assert (win_rate(ranks, k).round(2) == printed["win_rate"]).all()


@pytest.mark.parametrize(("name", "asymmetric"), [("T3_2", 6), ("T3_3", 8), ("T3_4", 3)])
def test_some_marks_stand_in_one_triangle_only(name, asymmetric):
    assert sum((marks != marks.T).sum(axis=None) for _, marks in published.net_wins(name).values()) == 2 * asymmetric

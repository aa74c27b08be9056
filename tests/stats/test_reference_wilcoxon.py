"""The 95 pairwise p-values of tables 4.3, 4.5 and 5.3 of the thesis and tables 3 and 5 of uai2016 from their errors.

Table 4.3 is uai2016's table 3. Errors have two decimals, and so have the printed p.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bayes_hpo.documents import published
from bayes_hpo.stats.wilcoxon import exact_p_value, p_value, pairwise

TABLES = {  # (document, errors, p): pairs, those equal at two decimals, largest deviation
    ("uai2016", "T2", "T3"): (6, 4, 0.017),
    ("uai2016", "T4", "T5"): (6, 5, 0.0075),
    ("thesis", "T4_6", "T4_5"): (28, 24, 0.022),
    ("thesis", "T5_2", "T5_3"): (55, 40, 0.033),
}


def both(document, errors, p):
    """Recomputed and printed p of every pair, two arrays (n_pairs,)."""
    printed = published.p_values(document, p)
    ours = pairwise(published.mean_errors(document, errors)[0]).loc[printed.index, printed.columns]
    above = np.triu_indices(len(printed), 1)
    return ours.to_numpy()[above], printed.to_numpy()[above]


def all_differences():
    """Printed p and differences (n_datasets,) of every pair of the four tables."""
    for document, table, p in TABLES:
        errors, printed = published.mean_errors(document, table)[0], published.p_values(document, p)
        for i, one in enumerate(printed.index):
            for other in printed.index[i + 1 :]:
                yield printed.loc[one, other], np.round(errors[one] - errors[other], 9)


@pytest.mark.parametrize("table", TABLES)
def test_rounded_errors_give_the_printed_p_and_the_same_significance(table):
    ours, printed = both(*table)
    pairs, equal, largest = TABLES[table]
    assert len(printed) == pairs
    assert ((ours <= 0.05) == (printed <= 0.05)).all()
    assert (ours.round(2) == printed).sum() == equal
    assert np.abs(ours - printed).max() < largest


def test_tables_4_3_and_4_4_are_tables_3_and_2_of_uai2016():
    first, again = published.mean_errors("uai2016", "T2")[0], published.mean_errors("thesis", "T4_4")[0]
    again = again.rename({"msk": "msh"}).loc[first.index, first.columns]  # uai2016 calls musk-2 msh in table 2 only
    pd.testing.assert_frame_equal(first, again)
    first, again = published.p_values("uai2016", "T3"), published.p_values("thesis", "T4_3")
    pd.testing.assert_frame_equal(first, again.loc[first.index, first.columns])


def test_the_one_unequal_p_of_table_5_of_uai2016_is_best_against_post():
    errors, printed = published.mean_errors("uai2016", "T4")[0], published.p_values("uai2016", "T5")
    assert printed.loc["BO-best", "BO-post"] == 0.05
    assert p_value(errors["BO-best"] - errors["BO-post"]) == pytest.approx(0.043, abs=0.0005)


def test_only_dropped_zeros_give_the_significance_that_is_printed():
    errors = published.mean_errors("uai2016", "T4")[0]
    differences = np.round(errors["BO-best"] - errors["BO-post"], 9)
    assert (differences == 0).sum() == 5
    for zeros, p in {"pratt": 0.067, "zsplit": 0.070}.items():
        found = stats.wilcoxon(differences, zero_method=zeros, method="asymptotic").pvalue
        assert found == pytest.approx(p, abs=0.0005)


def test_two_decimals_alone_do_not_tell_the_variants_apart():
    variants = {
        "dropped": p_value,
        "exact": exact_p_value,
        "pratt": lambda d: stats.wilcoxon(d, zero_method="pratt", method="asymptotic").pvalue,
        "zsplit": lambda d: stats.wilcoxon(d, zero_method="zsplit", method="asymptotic").pvalue,
        "correction": lambda d: stats.wilcoxon(d, correction=True, method="asymptotic").pvalue,
    }
    equal = {name: sum(round(p(d), 2) == printed for printed, d in all_differences()) for name, p in variants.items()}
    assert equal == {"dropped": 73, "exact": 74, "pratt": 71, "zsplit": 71, "correction": 76}


def test_p_of_cifar_means_that_one_method_won_all_ten_repetitions():
    rows = published.rows("thesis_T4_7_cifar")
    assert set(rows.loc[rows["metric"] == "wilcoxon_p", "value"]) == {0.005}
    wins = np.arange(1, 11)
    assert p_value(wins) == pytest.approx(0.0051, abs=0.00005)
    assert exact_p_value(wins) == pytest.approx(0.002, abs=0.0005)
    wins[0] = -1  # the least lead lost
    assert round(p_value(wins), 3) > 0.005

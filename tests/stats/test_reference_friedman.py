"""Friedman's p and the pairs that Nemenyi separates in the thesis and uai2016, from errors and from printed ranks."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from bayes_hpo.documents import published
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks

EO_LOSSES = ["EO-C", "EO-sqm", "EO-sig"]
PRINTED = {
    ("thesis", "T4_4"): 5.5e-4,
    ("uai2016", "T4"): 1.5e-5,
    ("thesis", "T4_6"): 1.43e-10,
    ("thesis", "T5_2"): 9e-12,
}
SEPARATED = {  # the pairs that the texts name, as (methods, methods): all separated
    ("thesis", "T4_4"): [(["EO", "EO-post"], ["BO-best"])],
    ("uai2016", "T4"): [(["EO", "EO-post"], ["BO-best", "BO-post"])],
    ("thesis", "T4_6"): [(EO_LOSSES, ["RS-post"])],
    ("thesis", "T5_2"): [(["GP-cond-ls"], ["RS"])],
}
TOGETHER = {  # none separated
    ("thesis", "T4_4"): [(["BO-post"], ["BO-best", "EO", "EO-post"])],
    ("uai2016", "T4"): [(["EO"], ["EO-post"]), (["BO-best"], ["BO-post"])],
    ("thesis", "T4_6"): [
        (["BO-best", "BO-post"], ["RS-post", *EO_LOSSES]),
        (["BO-best"], ["RS-best"]),
        (["CMA", "RS-best"], ["RS-post"]),
    ],
    ("thesis", "T5_2"): [
        (["RS"], ["SMAC", "CMA", "GP-matern", "GP-cond", "GP-laplace", "GP-matern-ls", "GP-laplace-ls"]),
        (["GP-matern-ls"], ["GP-matern"]),
        (["GP-cond-ls"], ["GP-cond"]),
        (["GP-laplace-ls"], ["GP-laplace"]),
    ],
}


def friedman_of_ranks(mean_ranks, n_datasets, tied_pairs=0):
    """p by the textbook's formula from mean ranks; tied_pairs: ties of two in a data set."""
    k = len(mean_ranks)
    chi_square = 12 * n_datasets / (k * (k + 1)) * ((np.asarray(mean_ranks) - (k + 1) / 2) ** 2).sum()
    correction = 1 - tied_pairs * (2**3 - 2) / (n_datasets * k * (k**2 - 1))
    return stats.chi2.sf(chi_square / correction, k - 1)


@pytest.mark.parametrize(
    ("table", "p", "digits"),
    [
        (("thesis", "T4_4"), 3.8e-4, 5e-6),
        (("uai2016", "T2"), 3.8e-4, 5e-6),
        (("uai2016", "T4"), 1.497e-5, 5e-9),
        (("thesis", "T4_6"), 1.4e-11, 5e-13),
        (("thesis", "T5_2"), 4.0e-12, 5e-14),
    ],
)
def test_friedman_of_the_rounded_errors(table, p, digits):
    assert friedman(published.mean_errors(*table)[0])[1] == pytest.approx(p, abs=digits)


def test_the_printed_friedman_values_are_in_the_print():
    rows = published.rows("printed_statistics_in_text")
    values = rows[rows["statistic"].str.startswith("Friedman")]["value"].astype(float)
    assert sorted(values) == sorted([*PRINTED.values(), PRINTED["thesis", "T4_4"]])  # 4.4 is uai2016's table 2


def test_friedman_of_the_printed_rank_sums_shows_the_tie_correction():
    assert friedman_of_ranks(np.array([61, 50.5, 34.5, 34]) / 18, 18, tied_pairs=3) == pytest.approx(5.47e-4, abs=5e-7)
    rank = ranks(published.mean_errors("uai2016", "T4")[0]).mean()
    assert friedman_of_ranks(rank, 18) == pytest.approx(2.56e-5, abs=5e-8)  # 1.5e-5 is printed


def test_friedman_of_table_5_2_follows_from_its_printed_ranks():
    printed = published.mean_errors("thesis", "T5_2")[1]
    sums = (2 * 24 * printed).round() / 2  # rank sums are halves
    assert sums.sum() == 24 * 66
    assert friedman_of_ranks(sums / 24, 24) == pytest.approx(8.56e-12, abs=5e-15)


def test_friedman_of_table_4_6_does_not_follow_from_its_printed_ranks():
    printed = published.mean_errors("thesis", "T4_6")[1]
    assert friedman_of_ranks(printed, 18) == pytest.approx(6.0e-12, abs=5e-14)
    assert friedman_of_ranks(printed, 18, tied_pairs=3) < 6.0e-12 < PRINTED["thesis", "T4_6"] / 20


@pytest.mark.slow
@pytest.mark.parametrize("table", PRINTED)
def test_what_rounding_hides_explains_every_printed_friedman_value_but_that_of_table_4_6(table):
    errors = published.mean_errors(*table)[0]
    rng = np.random.default_rng(0)
    draws = [friedman(errors + rng.uniform(-0.005, 0.005, errors.shape))[1] for _ in range(1000)]
    low, high = np.quantile(draws, [0.025, 0.975])
    assert (low < PRINTED[table] < high) == (table != ("thesis", "T4_6"))


@pytest.mark.parametrize(("k", "n", "printed"), [(4, 18, 1.106), (8, 18, 2.475), (11, 24, 3.082)])
def test_critical_differences(k, n, printed):
    assert critical_difference(k, n) == pytest.approx(printed, abs=0.0005)


@pytest.mark.parametrize("table", SEPARATED)
def test_what_the_texts_say_of_nemenyis_diagrams_follows_from_printed_and_recomputed_ranks(table):
    errors, printed = published.mean_errors(*table)
    for rank in (printed, ranks(errors).mean()):
        separated = np.abs(rank.to_numpy()[:, None] - rank.to_numpy()) > critical_difference(*errors.shape[::-1])
        separated = pd.DataFrame(separated, index=rank.index, columns=rank.index)
        assert all(separated.loc[these, those].all(axis=None) for these, those in SEPARATED[table])
        assert not any(separated.loc[these, those].any(axis=None) for these, those in TOGETHER[table])

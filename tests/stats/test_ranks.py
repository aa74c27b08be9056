"""Laws of ranks and win rates, and the thesis' table 3.1 recomputed from its tables B.1 and B.2."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.documents import published
from bayes_hpo.stats.ranks import interquartile_range, ranks, summary, win_rate

# How closely one-decimal cells give back the print (published/README.md).
AGREEMENT = {"median": 0.040, "iqr": 0.075, "win_rate": 2.06, "rank": 0.29}


@pytest.fixture
def errors():
    """Errors in percent of 40 data sets and 6 methods, with many ties."""
    return pd.DataFrame(np.random.default_rng(0).integers(0, 5, (40, 6)) / 2, columns=list("abcdef"))


@pytest.mark.parametrize("metric", AGREEMENT)
@pytest.mark.parametrize("validation", ["holdout", "kfold"])
def test_table_3_1_follows_from_tables_b_1_and_b_2(validation, metric):
    printed = published.summary("T3_1")[validation]
    recomputed = summary(published.errors(validation)[0]).loc[printed.index]
    assert (recomputed[metric] - printed[metric]).abs().max() < AGREEMENT[metric] + 0.0005


@pytest.mark.parametrize("validation", ["holdout", "kfold"])
def test_the_recomputed_best_method_is_the_printed_one(validation):
    recomputed = summary(published.errors(validation)[0])
    assert recomputed["rank"].idxmin() == published.summary("T3_1")[validation]["rank"].idxmin() == "gp_r"


@pytest.mark.parametrize("table", ["T3_1", "T3_5"])
@pytest.mark.parametrize("validation", ["holdout", "kfold"])
def test_printed_win_rates_follow_from_printed_ranks(table, validation):
    printed = published.summary(table)[validation]
    half_a_digit = 0.005
    rounding = half_a_digit * (1 + 100 / len(printed))
    assert (win_rate(printed["rank"], len(printed)) - printed["win_rate"]).abs().max() < rounding


def test_ranks_are_the_sum_of_comparisons(errors):
    e = errors.to_numpy()
    comparisons = (e[:, :, None] > e[:, None, :]) + 0.5 * (e[:, :, None] == e[:, None, :])  # thesis, eq. 3.10
    by_definition = 1 + comparisons.sum(axis=2) - 0.5  # thesis, eq. 3.9: without the method itself
    np.testing.assert_array_equal(ranks(errors), by_definition)


def test_ranks_of_a_data_set_sum_to_the_same_total(errors):
    np.testing.assert_allclose(ranks(errors).sum(axis=1), 6 * 7 / 2)


def test_tied_methods_share_their_mean_rank():
    assert ranks(pd.DataFrame([[0.2, 0.1, 0.2, 0.3]])).to_numpy().tolist() == [[2.5, 1.0, 2.5, 4.0]]


def test_the_order_in_which_repetitions_were_summed_makes_no_winner():
    forwards, backwards = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert forwards != backwards
    assert ranks(pd.DataFrame([[forwards, backwards]])).to_numpy().tolist() == [[1.5, 1.5]]


def test_one_row_of_the_largest_test_part_makes_a_winner():
    one_row_in_twenty_repetitions = 100 / (50_000 * 20)
    assert ranks(pd.DataFrame([[5.0 + one_row_in_twenty_repetitions, 5.0]])).to_numpy().tolist() == [[2.0, 1.0]]


def test_ranks_depend_on_the_order_of_errors_only(errors):
    pd.testing.assert_frame_equal(ranks(np.exp(errors) * 7), ranks(errors))
    pd.testing.assert_frame_equal(ranks(errors[list("fdbeca")])[list("abcdef")], ranks(errors))


def test_win_rates_average_to_one_half(errors):
    assert summary(errors)["win_rate"].mean() == pytest.approx(50)


def test_quartiles_are_interpolated_linearly():
    assert interquartile_range(pd.DataFrame({"a": [4.0, 1.0, 3.0, 2.0]}))["a"] == pytest.approx(3.25 - 1.75)


def test_a_missing_error_is_refused():
    with pytest.raises(ValueError, match="every method on every data set"):
        ranks(pd.DataFrame([[0.1, np.nan]]))

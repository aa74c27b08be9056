"""Win frequencies and expected ranks: the published ranks from the published frequencies, and by hand."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.stats.win_frequency import expected_ranks, sign_test, tie_shares, win_frequencies

METHODS = ["ESMBO", "ERS", "SMBO", "RS"]
FREQUENCIES = pd.read_csv("published/esmbo_win_frequency.csv")
RANKS = pd.read_csv("published/esmbo_expected_rank.csv")
PLACES = RANKS.groupby(["document", "space"]).groups


@pytest.mark.parametrize("place", PLACES)
def test_the_published_frequencies_give_the_published_ranks(place):
    rows = FREQUENCIES[(FREQUENCIES["document"] == place[0]) & (FREQUENCIES["space"] == place[1])]
    matrix = rows.pivot(index="method_row", columns="method_col", values="win_frequency").loc[METHODS, METHODS]
    printed = RANKS[(RANKS["document"] == place[0]) & (RANKS["space"] == place[1])].set_index("method")["E_rank"]
    np.testing.assert_allclose(expected_ranks(matrix), printed.loc[METHODS], atol=0.0101)


def test_there_are_56_of_them():
    assert len(RANKS) == 56


def test_frequencies_ties_and_ranks_by_hand():
    errors = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.2, 0.1]})
    frequencies = win_frequencies(errors)
    assert frequencies.loc["a", "b"] == frequencies.loc["b", "a"] == 0.5
    assert tie_shares(errors).loc["a", "b"] == pytest.approx(1 / 3)
    assert tie_shares(errors).loc["a", "a"] == 1
    more = win_frequencies(errors.assign(c=[0.05, 0.05, 0.05]))
    assert more.loc["c", "a"] == 1
    np.testing.assert_allclose(expected_ranks(more), [2.5, 2.5, 1])


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_the_errors_changes_neither_wins_nor_ties(unit):
    errors = pd.DataFrame(np.random.default_rng(0).integers(1, 5, size=(30, 4)) / 10, columns=METHODS)
    errors["SMBO"] = errors["RS"] * (1 + 1e-15)  # equal but for the last bit
    assert (tie_shares(errors).to_numpy() == tie_shares(unit * errors).to_numpy()).all()
    assert (win_frequencies(errors).to_numpy() == win_frequencies(unit * errors).to_numpy()).all()
    assert tie_shares(unit * errors).loc["SMBO", "RS"] == 1


def test_no_error_at_all_is_a_tie():
    assert tie_shares(pd.DataFrame({"a": [0.0, 0.0], "b": [0.0, 1.0]})).loc["a", "b"] == 0.5


def test_the_expected_rank_is_the_mean_of_the_ranks():
    errors = pd.DataFrame(np.random.default_rng(0).integers(5, size=(30, 4)) / 10, columns=METHODS)
    np.testing.assert_allclose(expected_ranks(win_frequencies(errors)), errors.rank(axis=1).mean())


def test_the_sign_test_is_one_sided_and_leaves_ties_out():
    assert sign_test(5, 0) == pytest.approx(1 / 32)
    assert sign_test(18, 4) == pytest.approx(0.0022, abs=5e-5)
    assert sign_test(0, 0) == 1

"""Laws of net wins."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.stats.ranks import ranks
from bayes_hpo.stats.win_loss import chance_of_more, net_wins


@pytest.fixture
def errors():
    """Errors in percent of 40 data sets and 5 methods, with many ties."""
    return pd.DataFrame(np.random.default_rng(1).integers(0, 5, (40, 5)) / 2, columns=list("abcde"))


def test_the_row_wins_where_its_error_is_lower_and_a_tie_counts_for_neither():
    errors = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 3.0, 2.0, 4.0]})
    assert net_wins(errors).loc["a", "b"] == 2 - 1


def test_what_the_row_wins_the_column_loses(errors):
    found = net_wins(errors)
    assert (found == -found.T).all(axis=None)
    assert found.to_numpy().any()


def test_net_wins_depend_on_the_order_of_errors_only(errors):
    pd.testing.assert_frame_equal(net_wins(np.exp(errors) * 7), net_wins(errors))
    pd.testing.assert_frame_equal(net_wins(errors[list("edcba")]).loc[list("abcde"), list("abcde")], net_wins(errors))


def test_mean_ranks_follow_from_net_wins(errors):
    from_net_wins = (5 + 1) / 2 - net_wins(errors).sum(axis=1) / (2 * 40)
    np.testing.assert_allclose(from_net_wins, ranks(errors).mean())


def test_the_order_in_which_repetitions_were_summed_makes_no_winner():
    assert net_wins(pd.DataFrame({"a": [0.1 + 0.2 + 0.3], "b": [0.3 + 0.2 + 0.1]})).loc["a", "b"] == 0


def test_a_missing_error_is_refused():
    with pytest.raises(ValueError, match="every method on every data set"):
        net_wins(pd.DataFrame({"a": [1.0, np.nan], "b": [1.0, 2.0]}))


def test_the_chance_of_more_net_wins_is_that_of_tosses():
    won = np.random.default_rng(2).binomial(24, 0.7, size=100_000)
    for net in (-3, 0, 5, 9.25, 10.25, 23):
        assert chance_of_more(net, 0.4, 24) == pytest.approx((2 * won - 24 > net).mean(), abs=0.005)
    assert chance_of_more(24, 0.4, 24) == 0
    assert chance_of_more(-25, 0.4, 24) == 1

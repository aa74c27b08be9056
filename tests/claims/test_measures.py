"""Every measure against an independent computation, and its laws."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.claims.measure import Side
from bayes_hpo.claims.measures import MEANS, MEASURES
from bayes_hpo.claims.sample import ALONG, HIGHER, QUANTITIES, WORSE, Resampled, Sample
from bayes_hpo.documents import published
from bayes_hpo.stats import win_loss
from bayes_hpo.stats.hodges_lehmann import hodges_lehmann
from bayes_hpo.stats.ranks import ranks, summary

CELLS = published.errors("holdout")[0]
SIZES = np.random.default_rng(1).integers(50, 50000, len(CELLS))
AT = {name: position for position, name in enumerate(CELLS.columns)}
FIELD = tuple(range(14))
OF_ONE = (
    "diversity_tau_lead",
    "diversity_tau_order",
    "gap",
    "gap_growth",
    "error_growth",
    "late_gain",
    "late_overfit",
    "choice_lead",
    "late_wins",
    "rank_agreement",
    "rank_growth",
    "friedman_excess",
    "share_of_random_that_is_worse",
    *MEANS,
)  # nothing is compared
OTHERS = tuple(position for position in FIELD if position != AT["gp_r"])


def values_of(name, a=(), b=(), field=FIELD, **values):
    """The components (k,) of a measure of the published cells, or of other values."""
    sample = Sample({"error": CELLS.to_numpy()} | values, SIZES)
    return MEASURES[name].function(sample, Side(tuple(a), tuple(b), field))


def value(*args, **values):
    """The least component."""
    return values_of(*args, **values).min()


def test_a_lead_is_the_distance_to_the_best_other_of_table_3_1():
    table = summary(CELLS).sort_values("rank")
    assert list(table.index[:2]) == ["gp_r", "cma_r"]
    assert value("rank_lead", [AT["gp_r"]], OTHERS) == pytest.approx(np.diff(table["rank"][:2])[0])
    assert value("median_lead", [AT["gp_r"]], OTHERS) == pytest.approx(np.diff(table["median"].sort_values()[:2])[0])


def test_the_worst_two_are_a_lead_of_all_others():
    rank = summary(CELLS)["rank"].sort_values()
    worst = [AT[name] for name in rank.index[-2:]]
    rest = [position for position in FIELD if position not in worst]
    assert value("rank_lead", rest, worst) == pytest.approx(rank.iloc[-2] - rank.iloc[-3])


def test_net_wins_are_those_of_tables_3_2_in_percent_of_data_sets():
    wins = win_loss.net_wins(CELLS).loc["gp_r"].drop("gp_r")
    assert value("net_wins", [AT["gp_r"]], [AT["gp"]]) == pytest.approx(100 * wins["gp"] / 118)
    assert value("net_wins", [AT["gp_r"]], OTHERS) == pytest.approx(100 * wins.min() / 118)


def test_hodges_lehmann_is_that_of_the_differences_of_each_pair():
    shifts = np.array([hodges_lehmann(CELLS.iloc[:, other] - CELLS["rs"]) for other in (0, 5, 9)])
    np.testing.assert_allclose(values_of("hodges_lehmann", [AT["rs"]], (0, 5, 9)), shifts)


def test_gains_are_of_aligned_pairs():
    rank = summary(CELLS)["rank"].to_numpy()
    a, b = [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]
    gains = rank[b] - rank[a]
    np.testing.assert_allclose(values_of("rank_gain", a, b), gains)
    assert values_of("rank_gain_mean", a, b) == pytest.approx([gains.mean()])
    medians = CELLS.median().to_numpy()
    np.testing.assert_allclose(values_of("median_gain", a, b), medians[b] - medians[a])


@pytest.mark.parametrize(("pairs", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)])
def test_a_majority_is_more_than_half_and_every_other_measure_needs_all(pairs, needed):
    assert MEASURES["rank_gain_majority"].needed(pairs) == needed
    assert MEASURES["rank_gain"].needed(pairs) == pairs


def test_the_spread_of_medians_is_highest_minus_lowest():
    spread = values_of("median_spread", FIELD)
    assert len(spread) == 14 * 13 / 2
    assert np.abs(spread).max() == pytest.approx(np.ptp(CELLS.median()))


def test_the_trend_with_size_is_the_slope_of_a_line_through_ranks():
    slope = np.polyfit(np.log10(SIZES), ranks(CELLS)["gp_r"], 1)[0]
    assert value("size_trend", [AT["gp_r"]]) == pytest.approx(-slope)
    assert value("size_trend", [], [AT["gp_r"]]) == pytest.approx(slope)


def test_data_sets_of_one_size_have_no_trend():
    sample = Sample({"error": CELLS.to_numpy()}, np.full(118, 100))
    assert MEASURES["size_trend"].function(sample, Side((AT["gp_r"],), (), FIELD)) == 0


def test_the_gap_and_its_growth_are_of_test_error_over_validation_loss():
    errors = CELLS.to_numpy()
    later = {"loss": errors - 3, "early error": errors + 1, "early loss": errors}
    assert value("gap", [AT["gp"]], **later) == pytest.approx(3)
    assert value("gap_growth", [AT["gp"]], **later) == pytest.approx(2)


def test_errors_that_rise_late_and_losses_that_still_fall_late_are_means_over_units():
    errors = np.array([[1.0, 9.0], [3.0, 9.0]])  # (units, columns)
    sample = Sample(
        {"error": errors, "early error": errors - [[0], [4]], "loss": errors, "early loss": errors + 2}, SIZES[:2]
    )
    assert MEASURES["error_growth"].function(sample, Side((0,), ())) == 2
    assert MEASURES["late_gain"].function(sample, Side((0,), ())) == 2


@pytest.mark.parametrize("name", MEANS)
def test_a_trait_is_its_mean_over_units(name):
    sample = Sample({name: np.array([[1.0, 9.0], [4.0, 9.0]])}, SIZES[:2])
    assert MEASURES[name].function(sample, Side((0,), ())) == 2.5
    assert MEASURES[name].quantities == (name,)


@pytest.mark.parametrize(
    ("loss", "error", "expected"),
    [(9, 21, 1.0), (9, 20, 0.05), (9.5, 24, 0.5), (9, 19, -0.95), (10, 24, 0.0)],
    ids=["rises", "stays", "falls little, rises more", "both fall", "the loss has stopped"],
)
def test_late_overfitting_is_a_loss_that_falls_while_the_error_does_not(loss, error, expected):
    one = {"early loss": 10.0, "loss": loss, "early error": 20.0, "error": error}
    sample = Sample({name: np.array([[float(value)]]) for name, value in one.items()}, SIZES[:1])
    assert MEASURES["late_overfit"].function(sample, Side((0,), ())).min() == pytest.approx(expected)


def test_a_lead_has_been_taken_when_it_is_there_and_has_grown():
    early = CELLS.to_numpy().copy()
    early[:, AT["gp_r"]] = 100  # last on every data set
    final = value("rank_lead", [AT["gp_r"]], OTHERS)
    assert value("lead_growth", [AT["gp_r"]], OTHERS, **{"early error": early}) == pytest.approx(final)
    assert value("lead_growth", [AT["gp_r"]], OTHERS, **{"early error": CELLS.to_numpy()}) == pytest.approx(0)
    last = value("lead_growth", [AT["grid"]], [i for i in FIELD if i != AT["grid"]], **{"early error": early})
    assert last < 0  # who does not lead at the end has not taken the lead


def _random(rng, *shape):
    return {quantity: np.round(20 * rng.random(shape), 1) for quantity in (*QUANTITIES, WORSE)}


SIDE = Side((0, 1), (2, 3), (0, 1, 2, 3, 4))


class Recorded(dict):
    """Values that remember which of them were read."""

    def __init__(self, values):
        super().__init__(values)
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_asks_for_what_it_reads_alone(name):
    """A search that lacks anything else counts all the same (`runs`)."""
    values = Recorded(_random(np.random.default_rng(0), 12, 6))
    MEASURES[name].function(Sample(values, np.arange(10, 22)), SIDE)
    assert values.read == set(MEASURES[name].quantities)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_of_many_experiments_is_that_of_each(name):
    rng = np.random.default_rng(0)
    values, sizes = _random(rng, 7, 12, 6), rng.integers(50, 5000, (7, 12))
    together = MEASURES[name].function(Sample(values, sizes), SIDE)
    alone = [
        MEASURES[name].function(Sample({key: part[i] for key, part in values.items()}, sizes[i]), SIDE)
        for i in range(7)
    ]
    np.testing.assert_allclose(together, alone, atol=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_of_a_draw_is_that_of_the_drawn_data_sets(name):
    rng = np.random.default_rng(0)
    values, sizes = _random(rng, 12, 6), rng.integers(50, 5000, 12)
    often = np.array([rng.permutation([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 4]) for _ in range(5)])  # twelve each
    function = MEASURES[name].function
    drawn = [np.repeat(np.arange(12), times) for times in often]
    alone = [function(Sample({key: part[own] for key, part in values.items()}, sizes[own]), SIDE) for own in drawn]
    np.testing.assert_allclose(function(Resampled(values, sizes, often), SIDE), alone, atol=1e-9)


@pytest.mark.parametrize(
    "name",
    sorted(
        {*MEASURES}
        - {"median_spread", "size_trend", "closer_in_validation", "unseparated", "half_of_the_wins", *OF_ONE}
    ),
)
def test_a_measure_is_positive_where_a_is_better(name):
    errors = np.random.default_rng(0).random((20, 5)) + np.array([0, 0, 5, 5, 5])
    early = errors[:, [3, 2, 1, 0, 4]]
    values = {"error": errors, "early error": early, "loss": early, "vote_loss": errors, WORSE: 1.0 * (errors > 4)}
    values |= {"late_rank": errors, "late_wins_over_smbo": 2.5 - errors, "autogluon_error": np.full((20, 5), 3.0)}
    values |= dict.fromkeys(("member_error", "validation_error", *ALONG), errors)
    values |= dict.fromkeys(HIGHER, 9 - errors)  # DivBO's are claimed to be higher
    sample = Sample(values, np.arange(10, 30))
    assert (MEASURES[name].function(sample, Side((0, 1), (2, 3), (0, 1, 2, 3, 4))) > 0).all()
    assert MEASURES[name].function(sample, Side((2, 3), (0, 1), (0, 1, 2, 3, 4))).min() < 0


def test_equal_errors_tie_whatever_their_last_bits():
    errors = np.array([[0.1 + 0.2, 0.3]])
    sample = Sample({"error": errors}, np.array([10]))
    side = Side((0,), (1,), (0, 1))
    assert [MEASURES[name].function(sample, side) for name in ("net_wins", "rank_lead")] == [0, 0]


def test_ranks_are_those_of_the_statistics():
    sample = Sample({"error": CELLS.to_numpy()[None]}, SIZES[None])
    found = pd.DataFrame(sample.ranks((3, 4, 5))[0][:, 3:6])
    np.testing.assert_array_equal(found, ranks(CELLS.iloc[:, 3:6]))

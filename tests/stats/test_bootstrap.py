"""Laws of resamples: families are drawn whole, statistics are those of the drawn data sets, deviations are true."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from bayes_hpo.stats import bootstrap, wilcoxon
from bayes_hpo.stats.hodges_lehmann import hodges_lehmann

FAMILIES = np.array(["a", "a", "a", "b", "c", "c", "d", "e", "f", "f"])
RNG = np.random.default_rng(0)
OFTEN = bootstrap.draw(FAMILIES, draws=200)


def _drawn(values):
    """The values (n_drawn,) of the data sets of each draw, one by one."""
    return [np.repeat(values, often) for often in OFTEN]


def test_a_family_is_drawn_whole_and_as_many_families_as_there_are():
    drawn = bootstrap.draw(FAMILIES, draws=500)
    for name in "abcdef":
        assert (drawn[:, name == FAMILIES] == drawn[:, name == FAMILIES][:, :1]).all()
    first = np.unique(FAMILIES, return_index=True)[1]
    assert (drawn[:, first].sum(axis=1) == 6).all()
    assert drawn.mean(axis=0) == pytest.approx(np.ones(10), abs=0.15)


def test_the_seed_decides_the_draws():
    assert (bootstrap.draw(FAMILIES, 50, seed=1) == bootstrap.draw(FAMILIES, 50, seed=1)).all()
    assert (bootstrap.draw(FAMILIES, 50, seed=1) != bootstrap.draw(FAMILIES, 50, seed=2)).any()


@pytest.mark.parametrize(
    ("statistic", "of_one"),
    [
        (bootstrap.means, np.mean),
        (bootstrap.medians, np.median),
        (bootstrap.hodges_lehmanns, hodges_lehmann),
        (bootstrap.signed_ranks, wilcoxon.signed_ranks),
    ],
)
@pytest.mark.parametrize("decimals", [9, 0], ids=["no ties", "ties and zeros"])
def test_a_statistic_of_draws_is_that_of_the_drawn_data_sets(statistic, of_one, decimals):
    values = RNG.normal(size=(10, 3)).round(decimals)
    found = statistic(values, OFTEN)
    assert found.shape == (200, 3)
    for column in range(3):
        expected = [of_one(drawn) for drawn in _drawn(values[:, column])]
        np.testing.assert_allclose(found[:, column], expected, atol=1e-9)


def test_chunks_do_not_change_a_statistic(monkeypatch):
    values = RNG.normal(size=(10, 1))
    whole = bootstrap.hodges_lehmanns(values, OFTEN)
    monkeypatch.setattr(bootstrap, "CHUNK", 500)
    np.testing.assert_array_equal(bootstrap.hodges_lehmanns(values, OFTEN), whole)


def test_differences_that_are_all_zero_have_no_signed_ranks():
    np.testing.assert_array_equal(bootstrap.signed_ranks(np.zeros((10, 1)), OFTEN), np.zeros((200, 1)))


def test_the_deviation_of_a_mean_is_that_of_theory():
    values = RNG.normal(size=(40, 1))
    found = bootstrap.means(values, bootstrap.draw(range(40))).std()
    assert found == pytest.approx(values.std() / np.sqrt(40), rel=0.02)


def test_the_deviation_of_families_is_that_of_their_means():
    families = np.repeat(np.arange(8), 5)
    shared = np.repeat(RNG.normal(size=8), 5)[:, None]
    found = bootstrap.means(shared, bootstrap.draw(families)).std()
    assert found == pytest.approx(shared.std() / np.sqrt(8), rel=0.02)


@pytest.mark.parametrize("families", [np.arange(5), np.repeat(np.arange(5), 3)], ids=["alone", "threes"])
def test_the_deviation_of_few_is_as_wide_as_the_standard_error_of_their_mean(families):
    values = RNG.normal(size=5)[families][:, None]
    found = bootstrap.deviations(bootstrap.means(values, bootstrap.draw(families)), 5)
    assert found == pytest.approx(stats.sem(values[np.unique(families, return_index=True)[1]]), rel=0.02)


def test_one_family_has_no_deviation():
    assert np.isnan(bootstrap.deviations(np.ones((20, 3)), 1)).tolist() == [True] * 3


TRUTH, EXPERIMENTS = 0.7, 1000


def _covered(errors, families, level=0.95):
    """Share of the experiments, errors (n_datasets, EXPERIMENTS), whose interval holds the true mean."""
    count = len(set(families))
    deviations = bootstrap.deviations(bootstrap.means(errors, bootstrap.draw(families, draws=2000)), count)
    widths = bootstrap.quantile(level, count) * deviations
    return np.mean(np.abs(errors.mean(axis=0) - TRUTH) <= widths)


def test_the_interval_covers_a_known_effect_at_its_nominal_rate():
    errors = TRUTH + np.random.default_rng(1).standard_normal((30, EXPERIMENTS))
    assert _covered(errors, range(30)) == pytest.approx(0.95, abs=0.03)
    assert _covered(errors, range(30), level=0.9) == pytest.approx(0.9, abs=0.045)


def test_related_data_sets_widen_the_interval_to_the_nominal_rate():
    families = np.arange(40) // 4
    errors = TRUTH + np.random.default_rng(3).standard_normal((10, EXPERIMENTS))[families]
    assert _covered(errors, families) == pytest.approx(0.95, abs=0.03)
    assert _covered(errors, range(40)) < 0.8  # as if they were unrelated


@pytest.mark.slow
def test_the_thesis_grid_is_resampled_within_its_memory():
    values, often = np.random.default_rng(0).random((118, 30)), bootstrap.draw(range(118))
    tracemalloc.start()
    assert bootstrap.means(values, often).shape == (20_000, 30)
    assert bootstrap.hodges_lehmanns(values[:, :2], often).shape == (20_000, 2)
    assert tracemalloc.get_traced_memory()[1] < 300e6
    tracemalloc.stop()


def test_the_quantile_is_students():
    assert bootstrap.quantile(0.95, 12) == pytest.approx(stats.t.ppf(0.975, 11))
    assert np.isnan(bootstrap.quantile(0.95, 1))

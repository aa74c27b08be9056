"""Laws of the resamples, and the coverage of their interval on experiments of which the truth is known."""

import tracemalloc

import numpy as np
import pytest

from bayes_hpo.stats.bootstrap import Resamples, draw_datasets, half_width

EXPERIMENTS, TRUTH = 400, 1.5
FAMILIES = np.array(["a", "a", "b", "c", "c", "c", "d", "e", "f", "f"])


@pytest.fixture
def covered():
    """Function: share of the experiments whose interval of the mean holds TRUTH.

    errors (n_datasets, n_repetitions, EXPERIMENTS).
    """

    def share(errors, families, level=0.95):
        resamples = Resamples.draw(families, [errors.shape[1]] * len(errors), draws=400)
        resampled = resamples.means(errors).mean(axis=1)  # (draws, EXPERIMENTS)
        widths = np.array([half_width(one, level, len(set(families))) for one in resampled.T])
        return np.mean(np.abs(errors.mean(axis=(0, 1)) - TRUTH) <= widths)

    return share


def test_every_draw_has_as_many_data_sets_as_the_experiment():
    drawn = draw_datasets(FAMILIES, 200, np.random.default_rng(0))
    assert drawn.shape == (200, 10)
    assert set(drawn.ravel()) == set(range(10))


def test_a_family_is_drawn_as_a_whole_unless_it_is_cut_at_the_end():
    for draw in draw_datasets(FAMILIES, 200, np.random.default_rng(0)):
        row = draw.tolist()
        while row:
            whole = np.flatnonzero(np.equal(FAMILIES, FAMILIES[row[0]])).tolist()
            taken, row = row[: len(whole)], row[len(whole) :]
            assert taken == whole[: len(taken)]
            assert not row or len(taken) == len(whole)


def test_a_data_set_is_drawn_as_often_as_any_other():
    drawn = draw_datasets(FAMILIES, 20000, np.random.default_rng(0))
    often = np.bincount(drawn.ravel()) / 20000
    assert often == pytest.approx(np.ones(10), abs=0.15)  # the cut takes from the last of a family


def test_columns_are_resampled_together():
    values = np.random.default_rng(0).random((10, 4, 1))
    means = Resamples.draw(FAMILIES, [4] * 10).means(np.concatenate([values, values + 3], axis=2))
    np.testing.assert_allclose(means[..., 1] - means[..., 0], 3)


def test_a_data_set_is_averaged_over_its_own_repetitions_only():
    values = np.array([[[2.0], [4.0], [0.0]], [[9.0], [9.0], [9.0]]])
    resamples = Resamples.draw(["a", "b"], [2, 3])
    means = resamples.means(values)[..., 0]
    assert set(means[resamples.datasets == 0]) == {2, 3, 4}
    assert set(means[resamples.datasets == 1]) == {9}


def test_the_interval_covers_a_known_effect_at_its_nominal_rate(covered):
    rng = np.random.default_rng(1)
    errors = TRUTH + rng.standard_normal((30, 1, EXPERIMENTS)) + 0.2 * rng.standard_normal((30, 4, EXPERIMENTS))
    assert covered(errors, range(30)) == pytest.approx(0.95, abs=0.03)
    assert covered(errors, range(30), level=0.9) == pytest.approx(0.9, abs=0.045)


def test_where_repetitions_are_all_the_noise_the_interval_is_conservative(covered):
    errors = TRUTH + np.random.default_rng(2).standard_normal((30, 4, EXPERIMENTS))
    assert covered(errors, range(30), level=0.9) > 0.95  # their variance counts almost twice


def test_related_data_sets_widen_the_interval_to_the_nominal_rate(covered):
    families = np.arange(40) // 4
    errors = TRUTH + np.random.default_rng(3).standard_normal((10, 1, EXPERIMENTS))[families]
    assert covered(errors, families) == pytest.approx(0.95, abs=0.03)
    assert covered(errors, range(40)) < 0.8  # as if they were unrelated


def test_one_family_has_no_interval():
    assert np.isnan(half_width(np.arange(10.0), 0.95, 1))


@pytest.mark.slow
def test_the_thesis_grid_is_resampled_within_its_memory():
    values = np.random.default_rng(0).random((118, 20, 30))
    tracemalloc.start()
    assert Resamples.draw(range(118), [20] * 118).means(values).shape == (1000, 118, 30)
    assert tracemalloc.get_traced_memory()[1] < 300e6
    tracemalloc.stop()

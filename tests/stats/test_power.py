"""Simulated experiments have the noise that is asked for, and give the power that the published cells imply."""

import numpy as np
import pytest

from bayes_hpo import published
from bayes_hpo.data.registry import registry
from bayes_hpo.stats.power import simulated
from bayes_hpo.stats.wilcoxon import p_value


def _simulated(mean, sd, repetitions, draws):
    datasets = np.tile(np.arange(len(mean)), (draws, 1))
    rng = np.random.default_rng(0)
    return simulated(mean, sd, repetitions=np.array(repetitions), datasets=datasets, rng=rng)


def test_without_noise_an_experiment_is_the_published_one():
    mean = np.random.default_rng(0).random((5, 3))
    np.testing.assert_array_equal(_simulated(mean, np.zeros((5, 3)), [4] * 5, 2), [mean, mean])


def test_the_noise_of_a_mean_shrinks_with_repetitions_and_is_half_shared_by_methods():
    errors = _simulated(np.zeros((2, 2)), np.array([[3.0, 3.0], [3.0, 3.0]]), [1, 9], 20000)
    assert errors[:, 0].std(axis=0) == pytest.approx([3, 3], rel=0.03)
    assert errors[:, 1].std(axis=0) == pytest.approx([1, 1], rel=0.03)
    assert np.corrcoef(errors[:, 0].T)[0, 1] == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(("n_datasets", "repetitions", "expected"), [(40, 5, 0.30), (86, 20, 0.97)])
def test_power_of_gp_r_over_gp_by_wilcoxon(n_datasets, repetitions, expected):
    names = sorted({row.published_name for row in registry().values() if "overfitting_small" in row.suites})
    assert len(names) == 86
    mean, sd = (table.loc[names, ["gp_r", "gp"]].to_numpy() for table in published.errors("holdout"))
    rng = np.random.default_rng(0)
    datasets = np.array([rng.permutation(86)[:n_datasets] for _ in range(1000)])
    errors = simulated(mean, sd, repetitions=np.full(86, repetitions), datasets=datasets, rng=rng)
    gains = errors[..., 1] - errors[..., 0]
    wins = [np.sign(one).sum() > 0 and p_value(one) < 0.05 for one in gains]
    assert np.mean(wins) == pytest.approx(expected, abs=0.045)

"""The line of a model against Monte Carlo: functions drawn from its samples, in the unit of the losses."""

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.measures.model_line import LINE, model_line

LOSSES = np.array([0.30, 0.12, 0.10, 0.25])
X = np.array([[0.1], [0.4], [0.6], [0.95]])
STATES = np.array([[8.0, 40.0, 0.1, 0.3], [12.0, 20.0, 2.0, 0.1]])  # mean, amplitude, noise, length


@pytest.fixture(scope="module")
def searcher(grid_of):
    """The toy's searcher."""
    return build(grid_of().cfg["measures"]["gp_toy"]["searcher"], "searcher")


@pytest.fixture(scope="module")
def posterior(searcher):
    """Its model with two settings of the hyperparameters."""
    return searcher.surrogate.model.posterior(STATES, X, searcher.targets(LOSSES))


@pytest.fixture(scope="module")
def rows(searcher, posterior):
    """The frame, by kind."""
    return model_line(searcher.targets, posterior, LOSSES, np.array([0.5])).set_index("kind")


@pytest.fixture(scope="module")
def drawn(searcher, posterior):
    """Values of the loss drawn along the line, half of them from each setting: (draws, 401)."""
    means, variances = posterior.moments(LINE[:, None])
    noise = np.random.default_rng(0).standard_normal((5_000, 2, len(LINE)))
    return (means + np.sqrt(variances) * noise).reshape(-1, len(LINE)) / searcher.targets.factor


def test_mean_and_band_are_those_of_drawn_functions(rows, drawn):
    low, mean, high = (rows.loc[kind, "y"].to_numpy() for kind in ("lower", "mean", "upper"))
    np.testing.assert_allclose(mean, drawn.mean(axis=0), atol=4 * drawn.std(axis=0).max() / 100)
    np.testing.assert_allclose(high - mean, drawn.std(axis=0), atol=0.002)
    np.testing.assert_allclose(mean - low, high - mean)


def test_the_improvement_is_the_expected_one_of_drawn_functions(rows, drawn):
    gains = np.maximum(LOSSES.min() - drawn, 0)
    np.testing.assert_allclose(rows.loc["improvement", "y"], gains.mean(axis=0), atol=4 * gains.std(axis=0).max() / 100)


def test_the_next_trial_stands_on_the_curve(rows):
    u, y = rows.loc["next"]
    assert u == 0.5
    assert y == pytest.approx(np.interp(0.5, LINE, rows.loc["improvement", "y"]), abs=1e-6)

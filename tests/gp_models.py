"""Fixtures of the engine's tests: every kernel, plain and put together; posteriors over them; numeric gradients."""

import numpy as np
import pytest

from bayes_hpo.surrogates.gp.laplace import Laplace
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import Horseshoe, SquaredLog, Uniform
from bayes_hpo.surrogates.gp.stationary import Matern32, Matern52, SquaredExponential

LENGTH = Uniform(0.0, 2.0)
SE, M32, M52 = (kernel(LENGTH) for kernel in (SquaredExponential, Matern32, Matern52))
KERNELS = {
    "squared exponential": SE,
    "matern 3/2": M32,
    "matern 5/2": M52,
    "laplace": Laplace(LENGTH),
    "sum": SE + M32,
    "product": M52 * SE,
    "sum of products": M52 * M32 + SE * M52,
}


@pytest.fixture(params=KERNELS.values(), ids=KERNELS)
def kernel(request):
    """Every kernel, sums and products included."""
    return request.param


@pytest.fixture
def model_of():
    """Function: the model with Spearmint's priors and this kernel, Matern-5/2 unless told."""
    return lambda kernel=M52: Model(kernel, SquaredLog(), Horseshoe(0.1), 1e-3)


@pytest.fixture
def posterior_of(model_of):
    """Function: three samples of a posterior given 25 noisy values of a smooth function of two coordinates."""

    def make(kernel=M52):
        rng = np.random.default_rng(0)
        X = rng.random((25, 2))
        y = np.sin(6 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(25)
        thetas = rng.uniform(0.3, 1.5, (3, len(kernel.parameters(2))))
        return model_of(kernel).posterior(np.hstack([[[0.1, 0.5, 0.01], [0, 2, 0.3], [0.3, 1, 0.02]], thetas]), X, y)

    return make


@pytest.fixture
def smooth_points():
    """Function: points (count, 2) whose coordinates are off every observation's, where the Laplace kernel has kinks."""

    def make(posterior, count, seed):
        points = np.random.default_rng(seed).random((200, 2))
        return points[np.abs(points[:, None] - posterior.X).min(axis=(1, 2)) > 5e-3][:count]

    return make


@pytest.fixture
def numeric():
    """Function: derivatives (k, ...) of a function at x (k,), by differences of the fourth order."""

    def gradient(function, x, step=5e-4):
        def along(e):
            inner, outer = function(x + e) - function(x - e), function(x + 2 * e) - function(x - 2 * e)
            return (8 * inner - outer) / (12 * step)

        return np.array([along(e) for e in step * np.eye(len(x))])

    return gradient


@pytest.fixture
def same_gradients():
    """Function: assert that gradients (..., d) equal numeric ones to 1e-6 of their lengths."""

    def check(analytic, expected):
        assert analytic.shape == expected.shape
        assert (np.linalg.norm(analytic - expected, axis=-1) <= 1e-6 * np.linalg.norm(expected, axis=-1)).all()

    return check

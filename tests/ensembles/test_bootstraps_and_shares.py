"""Laws of agnostic Bayes: shares of the samples in which a model is the best; bootstraps of the validation rows."""

import numpy as np
import pytest
from scipy.stats import f as fisher
from scipy.stats import kstest

from bayes_hpo.ensembles import bootstraps
from bayes_hpo.ensembles.agnostic_bayes import Resampled, StudentT, shares
from bayes_hpo.ensembles.bootstraps import BayesianBootstraps, Bootstraps, in_turn, risks, weights
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
POSTERIORS = [Resampled(Bootstraps(75)), Resampled(BayesianBootstraps(200)), StudentT(200)]


def weights_of(losses, posterior, eligible=None):
    eligible = np.ones(len(losses), dtype=bool) if eligible is None else eligible
    return shares(posterior.samples(losses, SEEDS), eligible)


@pytest.fixture
def losses():
    """Zero-one losses (8, 60) of models of rising error."""
    rng = np.random.default_rng(0)
    return (rng.random((8, 60)) < np.linspace(0.2, 0.4, 8)[:, None]).astype(float)


@pytest.mark.parametrize("posterior", POSTERIORS)
def test_one_model_has_all_weight(posterior, losses):
    np.testing.assert_array_equal(weights_of(losses[:1], posterior), [1.0])


@pytest.mark.parametrize("posterior", POSTERIORS)
def test_weights_sum_to_one_and_prefer_lower_losses(posterior, losses):
    found = weights_of(losses, posterior)
    assert found.sum() == pytest.approx(1)
    assert found.min() >= 0
    assert found.argmax() == losses.mean(axis=1).argmin()
    assert found[losses.mean(axis=1).argmax()] < 0.1


@pytest.mark.parametrize("posterior", POSTERIORS[:2])
@pytest.mark.parametrize("kind", ["zero-one", "values"])
def test_weights_do_not_depend_on_the_order_of_the_models(posterior, losses, kind):
    losses = losses if kind == "zero-one" else losses + np.random.default_rng(1).random(losses.shape)
    order = np.random.default_rng(2).permutation(len(losses))
    np.testing.assert_allclose(weights_of(losses[order], posterior), weights_of(losses, posterior)[order], atol=1e-12)


@pytest.mark.parametrize("posterior", POSTERIORS[:2])
def test_equal_models_share_the_weight_of_one(posterior, losses):
    values = losses + np.random.default_rng(1).random(losses.shape) / 10
    alone = weights_of(values, posterior)
    doubled = weights_of(np.vstack([values, values[0], values[0]]), posterior)
    np.testing.assert_allclose(doubled[[0, 8, 9]], alone[0] / 3, atol=1e-12)
    np.testing.assert_allclose(doubled[1:8], alone[1:], atol=1e-12)


def test_shares_are_those_of_a_count_by_hand():
    drawn = np.array([[0.2, 0.1, 0.3], [0.1, 0.1, 0.3], [0.4, 0.3, 0.1]])
    np.testing.assert_allclose(shares(iter([drawn]), np.ones(3, bool)), [1 / 6, 1 / 2, 1 / 3])
    np.testing.assert_allclose(shares(iter([drawn]), np.array([True, False, True])), [2 / 3, 0, 1 / 3])
    np.testing.assert_allclose(shares(iter(drawn[:, None]), np.ones(3, bool)), [1 / 6, 1 / 2, 1 / 3])


def test_of_two_models_that_differ_on_a_row_the_weight_is_the_chance_that_it_is_drawn():
    """The better one wins where the row is in the bootstrap, and shares where it is not: 1 - (1 - 1/n)^n / 2."""
    losses = np.zeros((2, 10))
    losses[1, 3] = 1
    found = weights_of(losses, Resampled(Bootstraps(20_000)))
    assert found[0] == pytest.approx(1 - 0.9**10 / 2, abs=0.01)


def test_a_bootstrap_draws_as_many_rows_as_there_are_or_a_share():
    for share, size in ((1.0, 40), (0.5, 20)):
        drawn = weights(Bootstraps(6, share), 40, SEEDS)
        assert drawn.shape == (6, 40)
        np.testing.assert_array_equal(drawn.sum(axis=1), size)
        np.testing.assert_array_equal(drawn, np.rint(drawn))
    assert np.ptp(weights(BayesianBootstraps(6), 40, SEEDS).sum(axis=1)) < 1e-12


@pytest.mark.parametrize("kind", [Bootstraps, BayesianBootstraps])
def test_draws_do_not_depend_on_how_they_are_divided_and_the_first_ones_are_those_of_fewer(kind, monkeypatch):
    whole = weights(kind(9), 40, SEEDS)
    monkeypatch.setattr(bootstraps, "HELD", 100)
    np.testing.assert_array_equal(np.vstack(list(in_turn(kind(9), 40, SEEDS))), whole)
    np.testing.assert_array_equal(weights(kind(4), 40, SEEDS), whole[:4])


@pytest.mark.parametrize("kind", [Bootstraps, BayesianBootstraps])
def test_all_rows_are_drawn_equally_often_and_their_weights_have_the_variance_of_the_law(kind):
    """Counts are multinomial with n rows of chance 1/n; of Dirichlet(1, ..., 1) the variance is (n-1) / n^2 (n+1)."""
    n, count = 7, 40_000
    drawn = kind(count).draw(count, n, np.random.default_rng(0))
    mean, variance = (1, 1 - 1 / n) if kind is Bootstraps else (1 / n, (n - 1) / (n**2 * (n + 1)))
    np.testing.assert_allclose(drawn.mean(axis=0), mean, rtol=0.03)
    np.testing.assert_allclose(np.cov(drawn.T), variance * (n * np.eye(n) - 1) / (n - 1), atol=0.04 * variance)


@pytest.mark.parametrize(("share", "n", "size"), [(0.3, 11, 3), (0.5, 7, 4), (0.26, 14, 4), (0.01, 20, 1)])
def test_the_rows_of_a_share_are_rounded_and_one_at_least(share, n, size):
    drawn = weights(Bootstraps(50, share), n, SEEDS)
    np.testing.assert_array_equal(drawn.sum(axis=1), size)
    assert drawn.min() >= 0


@pytest.mark.parametrize("weight", [1.0, 0.25, 1e-9])
def test_risks_under_equal_weights_are_mean_losses(losses, weight):
    np.testing.assert_allclose(risks(np.full((1, 60), weight), losses)[0], losses.mean(axis=1))


def test_risks_are_mean_losses_of_the_rows_drawn_and_the_sum_of_a_draws_weights_does_not_matter(losses):
    rng = np.random.default_rng(0)
    rows, values = rng.integers(60, size=(5, 60)), losses + rng.random(losses.shape)
    drawn = np.array([np.bincount(row, minlength=60) for row in rows])
    expected = [values[:, row].mean(axis=1) for row in rows]
    np.testing.assert_allclose(risks(drawn, values), expected)
    np.testing.assert_allclose(risks(drawn * 10.0 ** np.arange(-2, 3)[:, None], values), expected)


@pytest.mark.parametrize(("t", "n"), [(1, 6), (2, 5), (3, 8)])
@pytest.mark.parametrize("prior", [{}, {"mean": -1.0, "scale": 0.1}])
def test_risks_of_the_t_posterior_have_its_mean_its_covariance_and_its_tails(t, n, prior):
    """Updated row by row, as normal-inverse-Wishart posteriors are: the posterior of a row is the prior of the next."""
    losses, count = np.random.default_rng(t).random((t, n)), 100_000
    losses[0, 0] = 1.0  # the largest, so that the unit is 1
    mean, certainty, freedom = np.full(t, prior.get("mean", 0.5)), 1, t
    scale = prior.get("scale", 0.25) * np.eye(t)
    for row in losses.T:
        scale += certainty / (certainty + 1) * np.outer(row - mean, row - mean)
        mean, certainty, freedom = (certainty * mean + row) / (certainty + 1), certainty + 1, freedom + 1
    freedom += 1 - t  # of the marginal posterior of the mean
    scale_of_t = scale / (certainty * freedom)
    covariance = scale_of_t * freedom / (freedom - 2)
    (samples,) = StudentT(count, **prior).samples(losses, SEEDS)
    assert samples.shape == (count, t)
    assert (np.abs(samples.mean(axis=0) - mean) < 4 * np.sqrt(np.diag(covariance) / count)).all()
    np.testing.assert_allclose(np.cov(samples.T).reshape(t, t), covariance, atol=0.04 * covariance.max())
    distances = ((samples - mean) * np.linalg.solve(scale_of_t, (samples - mean).T).T).sum(axis=1)
    assert kstest(distances / t, fisher(t, freedom).cdf).pvalue > 1e-3


@pytest.mark.parametrize("posterior", POSTERIORS)
@pytest.mark.parametrize("unit", [1e-8, 1e4])
def test_shares_do_not_depend_on_the_unit_of_the_losses(posterior, unit, losses):
    squared = np.random.default_rng(1).standard_normal(losses.shape) ** 2
    for values in (losses, squared):
        np.testing.assert_allclose(weights_of(unit * values, posterior), weights_of(values, posterior), atol=1e-12)
    assert 0 < np.sort(weights_of(squared, posterior))[-1] < 1


def test_the_t_posterior_has_an_answer_where_no_model_errs():
    np.testing.assert_allclose(weights_of(np.zeros((2, 30)), StudentT(20_000)), 0.5, atol=0.02)


def test_many_samples_of_the_posteriors_agree_on_models_far_apart(losses):
    far = np.vstack([np.zeros(60), losses])
    for posterior in POSTERIORS:
        assert weights_of(far, posterior)[0] > 0.95

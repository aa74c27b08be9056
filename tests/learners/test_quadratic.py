"""Laws of the quadratic discriminant analysis: the old formula of its regularisation, for strengths of any size."""

import numpy as np
import pytest

from bayes_hpo.learners.quadratic import Quadratic

RNG = None  # it draws nothing


@pytest.fixture
def rows():
    """X (90, 4), y (90,) of three classes with covariances of their own, and others (200, 4)."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 2, 5], [20, 30, 40])
    shapes = {label: rng.normal(size=(4, 4)) for label in (0, 2, 5)}
    X = np.array([rng.normal(size=4) @ shapes[label] + label / 2 for label in y])
    return X, y, 2 * rng.normal(size=(200, 4))


def _fit(X, y, r):
    return Quadratic().fit({"reg_param": r}, X, y, RNG)


def _by_the_book(X, y, r, others):
    """Scores (n, k) with matrices written out: (1 - r) S + r I, its inverse and its determinant."""
    scores = []
    for label in np.unique(y):
        own = X[y == label]
        covariance = (1 - r) * np.cov(own.T, ddof=1) + r * np.eye(X.shape[1])
        away = others - own.mean(axis=0)
        distances = (away * np.linalg.solve(covariance, away.T).T).sum(axis=1)
        scores.append(np.log(len(own) / len(y)) - (distances + np.linalg.slogdet(covariance)[1]) / 2)
    return np.column_stack(scores)


class OldCovariance:
    """The covariance of the formula, for scikit-learn's analysis: (1 - r) S + r I, divisor n - 1."""

    def __init__(self, r):
        self.r = r

    def fit(self, X):
        self.covariance_ = (1 - self.r) * np.cov(X.T, ddof=1) + self.r * np.eye(X.shape[1])


@pytest.mark.parametrize("r", [1e-3, 0.3, 1.0])
def test_it_is_scikit_learns_analysis_with_the_covariance_of_the_formula(rows, r):
    pytest.importorskip("sklearn", minversion="1.8", reason="covariances are its own before")
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    X, y, others = rows
    theirs = QuadraticDiscriminantAnalysis(solver="eigen", covariance_estimator=OldCovariance(r)).fit(X, y)
    ours = _fit(X, y, r)
    np.testing.assert_allclose(ours.scores(others), theirs.decision_function(others), rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(others), theirs.predict(others))
    assert set(ours.predict(others)) == {0, 2, 5}


@pytest.mark.parametrize("r", [1e-3, 0.5, 1.0, 3.0])
def test_it_is_the_formula_while_no_variance_is_negative(rows, r):
    X, y, others = rows
    X, others = X / 10, others / 10  # small variances: (1 - r) S + r stays positive up to r = 3
    ours = _fit(X, y, r).scores(others)
    assert np.isfinite(ours).all()
    np.testing.assert_allclose(ours, _by_the_book(X, y, r, others), rtol=1e-9)


def test_of_full_strength_the_nearest_mean_wins(rows):
    X, y, others = rows
    X, y = np.concatenate([X[y == label][:20] for label in (0, 2, 5)]), np.repeat([0, 2, 5], 20)
    means = np.array([X[y == label].mean(axis=0) for label in (0, 2, 5)])
    nearest = np.linalg.norm(others[:, None] - means, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(_fit(X, y, 1.0).predict(others), np.array([0, 2, 5])[nearest])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("r", [1.5, 10.0, 1e3])
@pytest.mark.parametrize("wide", [0, 1])
def test_beyond_it_every_row_falls_to_the_first_class_with_a_negative_variance(wide, r):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.repeat([0, 1, 2], 20)
    X[(y == wide) | (y == 2)] *= 100  # variances that r > 1 makes negative; the others' are divided
    X[(y != wide) & (y != 2)] /= 100
    model = _fit(X, y, r)
    assert np.isnan(model.scores(X)[:, [wide, 2]]).all()
    assert np.isfinite(model.scores(X)[:, 1 - wide]).all()
    assert set(model.predict(X)) == {wide}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("r", [1e-3, 0.5, 1.0, 1e3])
def test_a_constant_feature_moves_nothing_but_where_it_has_another_value(rows, r):
    X, y, others = rows

    def with_constant(Z, value):
        return np.column_stack([Z, np.full(len(Z), value)])

    plain, other = _fit(X, y, r).scores(others), _fit(with_constant(X, 7.0), y, r)
    np.testing.assert_allclose(other.scores(with_constant(others, 7.0)), plain - np.log(r) / 2, rtol=1e-9)
    np.testing.assert_allclose(other.scores(with_constant(others, 8.0)), plain - np.log(r) / 2 - 1 / r / 2, rtol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("r", [1e-3, 0.5, 1.0])
def test_with_more_features_than_rows_only_the_span_of_a_class_counts(r):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 20)), np.repeat([0, 1], 6)
    X[y == 1] += 3
    model, others = _fit(X, y, r), rng.normal(size=(50, 20))
    assert [gaussian.axes.shape for gaussian in model.gaussians] == [(20, 6)] * 2
    away = np.linalg.svd(np.column_stack([gaussian.axes for gaussian in model.gaussians]))[0][:, 12:]
    np.testing.assert_allclose(model.scores(others + 9 * away[:, 0]), model.scores(others), rtol=1e-6)
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        ([1, 1, 1, 1], "all training rows are of one class, there is nothing to tell apart"),
        ([1, 1, 1, 4], "class 4 has one training row only, so it has no covariance"),
    ],
)
def test_a_class_without_a_covariance_is_refused_in_a_sentence(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        _fit(np.eye(4), np.array(y), 0.1)


def test_the_formula_has_no_solver_that_could_stop_early(rows):
    X, y, _ = rows
    assert Quadratic().unconverged(_fit(X, y, 0.1)) == 0

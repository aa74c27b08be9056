"""Laws of the forest whose variance is that of its trees' means, and of one-hot choices."""

from types import MappingProxyType

import numpy as np
import pytest
from probable_pools import SPACE

from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.forest import Forest, ForestOfMeans
from bayes_hpo.surrogates.one_hot import OneHot

SETTINGS = {"trees": 10, "features": 5 / 6, "min_split": 3, "min_leaf": 3, "depth": 2**31 - 1, "floor": 1e-10}
X = np.random.default_rng(0).random((80, 4))
Y = X[:, 0] + (X[:, 1] > 0.5)


def _fit(kind, y=Y, **changes):
    return kind(**SETTINGS | changes).fit(X[: len(y)], y, {}, np.random.default_rng(1))


def test_its_variance_is_that_of_the_means_of_the_same_trees():
    means, whole, points = _fit(ForestOfMeans), _fit(Forest), np.random.default_rng(2).random((50, 4))
    by_tree = np.array([tree.predict(points) for tree in means.trees])
    mean, variance = means.moments(points)
    np.testing.assert_array_equal(mean, whole.moments(points)[0])
    np.testing.assert_allclose(variance[0], np.maximum(by_tree.var(axis=0, ddof=1), 1e-10), rtol=1e-9)
    assert (variance <= whole.moments(points)[1]).all()
    assert (variance < whole.moments(points)[1]).any()


def test_five_rows_are_not_split():
    mean, variance = _fit(ForestOfMeans, Y[:5]).moments(X)
    assert np.ptp(mean) == np.ptp(variance) == 0


def test_six_rows_may_be():
    fitted = [ForestOfMeans(**SETTINGS).fit(X[:6], Y[:6], {}, np.random.default_rng(seed)) for seed in range(20)]
    assert any(np.ptp(forest.moments(X)[0]) > 0 for forest in fitted)


class Spy:
    """A surrogate that keeps what it is given."""

    state = MappingProxyType({"kept": np.ones(1)})

    def fit(self, points, targets, memory, rng):
        self.given, self.targets = points, targets
        return self

    def moments(self, points):
        self.asked = points
        return points[None, :, 0], points[None, :, 1]


def test_every_choice_is_a_coordinate_and_numbers_stay():
    spy, points = Spy(), SPACE.impute(SPACE.round_to_grid(SPACE.draw(30, np.random.default_rng(0))))
    fitted = OneHot(spy, SPACE).fit(points, np.arange(30.0), {}, None)
    kinds, shapes = (
        np.array([[c.get(name) or "flat" for c in map(SPACE.decode, points)]]).T for name in ("kind", "shape")
    )
    expected = [kinds == ["a", "b", "c"], points[:, [1]], points[:, [2]], shapes == ["flat", "round"], points[:, [4]]]
    np.testing.assert_array_equal(spy.given, np.hstack(expected).astype(float))
    assert fitted.state is Spy.state
    fitted.moments(points[:4])
    np.testing.assert_array_equal(spy.asked, spy.given[:4])


def test_an_ordered_choice_is_a_number():
    ordered = Space({"kind": {"choices": ["a", "b", "c"], "ordered": True}, "x": {"low": 0, "high": 1}})
    points = ordered.draw(9, np.random.default_rng(0))
    np.testing.assert_array_equal(OneHot(Spy(), ordered).encoded(points), points)


def test_pairs_of_configurations_are_encoded_side_by_side():
    encoding, points = OneHot(Spy(), SPACE), SPACE.draw(12, np.random.default_rng(0))
    pairs = np.hstack([points[:6], points[6:]])
    expected = np.hstack([encoding.encoded(points[:6]), encoding.encoded(points[6:])])
    np.testing.assert_array_equal(encoding.encoded(pairs), expected)


def test_a_forest_over_choices_separates_any_of_them():
    """By the index of a choice no single split tells the middle one from the others."""
    space = Space({"kind": {"choices": list("abc")}, "x": {"low": 0, "high": 1}})
    points = space.round_to_grid(space.draw(90, np.random.default_rng(0)))
    middle = np.array([float(space.decode(point)["kind"] == "b") for point in points])
    stumps = ForestOfMeans(**SETTINGS | {"depth": 1, "features": 1.0})
    predicted = OneHot(stumps, space).fit(points, middle, {}, np.random.default_rng(0)).moments(points)[0][0]
    np.testing.assert_allclose(predicted, middle)
    assert np.abs(stumps.fit(points, middle, {}, np.random.default_rng(0)).moments(points)[0][0] - middle).max() > 0.3


@pytest.mark.parametrize("floor", [1e-10, 0.01])
def test_no_variance_is_below_the_floor(floor):
    assert _fit(ForestOfMeans, np.full(80, 0.3), floor=floor).moments(X)[1].max() == floor

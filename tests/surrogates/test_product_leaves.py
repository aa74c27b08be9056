"""Trees of pairs at all pairs of two sets: what LightGBM itself predicts pair by pair."""

import lightgbm
import numpy as np
import pytest

from bayes_hpo.surrogates.product_leaves import Tree, predict_products, read_trees

RNG = np.random.default_rng(7)
FIRSTS, SECONDS = RNG.random((5, 3)), RNG.random((40, 3)).round(1)
PAIRS = np.array([np.append(first, second) for first in FIRSTS for second in SECONDS])  # (200, 6)
BY_HAND = Tree(splits=[(0, 0.5), (3, 0.2)], children=[(1, ~1), (~0, ~2)], values=np.array([1.0, 2.0, 4.0]))


def _model(targets, **settings):
    fixed = {"num_leaves": 9, "min_data_in_leaf": 2, "verbosity": -1, "num_threads": 1, "learning_rate": 0.3}
    rows = lightgbm.Dataset(PAIRS, targets)
    return lightgbm.train(fixed | settings, rows, 12, keep_training_booster=True)


@pytest.mark.parametrize("settings", [{}, {"num_leaves": 2}, {"max_depth": 2}, {"min_data_in_leaf": 101}])
def test_it_is_the_prediction_of_lightgbm_pair_by_pair(settings):
    """With 101 rows in a leaf there is no split: every tree is one leaf."""
    models = [_model(targets, **settings) for targets in (PAIRS[:, 0] * PAIRS[:, 4], RNG.random(len(PAIRS)))]
    between = predict_products([read_trees(model.model_to_string()) for model in models], FIRSTS, SECONDS)
    for model, values in zip(models, between, strict=True):
        assert values.shape == (5, 40)
        np.testing.assert_allclose(values.ravel(), model.predict(PAIRS), rtol=1e-13, atol=1e-15)


def test_every_tree_of_a_model_is_read():
    model = _model(PAIRS[:, 1] + PAIRS[:, 5])
    trees = read_trees(model.model_to_string())
    assert [len(tree.values) for tree in trees] == [tree["num_leaves"] for tree in model.dump_model()["tree_info"]]
    assert all(len(tree.splits) == len(tree.children) == len(tree.values) - 1 for tree in trees)


def test_a_point_on_a_threshold_goes_left():
    firsts, seconds = np.array([[0.5, 0.0, 0.0], [0.6, 0.0, 0.0]]), np.array([[0.2, 0.0, 0.0], [0.3, 0.0, 0.0]])
    (values,) = predict_products([[BY_HAND]], firsts, seconds)
    np.testing.assert_array_equal(values, [[1, 4], [2, 2]])


def test_trees_add_up():
    (once,), (twice,) = (list(predict_products([[BY_HAND] * k], FIRSTS, SECONDS)) for k in (1, 2))
    np.testing.assert_array_equal(twice, 2 * once)

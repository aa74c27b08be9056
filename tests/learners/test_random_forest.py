"""Laws of the random forest: scikit-learn's, on features scaled by its own training rows, drawn from its generator."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from bayes_hpo.learners.random_forest import RandomForest
from bayes_hpo.repetition import Repetition

CONFIGURATION = {
    "n_estimators": 3,
    "criterion": "entropy",
    "max_depth": 2,
    "min_samples_split": 2,
    "min_samples_leaf": 1,
}
OTHER = {"n_estimators": 9, "criterion": "gini", "max_depth": 7, "min_samples_split": 5, "min_samples_leaf": 3}
TRAIN, OTHERS = np.arange(0, 60, 2), np.arange(1, 60, 2)


def _rng(seed=0):
    return np.random.default_rng(seed)


def _fit(data, seed=0, **changes):
    return RandomForest().fit(CONFIGURATION | changes, data.X[TRAIN], data.y[TRAIN], _rng(seed))


def _votes(model, data):
    return model.predict_proba(data.X[OTHERS])


@pytest.fixture
def repetition(iris, toy_job):
    """Function: repetition `number` of iris with a forest as its learner."""
    job = toy_job(learner={"_target_": "bayes_hpo.learners.random_forest.RandomForest"})
    return lambda number=0: Repetition.of(job, iris, number)


@pytest.mark.parametrize("configuration", [CONFIGURATION, OTHER])
def test_it_is_scikit_learns_forest_on_features_scaled_to_0_and_1(iris, configuration):
    low, high = iris.X[TRAIN].min(axis=0), iris.X[TRAIN].max(axis=0)
    scaled = (iris.X - low) / (high - low)
    theirs = RandomForestClassifier(**configuration, random_state=int(_rng().integers(2**31)))
    theirs.fit(scaled[TRAIN], iris.y[TRAIN])
    np.testing.assert_array_equal(_votes(_fit(iris, **configuration), iris), theirs.predict_proba(scaled[OTHERS]))


def test_the_scale_is_that_of_the_training_rows(iris):
    scaling = _fit(iris)[0]
    np.testing.assert_array_equal(scaling.data_min_, iris.X[TRAIN].min(axis=0))
    np.testing.assert_array_equal(scaling.data_max_, iris.X[TRAIN].max(axis=0))


def test_its_draws_are_those_of_the_generator_and_of_no_global_state(iris):
    np.random.seed(1)
    first = _votes(_fit(iris), iris)
    np.random.seed(2)
    np.testing.assert_array_equal(_votes(_fit(iris), iris), first)
    assert not np.array_equal(_votes(_fit(iris, seed=1), iris), first)


def test_the_same_rows_give_the_same_forest_whenever_they_are_fit(iris, repetition):
    one = repetition()
    first, _ = one.fit(CONFIGURATION, TRAIN)
    one.fit(CONFIGURATION | {"n_estimators": 7}, OTHERS)
    again, _ = repetition().fit(dict(reversed(CONFIGURATION.items())), TRAIN)
    np.testing.assert_array_equal(_votes(first, iris), _votes(again, iris))


def test_another_repetition_and_another_configuration_draw_anew(repetition):
    def draws(number, **changes):
        return repetition(number).fit(CONFIGURATION | changes, TRAIN)[0][-1].random_state

    assert len({draws(0), draws(1), draws(0, max_depth=3)}) == 3


def test_a_forest_has_no_solver_that_could_stop_early(iris):
    assert RandomForest().unconverged(_fit(iris)) == 0


def test_what_no_forest_takes_is_refused(iris):
    with pytest.raises(TypeError, match="depth"):
        _fit(iris, depth=3)

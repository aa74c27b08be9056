"""DivBO's space like AutoGluon's (table 12): ranges are its public ones, and learners have its settings (D26).

The space and the settings are held without the libraries of the extra `boosting`, which only fitting needs.
"""

import numpy as np
import pytest
from lightgbm import LGBMClassifier
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written

RATE = {"low": 0.005, "high": 0.2, "log": True}
ROUNDS = {"low": 100, "high": 1000, "integer": True}
CRITERION = {"choices": ["gini", "entropy"]}
RANGES = {  # algorithm -> hyperparameter -> range (D26)
    "lightgbm": {
        "n_estimators": ROUNDS,
        "learning_rate": RATE,
        "feature_fraction": {"low": 0.75, "high": 1},
        "min_data_in_leaf": {"low": 2, "high": 60, "integer": True},
        "num_leaves": {"low": 16, "high": 96, "integer": True},
    },
    "catboost": {
        "iterations": ROUNDS,
        "learning_rate": RATE,
        "depth": {"low": 5, "high": 8, "integer": True},
        "l2_leaf_reg": {"low": 1, "high": 5},
    },
    "xgboost": {
        "n_estimators": ROUNDS,
        "learning_rate": RATE,
        "max_depth": {"low": 3, "high": 10, "integer": True},
        "min_child_weight": {"low": 1, "high": 5, "integer": True},
        "gamma": {"low": 0, "high": 5},
        "subsample": {"low": 0.5, "high": 1},
        "colsample_bytree": {"low": 0.5, "high": 1},
        "reg_alpha": {"low": 0, "high": 10},
        "reg_lambda": {"low": 0, "high": 10},
    },
    "random_forest": {"criterion": CRITERION},
    "extra_trees": {"criterion": CRITERION},
    "k_nearest_neighbors": {"weights": {"choices": ["uniform", "distance"]}},
}
DEFAULTS = {  # of AutoGluon, which no number of boosting rounds has
    "lightgbm": {"learning_rate": 0.05, "feature_fraction": 1, "min_data_in_leaf": 20, "num_leaves": 31},
    "catboost": {"learning_rate": 0.05, "depth": 6, "l2_leaf_reg": 3},
    "xgboost": {"learning_rate": 0.1, "max_depth": 6, "min_child_weight": 1, "gamma": 0.01, "subsample": 1}
    | {"colsample_bytree": 1, "reg_alpha": 0, "reg_lambda": 1},
    "random_forest": {"criterion": "gini"},
    "extra_trees": {"criterion": "gini"},
    "k_nearest_neighbors": {"weights": "uniform"},
}
OURS = written("space", "divbo_autogluon")["parameters"]
LEARNERS = written("learner", "divbo_autogluon")["learner"]["learners"]


@pytest.mark.parametrize(("algorithm", "name"), [(one, name) for one, ranges in RANGES.items() for name in ranges])
def test_a_range_is_autogluons(algorithm, name):
    ours = dict(OURS[f"{algorithm}_{name}"])
    default = ours.pop("default")
    assert ours == RANGES[algorithm][name] | {"when": {"algorithm": algorithm}}
    assert default == DEFAULTS[algorithm].get(name, default)


def test_the_space_has_the_documents_algorithms_and_no_operators():
    assert OURS["algorithm"] == {"choices": list(RANGES)} == {"choices": list(LEARNERS)}
    assert set(OURS) == {"algorithm", *(f"{one}_{name}" for one, ranges in RANGES.items() for name in ranges)}
    assert written("learner", "divbo_autogluon")["steps"] == {}


@pytest.mark.parametrize(
    ("algorithm", "kind", "expected"),
    [
        ("lightgbm", LGBMClassifier, {"colsample_bytree": 0.8, "min_child_samples": 7, "num_leaves": 16, "n_jobs": 1}),
        ("random_forest", RandomForestClassifier, {"n_estimators": 300, "criterion": "entropy"}),
        ("extra_trees", ExtraTreesClassifier, {"n_estimators": 300, "criterion": "entropy"}),
        ("k_nearest_neighbors", KNeighborsClassifier, {"n_neighbors": 5, "weights": "distance"}),
    ],
)
def test_a_fitted_estimator_has_the_settings_of_the_source(algorithm, kind, expected):
    given = {"feature_fraction": 0.8, "min_data_in_leaf": 7, "num_leaves": 16, "n_estimators": 100}
    given |= {"criterion": "entropy", "weights": "distance"}
    configuration = {name: given[name] for name in RANGES[algorithm] if name in given}
    X, y = load_iris(return_X_y=True)
    model = build(LEARNERS[algorithm], algorithm).fit(configuration, X, y, np.random.default_rng(0)).estimator
    assert type(model) is kind
    assert {name: model.get_params()[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("algorithm", "kind", "threads"),
    [("catboost", "catboost.CatBoostClassifier", "thread_count"), ("xgboost", "xgboost.XGBClassifier", "n_jobs")],
)
def test_the_learners_of_the_extra_have_one_thread_and_the_names_of_their_library(algorithm, kind, threads):
    assert LEARNERS[algorithm]["kind"] == kind
    assert LEARNERS[algorithm]["settings"][threads] == 1
    assert "arguments" not in LEARNERS[algorithm]

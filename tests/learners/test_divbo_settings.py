"""What DivBO's learners (conf/learner/divbo.yaml) hand their library: tables 6 and 7 with D4 to D11 and D30, by hand.

Each row is held against the estimator that was fitted, so a setting that is written and not handed on counts as absent.
"""

import numpy as np
import pytest
from lightgbm import LGBMClassifier
from sklearn.cluster import FeatureAgglomeration
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA, FastICA, KernelPCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomTreesEmbedding,
)
from sklearn.feature_selection import GenericUnivariateSelect, SelectFromModel, SelectPercentile
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler, Normalizer, QuantileTransformer, RobustScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.learners.pipeline import Choice

NODE = written("learner", "divbo")
SPACE = build(written("space", "divbo"), "space")
ROOTS = {"algorithm": NODE["learner"]["learners"], **NODE["steps"]}
OPTIONS = {name: node for options in ROOTS.values() for name, node in options.items() if node}
AUTO, MANUAL = {"shrinkage": "auto"}, {"shrinkage": "manual", "shrinkage_factor": 0.3}
L1, WHITE = {"penalty": "l1"}, {"whiten": "arbitrary-variance", "n_components": 10}
CUT = 13  # features of wine; 3 is their square root, rounded down
# source, option, hyperparameters that are not at their defaults, class, arguments
HANDED = [
    ("3.1, a tree", "adaboost", {"max_depth": 4}, AdaBoostClassifier, {"estimator__max_depth": 4, "n_estimators": 50}),
    ("3.1", "random_forest", {}, RandomForestClassifier,
     {"n_estimators": 100, "max_depth": None, "bootstrap": True, "max_features": 3}),
    ("3.1", "extra_trees", {}, ExtraTreesClassifier,
     {"n_estimators": 512, "max_depth": None, "bootstrap": False, "max_features": 3}),
    ("3.1, deviance", "gradient_boosting", {}, GradientBoostingClassifier, {"n_estimators": 100, "loss": "log_loss"}),
    ("D6", "k_nearest_neighbors", {"weights": "distance"}, KNeighborsClassifier, {"p": 2, "weights": "distance"}),
    ("3.1", "lda", {}, LinearDiscriminantAnalysis, {"solver": "svd", "shrinkage": None}),
    ("3.1", "lda", AUTO, LinearDiscriminantAnalysis, {"solver": "lsqr", "shrinkage": "auto"}),
    ("3.1", "lda", MANUAL, LinearDiscriminantAnalysis, {"solver": "lsqr", "shrinkage": 0.3}),
    ("D30", "lda", {"n_components": 250}, LinearDiscriminantAnalysis, {"n_components": 2}),
    ("D7", "qda", {"reg_param": 0.4}, QuadraticDiscriminantAnalysis, {"reg_param": 0.4}),
    ("D30", "logistic_regression", {}, LogisticRegression, {"max_iter": 3000, "l1_ratio": 0.0, "solver": "liblinear"}),
    ("D30", "logistic_regression", L1, LogisticRegression, {"max_iter": 3000, "l1_ratio": 1.0, "solver": "liblinear"}),
    ("3.1", "liblinear_svc", {}, LinearSVC, {"intercept_scaling": 1, "multi_class": "ovr", "dual": True}),
    ("3.1", "libsvm_svc", {"kernel": "poly"}, SVC, {"max_iter": 10000, "kernel": "poly", "degree": 3}),
    ("3.1", "lightgbm", {}, LGBMClassifier, {"max_depth": 15, "subsample_freq": 0, "boosting_type": "gbdt"}),
    ("3.2", "minmax", {}, MinMaxScaler, {"feature_range": (0, 1)}),
    ("3.2, row-wise l2", "normalizer", {}, Normalizer, {"norm": "l2"}),
    ("3.2", "quantile", {"output_distribution": "normal"}, QuantileTransformer, {"output_distribution": "normal"}),
    ("D9", "robust", {"q_min": 0.125, "q_max": 0.75}, RobustScaler, {"quantile_range": (12.5, 75.0)}),
    ("3.2", "standard", {}, StandardScaler, {"with_mean": True, "with_std": True}),
    ("3.3", "fast_ica", {}, FastICA, {"whiten": False, "algorithm": "parallel", "fun": "logcosh"}),
    ("D30", "fast_ica", WHITE, FastICA, {"whiten": "arbitrary-variance", "n_components": 10}),
    ("D30, cut to p", "feature_agglomeration", {"affinity": "cosine", "linkage": "average"}, FeatureAgglomeration,
     {"metric": "cosine", "linkage": "average", "n_clusters": CUT, "pooling_func": np.mean}),
    ("3.3", "kernel_pca", {}, KernelPCA, {"remove_zero_eig": True, "kernel": "rbf", "n_components": 100}),
    ("3.3", "kernel_pca", {"kernel": "cosine"}, KernelPCA, {"remove_zero_eig": True, "gamma": None}),
    ("3.3", "kitchen_sinks", {}, RBFSampler, {"gamma": 1.0, "n_components": 100}),
    ("D10", "lda_decomposer", {}, LinearDiscriminantAnalysis, {"solver": "svd", "shrinkage": None}),
    ("D10", "lda_decomposer", AUTO, LinearDiscriminantAnalysis, {"solver": "eigen", "shrinkage": "auto"}),
    ("3.3", "nystroem", {}, Nystroem, {"kernel": "rbf", "n_components": 100, "gamma": 0.1}),
    ("3.3", "pca", {"keep_variance": 0.8}, PCA, {"n_components": 0.8, "whiten": False}),
    ("3.3", "random_trees_embedding", {}, RandomTreesEmbedding, {"n_estimators": 10, "max_depth": 5}),
    ("3.3, cut to p - 1", "svd", {}, TruncatedSVD, {"n_components": CUT - 1}),
    ("3.3", "select_percentile", {"score_func": "f_classif"}, SelectPercentile, {"percentile": 50}),
    ("3.3", "generic_univariate", {"score_func": "f_classif", "mode": "fdr"}, GenericUnivariateSelect,
     {"param": 0.1, "mode": "fdr"}),
    ("3.3", "extra_trees_selector", {}, ExtraTreesClassifier,
     {"n_estimators": 100, "bootstrap": False, "max_features": 3}),
    ("D11", "linear_svm_selector", {}, LinearSVC, {"penalty": "l1", "loss": "squared_hinge", "dual": False}),
]  # fmt: skip


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def trained(option, changes, X, y):
    """The model of an option in its default configuration with changes."""
    (root,) = [root for root, options in ROOTS.items() if option in options]
    chosen = {root: option} | {f"{option}_{name}": value for name, value in changes.items()}
    _, arguments, _ = Choice(root, ROOTS[root]).split(SPACE.fix(chosen).default())
    return build(OPTIONS[option], option).fit(arguments, X, y, np.random.default_rng(1))


def fitted(option, changes, X, y):
    """The library's estimator in the same."""
    return trained(option, changes, X, y).estimator


def inner(estimator):
    """The estimator in one that makes a selector or a classifier of more classes of it."""
    wrapped = isinstance(estimator, OneVsRestClassifier | SelectFromModel)
    return estimator.estimator if wrapped else estimator


@pytest.mark.parametrize(
    ("option", "changes", "kind", "expected"),
    [pytest.param(*row[1:], id=f"{row[0]} {row[1]} {','.join(map(str, row[2].values()))}") for row in HANDED],
)
def test_a_fitted_estimator_has_the_arguments_of_the_source(wine, option, changes, kind, expected):
    estimator = inner(fitted(option, changes, *wine))
    assert type(estimator) is kind
    handed = estimator.get_params()
    for name, value in expected.items():
        assert handed[name] == (pytest.approx(value) if isinstance(value, float) else value), name
    assert handed.get("n_jobs") in (None, 1)  # D4
    assert isinstance(handed.get("random_state", 0), int)


def test_every_option_is_transcribed_but_the_products_which_have_a_test_of_their_own():
    assert set(OPTIONS) - {option for _, option, *_ in HANDED} == {"polynomial"}


@pytest.mark.parametrize("option", ["lda", "qda", "logistic_regression"])
def test_more_classes_are_one_against_the_rest_for_logistic_regression_alone(wine, option):  # D30
    assert isinstance(fitted(option, {}, *wine), OneVsRestClassifier) == (option == "logistic_regression")


@pytest.mark.parametrize("option", ["extra_trees_selector", "linear_svm_selector"])
def test_selectors_keep_what_is_at_least_the_mean(wine, option):
    assert fitted(option, {}, *wine).threshold == "mean"


def test_missing_values_are_replaced_by_medians_before_all_else():  # D3
    (first,) = NODE["first"]
    rows = np.array([[1.0, np.nan], [2.0, np.nan], [9.0, np.nan]])
    imputer = build(first, "first").fit({}, rows, None, np.random.default_rng(0))
    assert type(imputer.estimator) is SimpleImputer
    np.testing.assert_array_equal(imputer.transform(np.array([[np.nan, np.nan]])), [[2.0, 0.0]])


@pytest.mark.parametrize("degree", [2, 3])
def test_kernel_pca_leaves_out_the_axes_without_variance(wine, degree):
    """A polynomial of degree 2 in two features has five terms but the constant one, of degree 3 nine."""
    X, y = wine[0][:60, :2], wine[1][:60]
    changes = {"kernel": "poly", "n_components": 50, "degree": degree, "coef0": 1.0}
    estimator = fitted("kernel_pca", changes, X, y)
    assert estimator.transform(X).shape[1] == {2: 5, 3: 9}[degree]
    assert estimator.eigenvalues_.min() > 0


CHI2 = [(option, name, value) for option, name in
        [("nystroem", "kernel"), ("select_percentile", "score_func"), ("generic_univariate", "score_func")]
        for value in SPACE.parameters[f"{option}_{name}"].values]  # fmt: skip


@pytest.mark.parametrize(("option", "name", "value"), CHI2)
def test_negative_entries_count_as_zero_for_chi2_and_for_nothing_else(wine, option, name, value):
    """In training and in use: then, and only then, it does the same with rows whose negative entries are zero."""
    (X, y), changes = wine, {name: value}
    zero = np.maximum(X, 0)
    made, expected = (trained(option, changes, rows, y).transform(rows) for rows in (X, zero))
    assert np.array_equal(made, expected) == (value == "chi2")

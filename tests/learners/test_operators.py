"""DivBO's operators and classifiers, each against a slow obvious formula or scikit-learn's own."""

import numpy as np
import pytest
from lightgbm import LGBMClassifier
from sklearn.cluster import FeatureAgglomeration
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import KernelPCA
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, RandomTreesEmbedding
from sklearn.feature_selection import chi2, f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.errors import UserError
from bayes_hpo.learners.bounded import Bounded
from bayes_hpo.learners.probabilities import probabilities

NODE = written("learner", "divbo")
SEED = 3


def rng():
    return np.random.default_rng(SEED)


def first_seed():
    return int(rng().integers(2**31))


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X[:400] - 8, y[:400]
    return X[:, np.maximum(X, 0).std(axis=0) > 1][:, :24], y


def operator(name):
    (step,) = [options for options in NODE["steps"].values() if name in options]
    return build(step[name], name)


def algorithm(name):
    return build(NODE["learner"]["learners"][name], name)


def transformed(name, configuration, X, y):
    return operator(name).fit(configuration, X, y, rng()).transform(X)


def test_robust_scales_by_the_quantiles(cancer):
    X, y = cancer
    low, middle, high = np.quantile(X, [0.1, 0.5, 0.8], axis=0)
    scaled = transformed("robust", {"q_min": 0.1, "q_max": 0.8}, X, y)
    np.testing.assert_allclose(scaled, (X - middle) / (high - low), atol=1e-9)


@pytest.mark.parametrize("pooling", ["mean", "median", "max"])
@pytest.mark.parametrize("clusters", [5, 400])
def test_agglomerated_features_are_pools_of_their_clusters(cancer, pooling, clusters):
    X, y = cancer
    how = {"n_clusters": clusters, "affinity": "manhattan", "linkage": "average", "pooling_func": pooling}
    n = min(clusters, X.shape[1])
    labels = FeatureAgglomeration(n_clusters=n, metric="manhattan", linkage="average").fit(X).labels_
    pools = np.column_stack([getattr(np, pooling)(X[:, labels == label], axis=1) for label in range(n)])
    np.testing.assert_allclose(transformed("feature_agglomeration", how, X, y), pools)


def test_kernel_pca_is_fitted_to_a_draw_of_the_rows(cancer):
    X, y = cancer
    how = {"n_components": 10, "kernel": "rbf", "gamma": 0.01}
    fitted = build(NODE["steps"]["preprocessor"]["kernel_pca"] | {"most_rows": 80}, "kernel_pca").fit(how, X, y, rng())
    rows = fitted.estimator.X_fit_
    assert len(rows) == 80
    assert len(np.unique(rows, axis=0)) == 80
    assert {row.tobytes() for row in rows} <= {row.tobytes() for row in X}
    witness = KernelPCA(**how, remove_zero_eig=True).fit(rows)
    np.testing.assert_allclose(np.abs(fitted.transform(X)), np.abs(witness.transform(X)), atol=1e-8)
    assert len(operator("kernel_pca").fit(how, X, y, rng()).estimator.X_fit_) == len(X)  # fewer than 5000


def test_nystroem_clips_negative_entries_for_chi2_alone(digits):
    X, y = digits
    how = {"kernel": "chi2", "n_components": 50, "gamma": 0.1}
    np.testing.assert_array_equal(
        transformed("nystroem", how, X, y), transformed("nystroem", how, np.where(X < 0, 0, X), y)
    )
    how["kernel"] = "rbf"
    assert not np.allclose(transformed("nystroem", how, X, y), transformed("nystroem", how, np.maximum(X, 0), y))
    assert transformed("nystroem", how | {"n_components": 5000}, X, y).shape == (400, 400)  # cut to n


@pytest.mark.parametrize("name", ["chi2", "f_classif", "mutual_info"])
def test_percentile_keeps_the_columns_of_the_highest_statistics(digits, name):
    X, y = digits
    counted = np.maximum(X, 0) if name == "chi2" else X  # negative entries count as zero
    statistic = {"chi2": chi2, "f_classif": f_classif, "mutual_info": mutual_info_classif}[name]
    given = statistic(X, y, random_state=0) if name == "mutual_info" else statistic(counted, y)[0]
    best = np.sort(np.argsort(given)[-len(given) // 4 :])  # 24 columns, of which six
    np.testing.assert_array_equal(
        transformed("select_percentile", {"percentile": 25.0, "score_func": name}, X, y), counted[:, best]
    )


@pytest.mark.parametrize(("mode", "factor"), [("fpr", 1), ("fwe", 1 / 30)])
def test_univariate_keeps_the_columns_of_small_p_values(cancer, mode, factor):
    X, y = cancer
    how = {"alpha": 0.01, "score_func": "f_classif", "mode": mode}
    kept = f_classif(X, y)[1] < 0.01 * factor
    assert 0 < kept.sum() < 30
    np.testing.assert_array_equal(transformed("generic_univariate", how, X, y), X[:, kept])


def test_the_selector_of_extra_trees_keeps_what_is_as_important_as_the_mean(cancer):
    X, y = cancer
    how = {"criterion": "gini", "min_samples_split": 4, "min_samples_leaf": 2, "bootstrap": False}
    trees = ExtraTreesClassifier(100, **how, max_features=int(30**0.7), random_state=first_seed()).fit(X, y)
    kept = trees.feature_importances_ >= trees.feature_importances_.mean()
    np.testing.assert_array_equal(transformed("extra_trees_selector", how | {"max_features": 0.7}, X, y), X[:, kept])


def test_the_selector_of_the_linear_svm_keeps_coefficients_of_at_least_the_mean_size(digits):
    X, y = digits
    machine = LinearSVC(penalty="l1", dual=False, C=0.1, tol=1e-3, random_state=first_seed()).fit(X, y)
    sizes = np.abs(machine.coef_).sum(axis=0)
    np.testing.assert_array_equal(
        transformed("linear_svm_selector", {"C": 0.1, "tol": 1e-3}, X, y), X[:, sizes >= sizes.mean()]
    )


@pytest.mark.parametrize(("rows", "depth"), [(400, 8), (5000, 8), (5001, 6)])
def test_the_trees_of_the_embedding_are_cut_for_many_rows(digits, rows, depth):
    X, y = (np.resize(array, (rows, *array.shape[1:])) for array in digits)
    how = {"n_estimators": 10, "max_depth": 8, "min_samples_split": 2, "min_samples_leaf": 1}
    witness = RandomTreesEmbedding(**how | {"max_depth": depth}, sparse_output=False, random_state=first_seed()).fit(X)
    for bootstrap in (True, False):
        embedded = transformed("random_trees_embedding", how | {"bootstrap": bootstrap}, X, y)
        np.testing.assert_array_equal(embedded, witness.transform(X))


@pytest.mark.parametrize(("degree", "interaction_only"), [(2, False), (2, True), (3, False), (3, True)])
def test_polynomial_appends_the_products_of_the_most_important_columns(cancer, degree, interaction_only):
    X, y = cancer
    fitted = operator("polynomial").fit({"degree": degree, "interaction_only": interaction_only}, X, y, rng())
    m = {2: 25, 3: 10}[degree]
    ranking = LGBMClassifier(n_jobs=1, verbose=-1, random_state=first_seed()).fit(X, y).feature_importances_
    assert fitted.chosen.tolist() == sorted(np.argsort(-ranking, kind="stable")[:m])
    products = []
    for i in range(m):
        for j in range(i + interaction_only, m):
            products.append((i, j))
            if degree == 3:
                products += [(i, j, k) for k in range(j + interaction_only, m)]
    expected = {tuple(np.round(X[:50, fitted.chosen[list(p)]].prod(axis=1), 8)) for p in products}
    made = fitted.transform(X[:50])
    np.testing.assert_array_equal(made[:, :30], X[:50])
    assert made.shape[1] == 30 + len(products)
    assert {tuple(column) for column in np.round(made[:, 30:].T, 8)} == expected


def test_truncated_svd_and_discriminants_are_cut_to_what_there_is(digits):
    X, y = digits
    assert transformed("svd", {"target_dim": 256}, X, y).shape[1] == X.shape[1] - 1
    model = algorithm("lda").fit({"shrinkage": "none", "n_components": 250, "tol": 1e-4}, X, y, rng())
    assert model.estimator.n_components == 9  # ten classes
    with pytest.raises(UserError, match=r"^most=rows is not one of features, features - 1, discriminants$"):
        Bounded(FeatureAgglomeration, most={"n_clusters": "rows"})


def test_samme_boosts_trees_of_the_given_depth(cancer):
    X, y = cancer
    how = {"n_estimators": 50, "learning_rate": 0.3}
    tree = DecisionTreeClassifier(max_depth=4)
    witness = AdaBoostClassifier(tree, **how, random_state=first_seed()).fit(X, y)
    model = algorithm("adaboost").fit(how | {"max_depth": 4}, X, y, rng())
    np.testing.assert_array_equal(model.predict_proba(X), witness.predict_proba(X))


@pytest.mark.parametrize(("exponent", "tried"), [(0.0, 1), (0.5, 5), (0.7, 10), (1.0, 30)])
@pytest.mark.parametrize("name", ["random_forest", "extra_trees"])
def test_trees_try_a_power_of_the_number_of_features(cancer, name, exponent, tried):
    X, y = cancer
    how = {"max_features": exponent, "criterion": "gini", "min_samples_leaf": 5}
    model = algorithm(name).fit(how, X[:60], y[:60], rng()).estimator
    assert (model.max_features, model.n_estimators) == (tried, {"random_forest": 100, "extra_trees": 512}[name])


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_logistic_regression_is_one_vs_rest(digits, penalty):
    X, y = digits
    how = {"C": 0.5, "tol": 1e-4, "penalty": penalty, "solver": "liblinear"}
    p = algorithm("logistic_regression").fit(how, X, y, rng()).predict_proba(X)
    ratio = float(penalty == "l1")
    plain = LogisticRegression(C=0.5, l1_ratio=ratio, solver="liblinear", max_iter=3000, random_state=first_seed())
    odds = np.column_stack([plain.fit(X, y == label).predict_proba(X)[:, 1] for label in range(10)])
    np.testing.assert_allclose(p, odds / odds.sum(axis=1, keepdims=True), atol=1e-6)


def test_probabilities_of_two_classes_are_the_logistic_of_the_decision_values(cancer):
    X, y = cancer
    how = {"C": 2.0, "kernel": "rbf", "gamma": 0.05, "shrinking": True, "tol": 1e-3}
    p = algorithm("libsvm_svc").fit(how, X, y, rng()).predict_proba(X)
    d = SVC(**how, max_iter=10000).fit(X, y).decision_function(X)
    np.testing.assert_allclose(p[:, 1], 1 / (1 + np.exp(-d)), rtol=1e-6)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(probabilities(np.array([1e6, 20.0, -1e6]))[:, 1], 1 / (1 + np.exp([-20, -20, 20])))


def test_probabilities_of_more_classes_are_the_softmax_of_the_decision_values(digits):
    X, y = digits
    how = {"C": 0.01, "penalty": "l2", "loss": "squared_hinge", "dual": False, "tol": 1e-3}
    model = algorithm("liblinear_svc").fit(how, X, y, rng())
    d = model.estimator.decision_function(X)
    np.testing.assert_allclose(model.predict_proba(X), np.exp(d) / np.exp(d).sum(axis=1, keepdims=True), rtol=1e-9)
    np.testing.assert_array_equal(model.predict_proba(X).argmax(axis=1), model.predict(X))

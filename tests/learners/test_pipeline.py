"""Laws of pipelines from YAML: each step takes its own hyperparameters, and learns from training rows alone."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from omegaconf import OmegaConf
from sklearn.cluster import FeatureAgglomeration
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVR, LinearSVC

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.learners.estimator import Estimator
from bayes_hpo.learners.pipeline import Pipeline

NODE = OmegaConf.to_container(OmegaConf.load(Path(__file__).parents[1] / "spaces/divbo.yaml"))
PLAIN = {"rescaler": "empty", "preprocessor": "empty", "balancer": "empty"}
NEIGHBOURS = {"algorithm": "k_nearest_neighbors", "k_nearest_neighbors_n_neighbors": 3}
TRAIN, OTHERS = np.arange(0, 60, 2), np.arange(1, 60, 2)


@pytest.fixture(scope="module")
def learner():
    """The learner of tests/spaces/divbo.yaml."""
    return build(NODE["learner"], "learner")


def _fit(learner, data, **configuration):
    return learner.fit(PLAIN | configuration, data.X[TRAIN], data.y[TRAIN], np.random.default_rng(0))


@pytest.mark.filterwarnings("error")
def test_every_configuration_of_its_space_is_trained(iris, learner):
    space, rng = build(NODE["space"], "space"), np.random.default_rng(0)
    chosen, errors = set(), []
    for _ in range(120):
        configuration = space.sample(rng)
        configuration |= {key: min(20, value) for key, value in configuration.items() if key.endswith("n_neighbors")}
        chosen |= {(name, configuration[name]) for name in ("algorithm", "rescaler", "preprocessor")}
        fitted = _fit(learner, iris, **configuration)
        errors.append((fitted.predict(iris.X[OTHERS]) != iris.y[OTHERS]).mean())
        assert learner.unconverged(fitted) in (0, 1)
    assert len(chosen) == 5 + 4 + 5
    assert np.median(errors) < 0.2


def test_a_pipeline_is_its_steps_by_hand(iris, learner):
    fitted = _fit(learner, iris, **NEIGHBOURS, rescaler="minmax", preprocessor="pca", pca_whiten=True)
    seed = int(np.random.default_rng(0).integers(2**31))
    pca = PCA(whiten=True, random_state=seed).fit(iris.X[TRAIN])
    scaler = MinMaxScaler().fit(pca.transform(iris.X[TRAIN]))
    model = KNeighborsClassifier(3).fit(scaler.transform(pca.transform(iris.X[TRAIN])), iris.y[TRAIN])
    others = scaler.transform(pca.transform(iris.X[OTHERS]))
    np.testing.assert_array_equal(fitted.predict(iris.X[OTHERS]), model.predict(others))
    np.testing.assert_array_equal(fitted.predict_proba(iris.X[OTHERS]), model.predict_proba(others))


def test_without_steps_a_pipeline_is_its_learner(iris, learner):
    fitted = _fit(learner, iris, **NEIGHBOURS)
    assert fitted.transformers == ()
    alone = KNeighborsClassifier(3).fit(iris.X[TRAIN], iris.y[TRAIN])
    np.testing.assert_array_equal(fitted.predict_proba(iris.X[OTHERS]), alone.predict_proba(iris.X[OTHERS]))


def test_a_name_that_begins_another_one_takes_nothing_of_it(iris, learner):
    discriminant = {"algorithm": "lda", "lda_shrinkage": "manual", "lda_shrinkage_factor": 0.3, "lda_tol": 1e-3}
    fitted = _fit(learner, iris, **discriminant, preprocessor="lda_decomposer", lda_decomposer_shrinkage="auto")
    (decomposer,), estimator = fitted.transformers, fitted.model.model.estimator
    assert (decomposer.estimator.solver, decomposer.estimator.shrinkage) == ("eigen", "auto")
    assert (estimator.solver, estimator.shrinkage, estimator.tol) == ("lsqr", 0.3, 1e-3)


def test_a_choice_among_longer_names_belongs_to_the_longest():
    both = {"svm": Estimator(LinearSVC), "svm_selector": Estimator(LinearSVC)}
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    for name, expected in (("svm", 2.0), ("svm_selector", 3.0)):
        configuration = {"kind": name, "svm_C": 2.0, "svm_selector_C": 3.0}
        fitted = _table(both).fit(configuration, X, y, np.random.default_rng(0))
        assert fitted.model.estimator.get_params()["C"] == expected


def _table(learners):
    return build({"_target_": "bayes_hpo.learners.cash.Cash", "root": "kind", "learners": learners}, "learner")


def test_a_hyperparameter_that_all_learners_share_reaches_the_chosen_one(iris, learner):
    weights = [
        _fit(learner, iris, algorithm="libsvm_svc", balancer=balancer).model.model.estimator.class_weight
        for balancer in ("empty", "weights")
    ]
    assert weights == [None, "balanced"]


def test_an_argument_of_another_name(iris, learner):
    names = {"feature_agglomeration_affinity": "cosine", "feature_agglomeration_linkage": "average"}
    fitted = _fit(learner, iris, **NEIGHBOURS, preprocessor="feature_agglomeration", **names)
    estimator = fitted.transformers[0].estimator
    assert type(estimator) is FeatureAgglomeration
    assert (estimator.metric, estimator.linkage) == ("cosine", "average")


def test_an_unknown_choice_of_a_step_is_refused_with_those_there_are(iris, learner):
    with pytest.raises(UserError, match="rescaler=log is not one of empty, minmax, quantile, robust"):
        _fit(learner, iris, **NEIGHBOURS, rescaler="log")


def test_steps_before_a_learner_without_a_choice(iris):
    steps = {"rescaler": {"minmax": Estimator(MinMaxScaler)}}
    configuration = {"rescaler": "minmax", "C": 5.0, "epsilon": 0.01}
    fitted = Pipeline(steps, Estimator(SVR)).fit(configuration, iris.X, iris.X[:, 0], np.random.default_rng(0))
    assert np.abs(fitted.predict(iris.X) - iris.X[:, 0]).max() < 0.2


def test_every_new_learner_is_an_entry(iris):
    table = {"mine": {"_target_": "bayes_hpo.learners.estimator.Estimator", "kind": "sklearn.linear_model.Perceptron"}}
    configuration = {"kind": "mine", "mine_max_iter": 7}
    fitted = _table(table).fit(configuration, iris.X, iris.y, np.random.default_rng(0))
    assert fitted.model.estimator.max_iter == 7


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["svr", "gbr", "rfr", "svm", "gbc", "rfc"])
def test_a_space_of_esmbo_has_learners_of_regression_and_classification(iris, name):
    node = OmegaConf.to_container(OmegaConf.load(Path(__file__).parents[1] / "spaces/esmbo.yaml"))
    learner, arm = build(node["learner"], "learner"), build(node["space"], "space").arm(name)
    target, rng = (iris.X[:, 0] if name.endswith("r") else iris.y), np.random.default_rng(0)
    for _ in range(10):
        configuration = arm.sample(rng)
        fitted = learner.fit(configuration, iris.X[TRAIN], target[TRAIN], np.random.default_rng(1))
        predicted = fitted.predict(iris.X[OTHERS])
        assert predicted.dtype == target.dtype
        again = learner.fit(configuration, iris.X[TRAIN], target[TRAIN], np.random.default_rng(1))
        np.testing.assert_array_equal(again.predict(iris.X[OTHERS]), predicted)


def test_the_example_of_a_learner_in_the_documentation_learns(iris):
    text = Path("docs/adding.md").read_text().partition("## A learner")[2]
    block = re.search(r"^    learner:\n(?:     .*\n)+", text, re.MULTILINE)[0]
    learners = yaml.safe_load(block)["learner"]["learners"]
    for shape, ratio in (("ridge", 0.0), ("lasso", 1.0)):
        configuration = {"kind": "logistic", "logistic_strength": 10.0, "logistic_shape": shape}
        fitted = _table(learners).fit(configuration, iris.X, iris.y, np.random.default_rng(0))
        estimator = fitted.model.estimator
        assert (estimator.C, estimator.l1_ratio, estimator.max_iter) == (10.0, ratio, 3000)
        assert (fitted.predict(iris.X) != iris.y).mean() < 0.1

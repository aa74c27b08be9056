"""Laws of the nine learners of table 5.1: each learns, draws from its generator alone, and fails in one sentence."""

import re
import textwrap
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from chapter_5 import cash
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.learners.adaboost import BoostedStumps
from bayes_hpo.learners.quadratic import Gaussians
from bayes_hpo.learners.rbf_svm import RbfSvm
from bayes_hpo.pool import FAILED, FINISHED, Proposal
from bayes_hpo.repetition import Repetition

CASH = cash(linsvm={"settings": {"dual": True}})
GOOD = {  # a configuration of each learner that suits iris
    "knn": {"knn_n_neighbors": 3},
    "svm": {"svm_C": 10.0, "svm_tau": 0.5},
    "linsvm": {"linsvm_C": 0.3},
    "dt": {"dt_max_depth": 5, "dt_min_samples_split": 3, "dt_min_samples_leaf": 2},
    "rf": {"rf_n_estimators": 7, "rf_max_depth": 5, "rf_min_samples_split": 3, "rf_min_samples_leaf": 2},
    "adab": {"adab_n_estimators": 20},
    "gnb": {},
    "lda": {},
    "qda": {"qda_reg_param": 0.01},
}
KINDS = {  # D5.8; svm, adab and qda are of our own
    "knn": KNeighborsClassifier,
    "linsvm": LinearSVC,
    "dt": DecisionTreeClassifier,
    "rf": RandomForestClassifier,
    "gnb": GaussianNB,
    "lda": LinearDiscriminantAnalysis,
}
DRAW = {"rf"}  # those of which another seed makes another model of iris

each_learner = pytest.mark.parametrize("learner", GOOD)


def _configuration(learner, **changes):
    return {"learner": learner} | GOOD[learner] | changes


def _fit(learner, X, y, seed=0, **changes):
    return CASH.fit(_configuration(learner, **changes), X, y, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def space():
    """The space of table 5.1."""
    return build(configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]["cash"], "space")


@pytest.fixture
def evaluated(grid_of, toy_job):
    """Function: the trial of a configuration on data, under five folds."""
    learner = deepcopy(grid_of("conditional").job("kfold", "random")["learner"])
    learner["learners"]["svm"]["max_iter"] = 1000
    job = toy_job(protocol="kfold", learner=learner, test_percent=20)
    return lambda configuration, data: Evaluation(Repetition.of(job, data, 0))(Proposal(configuration, 0))


def test_the_learners_and_their_hyperparameters_are_those_of_the_space(space):
    assert list(CASH.learners) == space.parameters["learner"].choices
    space.encode([_configuration(learner) for learner in GOOD])  # raises when one lacks or has another hyperparameter


@each_learner
@pytest.mark.filterwarnings("error")
def test_a_learner_learns(iris, capfd, learner):
    train, others = np.arange(0, 60, 2), np.arange(1, 60, 2)
    chosen = _fit(learner, iris.X[train], iris.y[train] + 3)
    labels = chosen.predict(iris.X[others])
    assert labels.shape == (30,)
    assert (labels != iris.y[others] + 3).mean() < 0.2
    assert CASH.unconverged(chosen) == 0
    assert capfd.readouterr() == ("", "")


@each_learner
def test_what_it_draws_is_of_its_generator_and_of_no_global_state(iris, learner):
    X, y = np.tile(iris.X[:, :2], (2, 1)), np.tile(iris.y, 2)
    X += np.random.default_rng(0).normal(size=X.shape)
    np.random.seed(1)
    first = _fit(learner, X, y).predict(X)
    np.random.seed(2)
    np.testing.assert_array_equal(_fit(learner, X, y).predict(X), first)
    assert (not np.array_equal(_fit(learner, X, y, seed=1).predict(X), first)) == (learner in DRAW)


@pytest.mark.parametrize("name", [name for learner in KINDS for name in GOOD[learner]])
def test_a_hyperparameter_reaches_its_estimator(iris, name):
    learner, own = name.split("_", 1)
    for value in (4, 5):
        model = _fit(learner, iris.X, iris.y, **{name: value}).model.estimator
        assert model.get_params()[own] == value


@pytest.mark.parametrize(("learner", "kind"), KINDS.items())
def test_a_learner_is_the_estimator_of_its_name_with_defaults_where_nothing_is_set(iris, learner, kind):
    estimator = _fit(learner, iris.X, iris.y).model.estimator
    assert type(estimator) is kind
    own = {name.removeprefix(f"{learner}_"): value for name, value in GOOD[learner].items()}
    own |= {"linsvm": {"dual": True}}.get(learner, {})
    seed = {"random_state": None}
    assert estimator.get_params() | seed == kind().get_params() | own | seed


@pytest.mark.parametrize("dual", [True, False, "auto"])
def test_the_linear_svm_solves_the_problem_that_is_set(iris, dual):
    table = cash(linsvm={"settings": {"dual": dual}})
    model = table.fit(_configuration("linsvm"), iris.X, iris.y, np.random.default_rng(0)).model
    assert model.estimator.dual == dual


@pytest.mark.parametrize("dual", ["true", "maybe", 2])
def test_a_problem_that_the_linear_svm_does_not_have_is_refused_before_any_search(dual):
    with pytest.raises(UserError, match=f"'dual' parameter of LinearSVC must be .*'bool'.*'auto'.* Got {dual!r}"):
        cash(linsvm={"settings": {"dual": dual}})


@pytest.mark.filterwarnings("error")
def test_a_linear_svm_that_does_not_converge_is_counted_silent_and_made_again_by_its_seed(iris, capfd):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(2, size=60)  # no line parts them
    one, again, other = (_fit("linsvm", X, y, seed=seed, linsvm_C=1e5) for seed in (0, 0, 1))
    assert CASH.unconverged(one) == 1
    margins = [chosen.model.estimator.decision_function(X) for chosen in (one, again, other)]
    np.testing.assert_array_equal(margins[0], margins[1])
    assert not np.allclose(margins[0], margins[2])
    assert capfd.readouterr() == ("", "")


def test_the_svm_is_chapter_3s_with_tau_gamma_and_defaults_where_nothing_is_set(iris):
    chosen = _fit("svm", iris.X, iris.y, svm_C=0.3, svm_tau=2.0)
    own = {"C": 0.3, "gamma": 2.0, "kernel": "precomputed", "max_iter": 1_000_000}
    assert type(chosen.model.solver) is SVC
    assert chosen.model.solver.get_params() == SVC().get_params() | own
    theirs = RbfSvm(1_000_000).fit({"C": 0.3, "tau": 2.0}, iris.X, iris.y, None)
    for ours, expected in zip(chosen.model.margins(iris.X), theirs.margins(iris.X), strict=True):
        np.testing.assert_array_equal(ours[1], expected[1])
    capped = cash(svm={"max_iter": 1})
    assert capped.unconverged(capped.fit(_configuration("svm"), iris.X, iris.y, np.random.default_rng(0))) == 1


def test_the_quadratic_analysis_is_ours_and_its_strength_reaches_it(iris):
    def variances(r):
        return _fit("qda", iris.X, iris.y, qda_reg_param=r).model.gaussians[0].variances

    assert type(_fit("qda", iris.X, iris.y).model) is Gaussians
    np.testing.assert_allclose(variances(1.0), 1.0)
    np.testing.assert_allclose(variances(3.0), 3 - 2 * (variances(0.5) * 2 - 1), rtol=1e-12)


def test_one_neighbour_makes_no_training_error(iris):
    X, first = np.unique(iris.X, axis=0, return_index=True)
    np.testing.assert_array_equal(_fit("knn", X, iris.y[first], knn_n_neighbors=1).predict(X), iris.y[first])


def test_boosting_is_ours_and_its_number_of_stumps_reaches_it(iris):
    models = [_fit("adab", iris.X, iris.y, adab_n_estimators=n).model for n in (4, 5)]
    assert [type(model) for model in models] == [BoostedStumps] * 2
    assert [len(model.stumps) for model in models] == [4, 5]


def test_one_boosted_stump_knows_two_classes_and_more_know_all(iris):
    found = [len(set(_fit("adab", iris.X, iris.y, adab_n_estimators=n).predict(iris.X))) for n in (1, 20)]
    assert found == [2, 3]


@each_learner
@pytest.mark.filterwarnings("error")
def test_collinear_and_constant_features_warn_of_nothing(iris, capfd, learner):
    X = np.column_stack([iris.X, iris.X[:, 0], np.full(60, 2.0)])
    assert _fit(learner, X, iris.y).predict(X).shape == (60,)
    assert capfd.readouterr() == ("", "")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("learner", "kind"),
    [(learner, "one class") for learner in ("svm", "linsvm", "qda")]
    + [(learner, "unknown values") for learner in ("knn", "svm", "linsvm", "gnb", "lda", "qda")],
)
def test_rows_that_cannot_be_learned_make_a_failed_trial_in_one_sentence(iris, evaluated, learner, kind):
    X, y = np.where(np.arange(4) == 1, np.nan, iris.X), np.zeros_like(iris.y)
    data = replace(iris, y=y) if kind == "one class" else replace(iris, X=X)
    trial = evaluated(_configuration(learner), data)
    assert (trial.status, trial.losses.tolist()) == (FAILED, [1.0] * 5)
    assert "\n" not in trial.reason
    assert len(trial.reason.split()) > 3


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        ("knn", "n_neighbors = 3, n_samples_fit = 1"),
        ("svm", "number of classes"),
        ("linsvm", "2 classes"),
        ("lda", "1 sample"),
        ("qda", "one class"),
    ],
)
def test_one_row_is_refused_in_a_sentence(iris, learner, sentence):
    with pytest.raises(ValueError, match=sentence):
        _fit(learner, iris.X[:1], iris.y[:1]).predict(iris.X)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learner", ["dt", "rf", "adab", "gnb"])
def test_of_one_row_trees_and_bayes_learn_its_class(iris, learner):
    assert set(_fit(learner, iris.X[:1], iris.y[:1] + 7).predict(iris.X)) == {iris.y[0] + 7}


def test_more_neighbours_than_training_rows_make_a_failed_trial_that_says_so(iris, evaluated):
    trial = evaluated(_configuration("knn", knn_n_neighbors=39), iris)
    assert (trial.status, trial.loss) == (FAILED, 1.0)
    assert "n_neighbors = 39, n_samples_fit = 38" in trial.reason
    assert evaluated(_configuration("knn", knn_n_neighbors=38), iris).status == FINISHED


def test_an_unknown_learner_is_refused_with_those_there_are(iris):
    with pytest.raises(UserError, match="learner=mlp is not one of knn, svm, linsvm, dt, rf, adab, gnb, lda, qda"):
        CASH.fit({"learner": "mlp"}, iris.X, iris.y, np.random.default_rng(0))


def test_a_hyperparameter_that_a_learner_does_not_have_makes_a_failed_trial(iris, evaluated):
    trial = evaluated(_configuration("dt", dt_width=3), iris)
    assert trial.status == FAILED
    assert "width" in trial.reason


def test_the_example_of_a_space_in_the_documentation_is_one_of_these_learners(iris, evaluated):
    text = Path("docs/adding.md").read_text()
    block = re.search(r"^    _target_: bayes_hpo\.spaces\.space\.Space\n((?:    .*\n)+)", text, re.MULTILINE)[0]
    space = build(yaml.safe_load(textwrap.dedent(block)), "space")
    rng = np.random.default_rng(0)
    trials = [evaluated(space.sample(rng), iris) for _ in range(10)]
    assert {trial.proposal.configuration["learner"] for trial in trials} == {"svm", "knn"}
    assert {trial.status for trial in trials} == {FINISHED}

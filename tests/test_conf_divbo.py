"""The settings of DivBO's studies (conf/setting) at each scale are those of the paper and of its decisions."""

from functools import reduce

import numpy as np
import pytest
from omegaconf import OmegaConf

from bayes_hpo.configuration import compose  # noqa: F401  registers the resolvers
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import options, written
from bayes_hpo.configuration.study_schema import Study
from bayes_hpo.data.registry import registry, suite
from bayes_hpo.evaluation import WithTestPredictions
from bayes_hpo.pool import FINISHED, Proposal
from bayes_hpo.repetition import Repetition

SETTINGS = [  # source, scale, key, value
    ("4.1", "paper", "test_percent", 20),
    ("4.1", "paper", "holdout.share", 0.25),  # of 80 %
    ("D1", "paper", "test_draw._target_", "bayes_hpo.splits.OfDataset"),
    ("D14", "paper", "final._target_", "bayes_hpo.scoring.as_trained.AsTrained"),
    ("D14", "paper", "task.predictions._target_", "bayes_hpo.outcomes.predictions.Probabilities"),
    ("D22", "paper", "cpu_limit", 300.0),
    ("D22", "paper", "training_cap", 10**9),
    ("D22", "paper", "memory_limit", 8.0),
    ("D22", "small", "memory_limit", 8.0),
    ("D32", "small", "cpu_limit", 30.0),
    ("D32", "small", "training_cap", 5000),
    ("D32", "small", "most_rows", 10**9),
    ("D32", "small", "holdout._target_", "bayes_hpo.splits.WholeHoldOut"),
]
METHODS = {  # method -> searcher, selector: Shen et al. 2022, 4.1, A.4, A.5 and table 12
    "rs": ("random", "argmin"),
    "divbo_bo": ("divbo_bo", "argmin"),
    "rb": ("rb", "argmin"),
    "divbo_eo": ("divbo_eo", "eo_probable"),
    "nes": ("nes", "nes"),
    "rs_es": ("random", "es"),
    "bo_es": ("divbo_bo", "es"),
    "rb_es": ("rb", "es"),
    "divbo": ("divbo", "es"),
    "divbo_minus": ("divbo", "argmin"),
    "kbo_es": ("kbo", "es"),
    "divbo_fixed_weight": ("divbo_fixed_weight", "es"),
    "divbo_bagging": ("divbo", "bagging"),
    "divbo_stacking": ("divbo", "stacking"),
    "bo_es_100": ("divbo_bo", "es_100"),
}
PARTS = [  # of conf/: source, group, file, key, value
    ("A.4", "searcher", "rb", "alpha", 3),
    ("A.4", "searcher", "rb", "pull", 5),
    ("table 8", "weight", "fixed", "weight", 0.1),
    ("A.1", "ensemble", "es", "size", 25),
    ("table 9", "selector", "bagging", "size", 5),
    ("table 9", "selector", "stacking", "size", 5),
    ("D23", "searcher", "rb", "search.n_initial", 5),
    ("table 6, fixed", "learner", "divbo", "learner.learners.random_forest.settings.n_estimators", 100),
    ("table 6, fixed", "learner", "divbo", "learner.learners.extra_trees.settings.n_estimators", 512),
    ("table 6, fixed", "learner", "divbo", "learner.learners.gradient_boosting.settings.n_estimators", 100),
    ("table 6, fixed", "learner", "divbo", "learner.learners.logistic_regression.settings.max_iter", 3000),
    ("table 6, fixed", "learner", "divbo", "learner.learners.libsvm_svc.settings.max_iter", 10000),
    ("table 6, fixed", "learner", "divbo", "learner.learners.lightgbm.settings.max_depth", 15),
    ("D26", "learner", "divbo_autogluon", "learner.learners.random_forest.settings.n_estimators", 300),
    ("D26", "learner", "divbo_autogluon", "learner.learners.extra_trees.settings.n_estimators", 300),
    ("D28", "measure", "suggestion_statistics", "first", 6),
    ("D28", "measure", "better_than_random", "first", 6),
    ("table 4", "measure", "suggestion_statistics", "windows", {"100": 100 / 250, "50": 50 / 250}),
    ("figure 5", "measure", "suggestion_statistics", "late", 50 / 250),
    ("figure 1", "measure", "suggestions", "reference", 200 / 250),
    ("D6", "learner", "divbo", "learner.learners.k_nearest_neighbors.settings.p", 2),
    ("D10", "learner", "divbo", "steps.preprocessor.kernel_pca.most_rows", 5000),
    ("table 7", "learner", "divbo", "steps.preprocessor.polynomial.columns", [25, 10]),
    ("table 7", "learner", "divbo", "steps.preprocessor.random_trees_embedding.many_rows", 5000),
    ("table 7", "learner", "divbo", "steps.preprocessor.random_trees_embedding.most_depth", 6),
    ("table 7", "learner", "divbo", "steps.preprocessor.extra_trees_selector.model.settings.n_estimators", 100),
]
SMALL = {"quake", "pollen", "satimage", "openml-spambase", "wind", "bank32nh", "cpu_act", "cpu_small", "puma32H",
         "eeg", "pol", "elevators"}  # fmt: skip


def composed(scale, setting="divbo"):
    """The setting as a study has it at a scale, with defaults of the schema, checked by it."""
    study = OmegaConf.merge(OmegaConf.structured(Study), written("setting", setting))
    cfg = OmegaConf.create({"study": study, "scale": {"name": scale}})
    return OmegaConf.to_container(cfg, resolve=True)["study"]


@pytest.mark.parametrize(("source", "scale", "key", "value"), SETTINGS, ids=[f"{r[0]} {r[1]} {r[2]}" for r in SETTINGS])
def test_a_setting_is_what_its_source_says(source, scale, key, value):
    assert reduce(lambda node, name: node[name], key.split("."), composed(scale)) == value


@pytest.mark.parametrize(
    ("source", "group", "name", "key", "value"), PARTS, ids=[f"{r[0]} {r[2]} {r[3]}" for r in PARTS]
)
def test_a_part_is_what_its_source_says(source, group, name, key, value):
    assert reduce(lambda node, part: node[part], key.split("."), written(group, name)) == value


def test_rescalers_come_before_preprocessors():  # D5
    assert list(written("learner", "divbo")["steps"]) == ["rescaler", "preprocessor"]


@pytest.mark.parametrize("scale", ["toy", "smoke", "small", "paper"])
@pytest.mark.parametrize("setting", [name for name in options("setting") if name.startswith("divbo")])
def test_a_setting_composes_at_every_scale(setting, scale):
    study = composed(scale, setting)
    for module in study["needs"]:
        pytest.importorskip(module)
    for key in ("space", "task", "learner", "holdout", "test_draw"):
        assert build(study[key], f"study.{key}")


def test_the_suites_are_the_papers_and_their_smallest():
    rows = registry()
    assert len(suite("divbo15")) == 15
    assert set(suite("divbo_small")) == SMALL
    for name in suite("divbo15"):
        row = rows[name]
        printed = 4600 if name == "openml-spambase" else row.n  # table 5; the print's errors are multiples of 1/921
        assert (row.published_n, row.published_p, row.published_classes) == (printed, row.p, row.classes)
    assert {rows[name].source for name in suite("divbo_smoke")} == {"bundled"}


@pytest.fixture
def repetition(iris):
    """Function: a repetition under the setting at toy scale."""

    def make(number, **changes):
        protocol = {
            "_target_": "bayes_hpo.splits.Protocol",
            "validation": (study := composed("toy") | changes)["holdout"],
            "splits": {"_target_": "bayes_hpo.splits.Fixed"},
            "selection_share": 0.0,
        }
        return Repetition.of(study | {"owner": "divbo", "protocol": protocol}, iris, number)

    return make


def test_a_trial_keeps_probabilities_of_validation_and_test_rows(repetition):
    learner = written("learner", "divbo")
    space = build(written("space", "divbo"), "space")
    evaluate = WithTestPredictions(repetition(0, learner=learner))
    trial = evaluate(
        Proposal(space.fix({"algorithm": "lda", "rescaler": "minmax", "preprocessor": "pca"}).default(), 0)
    )
    assert trial.status == FINISHED
    assert (trial.predictions.dtype, trial.predictions.shape) == (np.float32, (12, 3))
    assert (trial.test_predictions.dtype, trial.test_predictions.shape) == (np.float32, (12, 3))
    assert trial.loss == np.mean(trial.predictions.argmax(axis=1) != evaluate.truth.y)


def test_a_configuration_is_deterministic_within_a_repetition(repetition):
    forest = {"algorithm": "random_forest", "rescaler": "empty", "preprocessor": "empty"}
    configuration = build(written("space", "divbo"), "space").fix(forest).default()
    trials = [WithTestPredictions(repetition(0))(Proposal(configuration, t)) for t in range(2)]
    np.testing.assert_array_equal(trials[0].predictions, trials[1].predictions)


def fold(repetition):
    """The training and validation rows of a repetition under hold-out."""
    r = repetition
    return r.protocol.folds(r.parts, r.strata, 0, r.seeds, training_cap=r.training_cap)[0]


def test_all_repetitions_have_one_test_part_and_validation_rows_of_their_own(repetition):
    repetitions = [repetition(number) for number in range(2)]
    np.testing.assert_array_equal(*(r.parts.test for r in repetitions))
    assert not np.array_equal(*(fold(r).validation for r in repetitions))


def test_rows_above_the_training_cap_are_left_out(repetition):
    whole, capped = repetition(0), repetition(0, training_cap=20)
    assert [len(fold(r).train) for r in (whole, capped)] == [36, 20]
    np.testing.assert_array_equal(fold(whole).validation, fold(capped).validation)
    assert set(fold(capped).train) < set(fold(whole).train)
    assert set(np.bincount(capped.data.y[fold(capped).train])) <= {6, 7}  # stratified


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_the_searcher_and_selector_of_the_paper(name):
    method = written("method", name)
    assert (method["searcher"], method["selector"]) == METHODS[name]
    assert (method["splits"], method["selection_split"]) == ("fixed", False)


def test_every_method_of_these_studies_is_one_of_the_papers_or_of_figure_7():
    studies = [name for name in options("study") if name.startswith("divbo") and "sensitivity" not in name]
    assert {method for name in studies for method in written("study", name)["methods"]} == set(METHODS)


def test_ensembles_differ_in_the_one_thing_they_are_named_after(grid_of):
    selectors = grid_of("divbo").cfg["selectors"]
    es, es_100 = selectors["es"]["greedy"], selectors["es_100"]["greedy"]
    assert es["loss"]["_target_"] == "bayes_hpo.ensembles.probabilities.zero_one"
    assert (es["size"], es_100["size"]) == (25, 100)
    assert es | {"size": 100} == es_100
    assert selectors["eo_probable"]["slots"] == grid_of("divbo").cfg["searchers"]["divbo_eo"]["slots"]


@pytest.mark.parametrize("measure", ["suggestion_statistics", "pair_statistics", "better_than_random"])
def test_measures_have_the_methods_of_the_claims_that_read_them(grid_of, measure):
    """The excess over the rivals of the print, BO-ES and RB-ES; the share of random trials, those of RS, first."""
    wanted = ["rs", "divbo"] if measure == "better_than_random" else ["bo_es", "rb_es", "divbo"]
    assert list(grid_of("divbo").measures[measure]["methods"]) == wanted

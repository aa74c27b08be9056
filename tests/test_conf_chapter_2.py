"""The settings of chapter 2's studies are those of thesis 2.6; their spaces: tests/measures/test_search_space.py."""

import pytest

from bayes_hpo.data.registry import registry, suite

SETTINGS = [  # study, where it stands in the composed configuration, value
    ("svm_width", "study.test_percent", 20),
    ("svm_width", "protocols.holdout.validation.share", 0.2),
    ("svm_width", "study.validations", ["holdout"]),
    ("svm_width", "study.space.parameters.C", {"value": 1.0}),
    ("svm_width", "study.learner._target_", "bayes_hpo.learners.rbf_svm.RbfSvm"),
    ("svm_width", "study.scales.paper.suite", "svm_width"),
    ("svm_width", "study.scales.paper.budget", 50),
    ("svm_width", "measures.gp_snapshots.repetition", 0),
    ("svm_width", "measures.gp_snapshots.methods", ["gp"]),
    ("svm_width", "measures.width_traits.choice", 0.06943),
    ("random_forest", "protocols.kfold.validation.folds", 5),
    ("random_forest", "study.preparation", {"_target_": "bayes_hpo.data.preparation.by_source"}),
    ("random_forest", "study.validations", ["kfold"]),
    ("random_forest", "study.learner", {"_target_": "bayes_hpo.learners.random_forest.RandomForest"}),
    ("random_forest", "study.scales.paper.suite", "random_forest"),
    ("random_forest", "study.scales.paper.budget", 100),
    ("random_forest", "measures.plateau.printed", 40),
]
SUITES = {"svm_width": ["ionosphere"], "random_forest": ["adult"]}


@pytest.mark.parametrize(("study", "place", "value"), SETTINGS, ids=lambda part: part if isinstance(part, str) else "")
def test_a_setting_has_its_value_of_the_document(setting, study, place, value):
    assert setting(study, place) == value


@pytest.mark.parametrize("study", SUITES)
def test_a_study_searches_by_gp_alone_and_is_scored_after_every_trial(grid_of, study):
    cfg = grid_of(study).cfg["study"]
    of_the_document = [name for name in cfg["methods"] if name != "gp_times_1"]  # D12's ablation
    assert (of_the_document, cfg["curves"], cfg["checkpoint"]) == (["gp"], ["gp"], 1)


@pytest.mark.parametrize("study", SUITES)
@pytest.mark.parametrize("scale", ["small", "paper"])
def test_it_rests_on_the_documents_data_set_and_on_the_ten_repetitions_that_decide_a_claim(grid_of, study, scale):
    settings = grid_of(study).cfg["study"]["scales"][scale]
    assert suite(settings["suite"]) == SUITES[study]
    assert min(settings["repetitions"].values()) >= 10


def test_chapter_3s_cap_on_rows_is_not_chapter_2s(grid_of):
    cfg, adult = grid_of("random_forest").cfg["study"], registry()["adult"]
    assert min(cfg["training_cap"], cfg["refit_cap"]) > adult.n
    assert adult.n_test  # the given part; nothing is drawn

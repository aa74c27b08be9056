"""The settings of the illustrations of chapter 4 are those of thesis 4.1 to 4.2.3 and of uai2016 3."""

import pytest

from bayes_hpo.data.registry import suite
from bayes_hpo.documents import catalog

SETTINGS = [  # study, where it stands in the composed configuration, value
    ("ensembles_width", "study.space.parameters.tau", {"low": 1e-5, "high": 1e5, "log": True}),
    ("ensembles_width", "study.space.parameters.C", {"value": 1.0}),
    ("ensembles_width", "study.validations", ["holdout"]),
    ("ensembles_width", "study.scales.paper.budget", 50),
    ("ensembles_width", "searchers.eo_m5.slots.m", 5),
    ("ensembles_width", "selectors.eo_m5.slots.m", 5),
    ("ensembles_width", "measures.ensemble_objectives.early", 20),
    ("ensembles_width", "measures.objective_statistics.early", 20),
    ("ensembles_width", "measures.loss_curves.slope", 10.0),
    ("ensembles_width", "measures.loss_curves.members", 7),
    ("ensembles_bank", "study.validations", ["kfold"]),
    ("ensembles_bank", "study.scales.paper.budget", 50),
    ("ensembles_bank", "selectors.post_hoc_bagged.greedy.size", 100),
    ("ensembles_bank", "selectors.post_hoc_bagged.greedy.first", 5),
    ("ensembles_bank", "selectors.post_hoc_bagged.greedy.share", 0.66),
]
SUITES = {"ensembles_width": ["pima"], "ensembles_bank": ["bank"]}


@pytest.mark.parametrize(("study", "place", "value"), SETTINGS, ids=lambda part: part if isinstance(part, str) else "")
def test_a_setting_has_its_value_of_the_document(setting, study, place, value):
    assert setting(study, place) == value


@pytest.mark.parametrize("study", SUITES)
@pytest.mark.parametrize("scale", ["small", "paper"])
def test_it_rests_on_the_documents_data_set_and_on_the_ten_repetitions_that_decide_a_claim(grid_of, study, scale):
    settings = grid_of(study).cfg["study"]["scales"][scale]
    assert suite(settings["suite"]) == SUITES[study]
    assert min(settings["repetitions"].values()) >= 10


def test_the_step_by_step_selection_is_that_of_the_scored_method(grid_of):
    cfg = grid_of("ensembles_bank").cfg
    assert cfg["measures"]["post_hoc_path"]["selector"] == cfg["selectors"][cfg["methods"]["bo_bagged"]["selector"]]
    assert cfg["measures"]["post_hoc_path"]["refit_cap"] == cfg["study"]["refit_cap"]


@pytest.mark.parametrize(("thesis", "uai2016"), [("A4_1", "A1"), ("F4_2", "F1"), ("F4_3", "F2"), ("F4_4", "F3")])
def test_what_both_documents_print_is_drawn_in_the_same_way(thesis, uai2016):
    one, other = (catalog.document(name)["artifacts"] for name in ("thesis", "uai2016"))
    assert one[thesis]["draw"] == other[uai2016]["draw"]

"""Products by study: the artifact that is asked for must be one of its own, methods and data sets those it can have."""

import pytest

from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.campaign.products import artifacts, reported_on
from bayes_hpo.configuration.compose import configure
from bayes_hpo.data.registry import registry, suite
from bayes_hpo.errors import UserError


@pytest.mark.parametrize(
    ("study", "sentence"),
    [
        ("conditional", "allowed: F5_1,.* of study conditional; artifact=T3_1 is of study=overfitting$"),
        ("conditional_dual", "study=conditional_dual has no artifacts"),
        ("divbo", "allowed: T1,.* of study divbo$"),  # no study makes DivBO's T3_1
    ],
)
def test_an_artifact_of_another_study_is_refused(study, sentence):
    with pytest.raises(UserError, match=sentence):
        artifacts(Grid.of(study, "toy"), "T3_1")


def report_of(*overrides):
    return reported_on(configure("report", ["study=divbo", "scale=small", *overrides], GROUPS))


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("study.methods=[rs,nope]", r"unknown study\.methods=nope; allowed: bo_bagged, .*, divbo, "),
        ("study.methods=[wine]", r"unknown study\.methods=wine; allowed: "),
        ("without=[wine]", r"unknown without=wine \(did you mean wind\?\); allowed: quake, pollen, "),
        ("without=[wind,house_8L]", r"unknown without=house_8L; allowed: "),
        ("without=[nope]", r"unknown dataset=nope; allowed: "),
    ],
)
def test_methods_and_data_sets_that_the_study_cannot_have_are_refused_in_one_sentence(override, sentence):
    with pytest.raises(UserError, match=rf"^{sentence}[^\n]*$"):
        report_of(override)


def test_the_refused_data_sets_are_registered_but_not_of_the_suite():
    assert {"wine", "house_8L"} <= set(registry())
    assert not {"wine", "house_8L"} & set(suite("divbo_small"))


def test_methods_of_other_studies_and_fewer_data_sets_of_the_suite_are_reported_on():
    (grid,) = report_of("study.methods=[rs,bo_es_100]", "without=[wind]")
    assert grid.cfg["study"]["methods"] == ["rs", "bo_es_100"]
    assert set(grid.datasets) == set(suite("divbo_small")) - {"wind"}

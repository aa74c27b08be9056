"""Names of a command that must fit together are refused in one sentence, or the log says what does not follow."""

import pytest

from bayes_hpo.campaign.chosen import check_names, checked
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["study=divbo", "scale=pilot"], "study divbo has no scale pilot; allowed: toy, smoke, small, paper$"),
        (["searcher=bo_es"], "searcher=bo_es: bo_es is a method; its searcher is divbo_bo$"),
        (["study=divbo", "searcher=DivBO"], r"unknown searcher=DivBO \(did you mean divbo\?\)$"),
        (["study=DivBO", "scale=small"], r"unknown study=DivBO \(did you mean divbo\?\)$"),
    ],
)
def test_names_that_do_not_fit_are_explained(arguments, sentence):
    with pytest.raises(UserError, match=sentence):
        check_names(arguments)


@pytest.mark.parametrize(
    "arguments", [["study=divbo", "scale=small", "searcher=divbo"], ["study=nope"], ["--help"], []]
)
def test_other_names_are_left_to_the_composition(arguments):
    check_names(arguments)


def search(**names):
    given = {"study": "divbo", "scale": "toy", "protocol": "holdout", "searcher": "divbo", "dataset": "any"}
    return checked(configure("search", [f"{name}={value}" for name, value in (given | names).items()]))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"searcher": "gp"}, "no method of study divbo selects from searcher=gp with protocol=holdout"),
        ({"protocol": "holdout_r"}, "selects from searcher=divbo with protocol=holdout_r"),
    ],
)
def test_a_search_that_no_method_selects_from_is_told(caplog, names, words):
    search(**names)
    assert words in caplog.text
    assert "list it in conf/study/divbo.yaml" in caplog.text


@pytest.mark.parametrize(
    "names",
    [
        {},
        {"searcher": "divbo_beta_1"},  # of another study with the same pools
        {"study": "divbo_kbo", "searcher": "nes"},  # of the owner of the pools
        {"study": "overfitting", "protocol": "kfold_sel_r", "searcher": "gp"},
    ],
)
def test_a_search_that_a_method_selects_from_is_not(caplog, names):
    search(**names)
    assert not caplog.text


def test_a_protocol_without_repetitions_names_those_of_the_methods():
    with pytest.raises(
        UserError, match="unknown protocol=kfold; allowed: holdout, the protocols of the methods of stu"
    ):
        search(protocol="kfold")


@pytest.mark.parametrize("searcher", ["divbo", "eo", "esmbo", "nes"])
def test_predictions_that_no_trial_stores_are_missed_before_the_first_one(searcher):
    with pytest.raises(UserError, match=f"searcher={searcher} reads predictions of trials, and those of study overfit"):
        search(study="overfitting", searcher=searcher)

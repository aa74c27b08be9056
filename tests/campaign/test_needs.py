"""A study whose extra is not installed is left out with one sentence, and cannot be searched."""

import tomllib

import pytest

from bayes_hpo.campaign import needs
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import options, written
from bayes_hpo.errors import UserError
from bayes_hpo.stages import search

SENTENCE = "study cifar needs torch, which is not installed: pip install -c constraints.txt -e '.[cnn]'"


@pytest.fixture
def bare(monkeypatch):
    """A machine with no other module than the package's own."""
    monkeypatch.setattr(needs, "find_spec", lambda name: None)


def test_it_is_left_out_of_the_studies_that_can_be_run(bare, capsys):
    lacking = [name for name in options("study") if written("study", name).get("needs")]
    assert set(options("study")) - set(needs.runnable(options("study"))) == set(lacking) == {"cifar", "divbo_autogluon"}
    assert capsys.readouterr().err == "".join(f"{needs.lacking(name)}; it is left out\n" for name in lacking)
    assert needs.lacking("cifar") == SENTENCE
    assert needs.lacking("divbo_autogluon") == (
        "study divbo_autogluon needs xgboost and catboost, which are not installed: "
        "pip install -c constraints.txt -e '.[boosting]'"
    )


def test_with_the_module_every_study_can_be_run(monkeypatch, capsys):
    monkeypatch.setattr(needs, "find_spec", lambda name: name)
    assert needs.runnable(options("study")) == options("study")
    assert not capsys.readouterr().err


def test_its_search_is_refused_in_one_sentence(bare):
    names = ["study=cifar", "dataset=sklearn-digits", "searcher=bo", "protocol=holdout", "scale=toy"]
    with pytest.raises(UserError) as refused:
        search.jobs(configure("search", names))
    assert str(refused.value) == SENTENCE


def test_what_a_study_needs_is_an_extra_of_the_package():
    with open("pyproject.toml", "rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    for study in options("study"):
        for module, extra in written("study", study).get("needs", {}).items():
            assert any(requirement.startswith(module) for requirement in extras[extra])

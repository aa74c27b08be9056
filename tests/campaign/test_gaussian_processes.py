"""Results have a setting of the Gaussian process where a searcher, selector or measure samples its hyperparameters."""

import pytest

from bayes_hpo.campaign.gaussian_processes import of_measure, of_scores
from bayes_hpo.campaign.grid import Grid


@pytest.mark.parametrize(
    ("study", "name"),
    [("overfitting", "tiny"), ("conditional", "tiny"), ("esmbo_svr", ""), ("divbo", ""), ("divbo_surrogates", "")],
)
def test_only_a_chain_has_a_setting(study, name):
    assert of_scores(Grid.of(study, "smoke")) == name


@pytest.mark.parametrize(("study", "differ"), [("overfitting", True), ("esmbo_svr", False)])
def test_the_setting_changes_what_is_composed_where_it_is_named_and_nowhere_else(study, differ):
    engines = [Grid.of(study, scale).cfg["searchers"] for scale in ("small", "paper")]
    gp = {"overfitting": "gp", "esmbo_svr": "smbo"}[study]
    assert (engines[0][gp] != engines[1][gp]) == differ


@pytest.mark.parametrize(("method", "name"), [("gp_pm", "tiny"), ("gp", "")])
def test_a_selector_is_enough(method, name):
    grid = Grid.of("overfitting", "smoke")
    grid.cfg["searchers"]["gp"] = grid.cfg["searchers"]["random"]
    grid.cfg["study"] |= {"methods": [method], "curves": []}
    assert of_scores(grid) == name


@pytest.mark.parametrize(
    ("study", "measure", "name"),
    [
        ("overfitting", "splits", ""),
        ("overfitting", "posterior_mean_toy", "tiny"),
        ("divbo_quake", "suggestions", ""),
    ],
)
def test_a_measure_has_one_when_it_samples_or_reads_the_pools_of_a_search_that_does(study, measure, name):
    assert of_measure(Grid.of(study, "smoke"), measure) == name

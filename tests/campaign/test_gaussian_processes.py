"""A study has a setting of the Gaussian process when a searcher, selector or measure samples its hyperparameters."""

import pytest

from bayes_hpo.campaign.gaussian_processes import setting
from bayes_hpo.campaign.grid import Grid


@pytest.mark.parametrize(
    ("study", "name"),
    [("overfitting", "tiny"), ("conditional", "tiny"), ("esmbo_svr", ""), ("divbo", ""), ("divbo_surrogates", "")],
)
def test_only_a_chain_has_a_setting(study, name):
    assert setting(Grid.of(study, "smoke")) == name


@pytest.mark.parametrize(("study", "differ"), [("overfitting", True), ("esmbo_svr", False)])
def test_the_setting_changes_what_is_composed_where_it_is_named_and_nowhere_else(study, differ):
    engines = [Grid.of(study, scale).cfg["searchers"] for scale in ("small", "paper")]
    gp = {"overfitting": "gp", "esmbo_svr": "smbo"}[study]
    assert (engines[0][gp] != engines[1][gp]) == differ


def test_a_selector_or_a_measure_is_enough():
    grid = Grid.of("overfitting", "smoke")
    assert grid.cfg["selectors"]["posterior_mean"]
    grid.cfg["study"] |= {"methods": ["rs"], "curves": []}
    assert setting(grid) == "tiny"  # the posterior mean of figure 3.5
    grid.cfg["study"] |= {"measures": []}
    assert setting(Grid(grid.cfg)) == ""

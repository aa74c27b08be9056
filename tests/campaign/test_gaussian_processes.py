"""A study has a setting of the Gaussian process when one of its searchers, selectors or measures has such a process."""

import pytest

from bayes_hpo.campaign.gaussian_processes import setting
from bayes_hpo.campaign.grid import Grid


@pytest.mark.parametrize(
    ("study", "name"),
    [("overfitting", "tiny"), ("conditional", "tiny"), ("esmbo_svr", "tiny"), ("divbo", ""), ("divbo_surrogates", "")],
)
def test_only_the_studies_of_divbo_have_none(study, name):
    assert setting(Grid.of(study, "smoke")) == name


def test_a_selector_or_a_measure_is_enough():
    grid = Grid.of("overfitting", "smoke")
    assert grid.cfg["selectors"]["posterior_mean"]
    grid.cfg["study"] |= {"methods": ["rs"], "curves": []}
    assert setting(grid) == "tiny"  # the posterior mean of figure 3.5
    grid.cfg["study"] |= {"measures": []}
    assert setting(Grid(grid.cfg)) == ""

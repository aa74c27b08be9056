"""Which studies have a Gaussian process, whose setting their captions then name."""

from bayes_hpo.campaign.fingerprint import targets
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.surrogates import gp


def setting(grid: Grid) -> str:
    """Name of the scale's setting of the Gaussian process; empty when nothing of the study has one.

    That is: no searcher or selector of its methods and none of its measures, as composed.
    """
    searchers = [grid.cfg["searchers"][searcher] for _, searcher in grid.pools]
    selectors = [grid.cfg["selectors"][method["selector"]] for method in grid.methods.values()]
    modules = targets([searchers, selectors, list(grid.measures.values())])
    return grid.cfg["scale"]["gp"]["name"] if any(name.startswith(f"{gp.__name__}.") for name in modules) else ""

"""Which results depend on sampled Gaussian process hyperparameters, so that their captions name the setting."""

from collections.abc import Iterable

from bayes_hpo.campaign.fingerprint import targets
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.surrogates.gp import slice_sampling


def of_scores(grid: Grid) -> str:
    """Name of the scale's setting of the hyperparameter chain; empty if no searcher or selector has such a chain.

    ESMBO's Gaussian process, fitted by maximum likelihood, is the same at every scale.
    """
    selectors = [grid.cfg["selectors"][method["selector"]] for method in grid.methods.values()]
    return _setting(grid, grid.pools, selectors)


def of_measure(grid: Grid, name: str) -> str:
    """`of_scores` for a measure: empty if neither the measure nor a search whose pools it reads has such a chain."""
    return _setting(grid, grid.read_pools(name), [grid.measures[name]])


def _setting(grid: Grid, pools: Iterable[tuple[str, str]], others: list[dict]) -> str:
    """Name of the setting; empty if no searcher of the pools (protocol, searcher) and nothing in `others` uses it."""
    modules = targets([grid.cfg["searchers"][searcher] for _, searcher in pools] + others)
    return grid.cfg["scale"]["gp"]["name"] if slice_sampling.__name__ in modules else ""

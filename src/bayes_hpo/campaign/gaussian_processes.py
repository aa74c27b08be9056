"""Which studies sample the hyperparameters of a Gaussian process, whose setting their captions then name."""

from bayes_hpo.campaign.fingerprint import targets
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.surrogates.gp import slice_sampling


def setting(grid: Grid) -> str:
    """Name of the scale's setting of the chain of hyperparameters; empty when nothing of the study has such a chain.

    That is: no searcher or selector of its methods and none of its measures, as composed. ESMBO's process, of maximum
    likelihood, is the same at every scale.
    """
    searchers = [grid.cfg["searchers"][searcher] for _, searcher in grid.pools]
    selectors = [grid.cfg["selectors"][method["selector"]] for method in grid.methods.values()]
    modules = targets([searchers, selectors, list(grid.measures.values())])
    return grid.cfg["scale"]["gp"]["name"] if slice_sampling.__name__ in modules else ""

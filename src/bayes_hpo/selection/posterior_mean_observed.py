"""The lowest posterior mean among the points that were evaluated: an ablation (D5)."""

from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import Integrated, NegativeMean
from bayes_hpo.acquisition.maximize import best_candidates
from bayes_hpo.contracts import Predictive
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.posterior_mean import PosteriorMean


class PosteriorMeanObserved(PosteriorMean):
    """The selector of the lowest posterior mean, held to the observations."""

    def lowest(self, points: NDArray, targets: NDArray, predictive: Predictive, seeds: Seeds) -> NDArray:
        return best_candidates(Integrated(NegativeMean(), predictive), points, 1)[0][0]

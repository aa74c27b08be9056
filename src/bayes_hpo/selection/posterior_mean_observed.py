"""The lowest posterior mean among the points that were tried: an ablation (D5)."""

from bayes_hpo.acquisition.criteria import Averaged, NegativeMean
from bayes_hpo.acquisition.maximize import best_candidates
from bayes_hpo.selection.posterior_mean import PosteriorMean


class PosteriorMeanObserved(PosteriorMean):
    """The selector of the lowest posterior mean, held to the observations."""

    def lowest(self, X, y, posterior, seeds):
        return best_candidates(Averaged(NegativeMean(), posterior), X, 1)[0][0]

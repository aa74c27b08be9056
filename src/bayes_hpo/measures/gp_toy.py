"""A Gaussian process fitted to a few noisy values of a toy function, and its next proposal (thesis, 2.1 and 2.2)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from bayes_hpo.acquisition.criteria import ConfidenceBound, Integrated, ProbabilityOfImprovement
from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.configuration.limits import Range
from bayes_hpo.measures.forrester import forrester, observed
from bayes_hpo.measures.model_line import LINE, model_line
from bayes_hpo.measures.searches import Grid
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.seeds import Seeds

KAPPA = 2.0  # standard deviations of the confidence bound


@dataclass(frozen=True, kw_only=True)
class GpToy:
    """A model of some observations of the function, and the next proposal.

    searcher: searcher over x alone.
    observations: number of observations, at uniform draws of x.
    noise: standard deviation of the Gaussian noise.
    """

    searcher: Bayesian
    observations: Annotated[int, Range(ge=2, le=1000)]
    noise: Annotated[float, Range(ge=0, le=1)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns kind, x, y and noise; y and noise as fractions.

        kind: one of `model_line`; probability (of improvement) or bound (KAPPA standard deviations below the mean), the
            other acquisitions of section 2.2; truth, the noiseless function (`forrester`); or observation.
        """
        seeds = Seeds(grid.owner, "forrester", 0)
        x, losses = observed(seeds, self.observations, self.noise)
        frames = [
            pd.DataFrame({"kind": "truth", "u": LINE, "y": forrester(LINE)}),
            pd.DataFrame({"kind": "observation", "u": x, "y": losses}),
            *self._model(x[:, None], losses, seeds),
        ]
        return pd.concat(frames, ignore_index=True).rename(columns={"u": "x"}).assign(noise=self.noise)

    def _model(self, X, losses, seeds):
        """Frames of the model of the losses (n,) at X (n, 1)."""
        searcher, rng = self.searcher, seeds("around_best")
        y = searcher.targets(losses)
        posterior = searcher.surrogate.fit(X, y, {}, seeds("mcmc"))
        evaluated = Evaluated(searcher.space, points=X[:0], best=X[y.argmin()])  # no point is excluded
        candidates = searcher.candidates.generate(evaluated, rng)
        proposed = searcher.maximizer(Integrated(searcher.acquisition(y), posterior), candidates, evaluated, rng)
        moments = searcher.targets.inverse(*posterior.moments(LINE[:, None]), losses)  # each (samples, m)
        acquisitions = {
            "probability": ProbabilityOfImprovement(losses.min()).value(*moments).mean(axis=0),
            "bound": -ConfidenceBound(KAPPA).value(*moments).mean(axis=0),
        }
        line = model_line(searcher.targets, posterior, losses, np.array(proposed))
        return [line, *(pd.DataFrame({"kind": kind, "u": LINE, "y": y}) for kind, y in acquisitions.items())]

"""Argmin and posterior mean on a toy function with noise (thesis, 3.4, figure 3.5)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import Range
from bayes_hpo.measures.forrester import forrester, observed
from bayes_hpo.measures.model_line import LINE, over_samples
from bayes_hpo.measures.searches import Grid
from bayes_hpo.pool import Pool, Proposal, Trial
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.selection.posterior_mean import PosteriorMean


@dataclass(frozen=True, kw_only=True)
class PosteriorMeanToy:
    """Two selections from the same observations: the lowest one, and the lowest posterior mean (D34).

    selector: posterior mean over the single hyperparameter x.
    observations: number of observations, at uniform draws of x.
    noise: standard deviation of the Gaussian noise.
    """

    selector: PosteriorMean
    observations: Annotated[int, Range(ge=1, le=1000)]
    noise: Annotated[float, Range(ge=0, le=1)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns kind, x, y, true (the noiseless function at x) and noise; errors are fractions.

        kind: a curve: truth, mean, lower or upper (the mean minus and plus one standard deviation of the latent
            function, marginalized over hyperparameter samples); observation; or a minimizer: minimum (of the truth),
            argmin (the lowest observation) or posterior_mean (the lowest mean).
        """
        seeds = Seeds(grid.owner, "forrester", 0)
        pool = self._pool(seeds)
        chosen = [selector(pool, seeds).members for selector in (argmin, self.selector)]  # one member each
        lowest, predicted = (_xs(member.configuration for member in members) for members in chosen)
        mean, deviation = self._moments(LINE, pool, seeds)
        least = LINE[[forrester(LINE).argmin()]]
        parts = [
            ("observation", _xs(pool.history.configurations), pool.history.losses),
            ("truth", LINE, forrester(LINE)),
            ("mean", LINE, mean),
            ("lower", LINE, mean - deviation),
            ("upper", LINE, mean + deviation),
            ("minimum", least, forrester(least)),
            ("argmin", lowest, pool.losses.min()),
            ("posterior_mean", predicted, self._moments(predicted, pool, seeds)[0]),
        ]
        frames = [pd.DataFrame({"kind": kind, "x": x, "y": y, "true": forrester(x)}) for kind, x, y in parts]
        return pd.concat(frames, ignore_index=True).assign(noise=self.noise)

    def _pool(self, seeds):
        """The observations as a pool of trials."""
        points, losses = observed(seeds, self.observations, self.noise)
        return Pool(
            tuple(
                Trial(Proposal({"x": float(x)}, t), losses=np.array([loss]))
                for t, (x, loss) in enumerate(zip(points, losses, strict=True))
            )
        )

    def _moments(self, points, pool, seeds):
        """Mean and standard deviation (m,) of the latent function at points (m,), as predicted by the selector."""
        _, _, posterior = self.selector.fitted(pool, seeds)  # same draws as in the selection
        moments = posterior.moments(points[:, None])
        return over_samples(*self.selector.targets.inverse(*moments, pool.history.losses))


def _xs(configurations):
    return np.array([configuration["x"] for configuration in configurations])

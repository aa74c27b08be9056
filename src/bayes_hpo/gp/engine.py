"""Settings of the Gaussian-process engine (docs/decisions.md, Spearmint), shared by its searcher and its selector."""

from dataclasses import dataclass

from bayes_hpo.errors import UserError
from bayes_hpo.gp.hyperparameters import sample, start
from bayes_hpo.gp.maximize import around, maximize, sobol_grid
from bayes_hpo.spaces.space import Space

LOWEST = {"candidates": 2, "burn_in": 0, "samples": 1, "refined": 1, "around_best": 1, "objective_scale": 1e-6}


@dataclass(frozen=True, kw_only=True)
class Engine:
    """How hyperparameters are sampled and an acquisition is maximised.

    candidates: size of the Sobol grid. burn_in: sweeps of a fresh chain before its first sample. samples:
    hyperparameter samples, one sweep each. refined: starts of the local search. around_best: starts drawn around the
    best trial. objective_scale: what a loss, a fraction, is multiplied by before the Gaussian process sees it (D12).
    Raises: UserError for a setting that is too low.
    """

    space: Space
    candidates: int
    burn_in: int
    samples: int
    refined: int
    around_best: int
    objective_scale: float

    def __post_init__(self):
        for name, lowest in LOWEST.items():
            value = getattr(self, name)
            if not value >= lowest:
                raise UserError(f"{name}={value:g} is too low; take {lowest:g} or more")

    @property
    def grid(self):
        """The fixed candidates (candidates, d) of the unit cube."""
        return sobol_grid(len(self.space), self.candidates)

    def fresh_samples(self, X, y, rng):
        """Hyperparameter samples (samples, 3 + d) of a chain that starts from the values y (n,) at X (n, d)."""
        states = sample(start(y, X.shape[1]), X, y, rng, sweeps=self.burn_in + self.samples)
        return states[self.burn_in :]

    def optimum(self, criterion, grid, *, best, rng):
        """Point (d,) where the criterion is highest, looked for on the grid (g, d) and around the point `best` (d,)."""
        return maximize(criterion, grid, extra=around(best, self.around_best, rng), refined=self.refined)

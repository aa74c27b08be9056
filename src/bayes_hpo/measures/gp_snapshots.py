"""What the Gaussian process believed along one search of one hyperparameter (thesis, 2.6.1, figure 2.3)."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.errors import UserError
from bayes_hpo.gp.engine import POINT
from bayes_hpo.measures.model_line import model_line
from bayes_hpo.measures.searches import searches

COLUMNS = ["dataset", "trials", "kind", "x", "y"]


@dataclass(frozen=True, kw_only=True)
class GpSnapshots:
    """The model from which a search made its next proposal, after some numbers of trials, from the very samples it had.

    methods: the one whose search is looked into. repetition: which of its repetitions. trials: the numbers; those
    that the budget does not reach are left out, the budget itself is always there.
    Raises: UserError when the space has more than one hyperparameter that is searched, or a number is below 2.
    """

    methods: list
    repetition: int
    trials: list

    def __call__(self, grid):
        """Frame of COLUMNS; x: the hyperparameter's value; y: losses and improvements as fractions.

        kind: those of `model_line`; observation; or incumbent, the first of the lowest observations.
        Raises: Fault when a pool is missing or damaged.
        """
        (method,) = self.methods
        wanted = [search for search in searches(grid, method) if search.key["repetition"] == self.repetition]
        frames = [self._snapshot(search, t) for search in wanted for t in self._numbers(len(search.pool))]
        return pd.concat(frames, ignore_index=True)

    def _numbers(self, budget):
        if min(self.trials) < 2:
            raise UserError(f"trials={self.trials} must be at least 2, the observations that a model needs")
        return sorted({*(t for t in self.trials if t < budget), budget})

    def _snapshot(self, search, t):
        """Rows of the search after t trials."""
        history, searcher = search.pool.history[:t], search.searcher
        parameter = _only_one(searcher.space)
        proposed = searcher.propose(history, search.seeds).memory[POINT]
        X, _, posterior = searcher.predicted(history, search.seeds)
        losses = history.losses
        seen = pd.DataFrame({"kind": "observation", "u": X[:, 0], "y": losses})
        incumbent = seen.iloc[[losses.argmin()]].assign(kind="incumbent")
        rows = pd.concat([model_line(searcher, posterior, losses, proposed), seen, incumbent])
        values = [parameter.decode(u) for u in rows["u"]]
        return rows.assign(dataset=search.key["dataset"], trials=t, x=values)[COLUMNS]


def _only_one(space):
    """The only hyperparameter of a space."""
    if len(space) > 1:
        raise UserError(f"{', '.join(space.parameters)} are searched; a snapshot shows one hyperparameter")
    return next(iter(space.parameters.values()))

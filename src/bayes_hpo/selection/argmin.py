"""The trial with the lowest loss, on the validation rows or on the selection split."""

from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


def argmin(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select the finished trial with the lowest mean validation loss; the first of equals wins (D17).

    pool.losses (n_trials, n_folds). Returns an ensemble of one member: the answer of an ordinary search, and CMA-ES'
    best of run.
    Raises: EmptyPoolError when no trial has finished. Source: thesis, alg. 2.1 and 2.2, eq. 2.19.
    """
    return _best_of(pool, pool.finished(), pool.losses)


def argmin_selection(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select the finished trial with the lowest mean loss on the selection split; the first of equals wins.

    pool.selection_losses (n_trials, n_folds), which the search has not seen. Returns an ensemble of one member.
    Raises: EmptyPoolError when no trial has finished, RunError when the pool has no selection split.
    Source: thesis, 3.2.2.
    """
    return _best_of(pool, pool.finished(), pool.selection_losses)


def _best_of(pool: Pool, indices: NDArray, losses: NDArray) -> Ensemble:
    """The ensemble of the trial among `indices` (m,) whose row of losses (n_trials, n_folds) has the lowest mean."""
    best = int(indices[losses[indices].mean(axis=1).argmin()])
    return Ensemble.single(pool[best].proposal.configuration, best)

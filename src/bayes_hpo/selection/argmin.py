"""The trial with the lowest loss, on the validation rows or on the selection split."""

from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


def argmin(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select the finished trial with the lowest mean validation loss; ties go to the earliest trial (D17).

    Reads pool.losses (n_trials, n_folds). Returns an ensemble of one member: the result of an ordinary search, and the
    "best of run" of CMA-ES.
    Raises: EmptyPoolError when no trial has finished. Source: thesis, alg. 2.1 and 2.2, eq. 2.19.
    """
    return _best_of(pool, pool.finished(), pool.losses)


def argmin_selection(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select the finished trial with the lowest mean loss on the selection split; ties go to the earliest trial.

    Reads pool.selection_losses (n_trials, n_folds), hidden from the search. Returns an ensemble of one member.
    Raises: EmptyPoolError when no trial has finished, RunError when the pool has no selection split.
    Source: thesis, 3.2.2.
    """
    return _best_of(pool, pool.finished(), pool.selection_losses)


def _best_of(pool: Pool, indices: NDArray, losses: NDArray) -> Ensemble:
    """The ensemble of the one trial among `indices` (m,) with the lowest mean of its losses (n_trials, n_folds)."""
    best = int(indices[losses[indices].mean(axis=1).argmin()])
    return Ensemble.single(pool[best].proposal.configuration, best)

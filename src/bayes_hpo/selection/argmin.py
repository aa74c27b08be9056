"""The trial with the lowest validation loss: the answer of an ordinary search, and CMA-ES' best of run."""

from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


def argmin(pool: Pool, seeds: Seeds) -> Ensemble:
    """Choose the finished trial with the lowest mean validation loss; the first of equals wins (D17).

    pool.losses (n_trials, n_folds), zero-one loss in [0, 1]. Returns an ensemble of one member.
    Raises: EmptyPool when no trial has finished. Source: thesis, alg. 2.1 and 2.2, eq. 2.19.
    """
    return best_of(pool, pool.finished(), pool.losses)


def best_of(pool: Pool, indices: NDArray, losses: NDArray) -> Ensemble:
    """The ensemble of the trial among `indices` whose row of losses (n_trials, n_folds) has the lowest mean."""
    best = int(indices[losses[indices].mean(axis=1).argmin()])
    return Ensemble.single(pool[best].proposal.configuration, best)

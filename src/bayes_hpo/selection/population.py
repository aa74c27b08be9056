"""Selection from populations: partial validation, backwarding, global validation (thesis, 3.2.2).

A population is a generation of the search: the trials of one round. b_V and b_S are its members with the lowest mean
loss on the validation rows and on the selection split (eq. 3.5, 3.6).

Every rule reads pool.losses and pool.selection_losses (n_trials, n_folds) and returns an ensemble of one member.
Raises: EmptyPoolError when no trial has finished, RunError when the pool has no selection split.
"""

from itertools import groupby

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


def partial_validation(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select b_S of the last population that has a finished trial."""
    return _best(pool, _populations(pool)[-1:], pool.selection_losses)


def backwarding(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select among the b_V of all populations: a later one wins if it is better on the selection split (eq. 3.7)."""
    return _best(pool, _populations(pool), pool.losses)


def global_validation(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select among the b_S of all populations: a later one wins if it is better on the selection split (eq. 3.8)."""
    return _best(pool, _populations(pool), pool.selection_losses)


def _populations(pool):
    """Indices of the finished trials, one list per population, in order."""
    return [list(trials) for _, trials in groupby(pool.finished().tolist(), key=pool.rounds.__getitem__)]


def _best(pool, populations, losses):
    """The ensemble of the trial with the lowest selection loss among the best trials of the populations.

    losses (n_trials, n_folds): losses that define the best trial of each population.
    Ties go to the earliest trial: only a strict improvement replaces the current choice (D16).
    """
    within, between = (of.mean(axis=1) for of in (losses, pool.selection_losses))
    best = min((min(trials, key=within.__getitem__) for trials in populations), key=between.__getitem__)
    return Ensemble.single(pool[best].proposal.configuration, best)

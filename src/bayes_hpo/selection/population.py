"""Selection from populations: partial validation, backwarding, global validation (thesis, 3.2.2).

A population is a generation of the search: the trials of one round. b_V and b_S are its members with the lowest mean
loss on the validation rows and on the selection split (eq. 3.5, 3.6).

Every rule reads pool.losses and pool.selection_losses (n_trials, n_folds) and returns an ensemble of one member.
Raises: EmptyPoolError when no trial has finished, RunError when the pool has no selection split.
"""

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


def partial_validation(pool: Pool, seeds: Seeds) -> Ensemble:
    """Select b_S of the last population that has a finished trial."""
    selection = pool.selection_losses.mean(axis=1)
    return _single(pool, min(_populations(pool)[-1], key=selection.__getitem__))


def backwarding(pool: Pool, seeds: Seeds) -> Ensemble:
    """Keep b_V of each population if it is better on the selection split than the one kept so far (eq. 3.7)."""
    validation = pool.losses.mean(axis=1)
    return _archived(pool, [min(population, key=validation.__getitem__) for population in _populations(pool)])


def global_validation(pool: Pool, seeds: Seeds) -> Ensemble:
    """Keep b_S of each population if it is better on the selection split than the one kept so far (eq. 3.8)."""
    selection = pool.selection_losses.mean(axis=1)
    return _archived(pool, [min(population, key=selection.__getitem__) for population in _populations(pool)])


def _populations(pool):
    """Indices of the finished trials, a list per population, in order."""
    populations = {}
    for index in pool.finished():
        populations.setdefault(pool[index].proposal.round, []).append(int(index))
    return list(populations.values())


def _archived(pool, candidates):
    """The first candidate that no later one beats on the selection split; only a strict gain replaces it (D16)."""
    selection = pool.selection_losses.mean(axis=1)
    archive = candidates[0]
    for candidate in candidates[1:]:
        if selection[candidate] < selection[archive]:
            archive = candidate
    return _single(pool, archive)


def _single(pool, index):
    return Ensemble.single(pool[index].proposal.configuration, index)

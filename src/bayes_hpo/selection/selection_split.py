"""The trial with the lowest loss on the selection split, which the search has never seen."""

from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import best_of


def argmin_selection(pool: Pool, seeds: Seeds) -> Ensemble:
    """Choose the finished trial with the lowest mean loss on the selection split; the first of equals wins.

    pool.selection_losses (n_trials, n_folds), zero-one loss in [0, 1]. Returns an ensemble of one member.
    Raises: EmptyPool when no trial has finished, Fault when the pool has no selection split. Source: thesis, 3.2.2.
    """
    return best_of(pool, pool.finished(), pool.selection_losses)

"""Laws of the choice by validation loss."""

import numpy as np
import pytest

from bayes_hpo.errors import EmptyPoolError
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin

SEEDS = Seeds("study", "toy", 0)


def _chosen(pool):
    (member,) = argmin(pool, SEEDS).members
    assert member.configuration == pool[member.trial].proposal.configuration
    assert member.weight == 1
    return member.trial


def test_the_lowest_loss_wins(pool_from):
    assert _chosen(pool_from(losses=[0.3, 0.1, 0.2])) == 1


def test_the_first_of_equals_wins(pool_from):
    assert _chosen(pool_from(losses=[0.3, 0.1, 0.1, 0.2, 0.1])) == 1


def test_the_mean_over_folds_decides(pool_from):
    assert _chosen(pool_from(losses=[[0.0, 0.5], [0.2, 0.2], [0.1, 0.4]])) == 1


def test_a_failed_trial_is_never_chosen(pool_from):
    assert _chosen(pool_from(losses=[0.0, 0.4, 1.0], failed={0})) == 1
    assert _chosen(pool_from(losses=[1.0, 1.0], failed={0})) == 1


def test_a_pool_without_a_finished_trial_has_nothing_to_choose(pool_from):
    with pytest.raises(EmptyPoolError, match="none of the 2 trials of this pool has finished"):
        argmin(pool_from(losses=[1.0, 1.0], failed={0, 1}), SEEDS)


def test_the_selection_split_does_not_count(pool_from):
    losses = np.random.default_rng(0).random(30)
    plain = _chosen(pool_from(losses=losses))
    assert _chosen(pool_from(losses=losses, selection=losses[::-1])) == plain == losses.argmin()


def test_along_the_search_it_is_the_incumbent(pool_from):
    losses = np.random.default_rng(1).integers(0, 10, 40) / 10
    pool = pool_from(losses=losses)
    for t in range(1, 41):
        assert _chosen(pool[:t]) == losses[:t].argmin()

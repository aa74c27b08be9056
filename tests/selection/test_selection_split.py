"""Laws of the choice by the selection split."""

import numpy as np
import pytest

from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin, argmin_selection

SEEDS = Seeds("study", "toy", 0)


def _chosen(pool):
    (member,) = argmin_selection(pool, SEEDS).members
    return member.trial


def test_the_lowest_selection_loss_wins_whatever_the_validation_says(pool_from):
    assert _chosen(pool_from(losses=[0.0, 0.9, 0.1], selection=[0.3, 0.1, 0.2])) == 1


def test_the_first_of_equals_wins(pool_from):
    assert _chosen(pool_from(losses=[0.3, 0.2, 0.1], selection=[0.2, 0.1, 0.1])) == 1


def test_with_the_validation_losses_on_the_selection_split_it_is_argmin(pool_from):
    for seed in range(50):
        losses = np.random.default_rng(seed).integers(0, 8, (20, 5)) / 8
        pool = pool_from(losses=losses, selection=losses)
        assert argmin_selection(pool, SEEDS) == argmin(pool, SEEDS)


def test_a_failed_trial_is_never_chosen(pool_from):
    assert _chosen(pool_from(losses=[0.0, 0.4], selection=[0.0, 0.4], failed={0})) == 1


def test_without_a_selection_split_or_a_finished_trial_it_is_a_fault(pool_from):
    with pytest.raises(RunError, match="no selection split"):
        argmin_selection(pool_from(losses=[0.1]), SEEDS)
    with pytest.raises(EmptyPoolError):
        argmin_selection(pool_from(losses=[1.0], selection=[1.0], failed={0}), SEEDS)

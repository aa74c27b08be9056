"""Laws of the population rules against the definitions of the thesis (eq. 3.5 to 3.8)."""

import numpy as np
import pytest

from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin, argmin_selection
from bayes_hpo.selection.population import backwarding, global_validation, partial_validation

SEEDS = Seeds("study", "toy", 0)
RULES = [partial_validation, backwarding, global_validation]
each_rule = pytest.mark.parametrize("rule", RULES)


def _chosen(rule, pool):
    (member,) = rule(pool, SEEDS).members
    assert member.configuration == pool[member.trial].proposal.configuration
    return member.trial


def _random(pool_from, seed, ties=False, trials=28, failed=()):
    rng = np.random.default_rng(seed)
    losses, selection = (rng.integers(0, 6, (trials, 2)) / 6 if ties else rng.random((trials, 2)) for _ in range(2))
    return pool_from(losses=losses, selection=selection, rounds=[t // 6 for t in range(trials)], failed=failed)


def _by_the_book(rule, pool):
    """The rule, trial by trial, as eq. 3.5 to 3.8 and D16 say."""
    V, S = pool.losses.mean(axis=1), pool.selection_losses.mean(axis=1)
    archive = None
    for round_ in sorted(set(pool.rounds)):
        members = [t for t in pool.finished() if pool.rounds[t] == round_]
        if not members:
            continue
        loss = V if rule is backwarding else S
        best = members[0]
        for t in members:
            if loss[t] < loss[best]:
                best = t
        if rule is partial_validation or archive is None or S[best] < S[archive]:
            archive = best
    return archive


@each_rule
@pytest.mark.parametrize("ties", [False, True])
def test_it_is_the_rule_of_the_thesis(pool_from, rule, ties):
    for seed in range(40):
        failed = set(np.random.default_rng(seed + 99).permutation(28)[: seed % 20])
        pool = _random(pool_from, seed, ties, failed=failed)
        assert _chosen(rule, pool) == _by_the_book(rule, pool)


def test_global_validation_is_argmin_of_the_selection_split(pool_from):
    for seed in range(50):
        pool = _random(pool_from, seed)
        assert global_validation(pool, SEEDS) == argmin_selection(pool, SEEDS)
        assert global_validation(pool[:17], SEEDS) == argmin_selection(pool[:17], SEEDS)


def test_with_ties_global_validation_keeps_the_first_of_the_best(pool_from):
    for seed in range(50):
        pool = _random(pool_from, seed, ties=True)
        assert global_validation(pool, SEEDS) == argmin_selection(pool, SEEDS)


def test_in_one_population_partial_validation_is_global_validation(pool_from):
    for seed in range(20):
        pool = _random(pool_from, seed, ties=True, trials=6)
        assert partial_validation(pool, SEEDS) == global_validation(pool, SEEDS)
        assert backwarding(pool, SEEDS) == argmin(pool, SEEDS)


def test_partial_validation_sees_the_last_population_only(pool_from):
    selection = [0.0, 0.1, 0.5, 0.4, 0.6, 0.7]
    pool = pool_from(losses=[0.5] * 6, selection=selection, rounds=[0, 0, 0, 1, 1, 1])
    assert _chosen(partial_validation, pool) == 3
    assert _chosen(partial_validation, pool[:3]) == 0


def test_the_last_four_of_a_hundred_trials_are_a_population(pool_from):
    pool = _random(pool_from, 0, trials=100)
    S = pool.selection_losses.mean(axis=1)
    assert _chosen(partial_validation, pool) == 96 + S[96:].argmin()


def test_backwarding_keeps_the_archive_unless_the_gain_is_strict(pool_from):
    rounds = [0, 0, 1, 1]
    pool = pool_from(losses=[0.1, 0.2, 0.1, 0.2], selection=[0.3, 0.0, 0.3, 0.0], rounds=rounds)
    assert _chosen(backwarding, pool) == 0
    better = pool_from(losses=[0.1, 0.2, 0.1, 0.2], selection=[0.3, 0.0, 0.29, 0.0], rounds=rounds)
    assert _chosen(backwarding, better) == 2


@each_rule
def test_a_rule_at_t_reads_the_first_t_trials_only(pool_from, rule):
    whole, other = _random(pool_from, 1), _random(pool_from, 2)
    mixed = type(whole)(whole.trials[:15] + other.trials[15:])
    assert rule(whole[:15], SEEDS) == rule(mixed[:15], SEEDS)


@each_rule
def test_a_population_whose_trials_all_failed_is_none(pool_from, rule):
    pool = _random(pool_from, 3, trials=18, failed=set(range(12, 18)))
    assert rule(pool, SEEDS) == rule(pool[:12], SEEDS)


@each_rule
def test_without_a_selection_split_or_a_finished_trial_it_is_a_fault(pool_from, rule):
    with pytest.raises(RunError, match="no selection split"):
        rule(pool_from(losses=[0.1, 0.2]), SEEDS)
    with pytest.raises(EmptyPoolError):
        rule(pool_from(losses=[1.0], selection=[1.0], failed={0}), SEEDS)

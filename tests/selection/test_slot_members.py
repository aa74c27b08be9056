"""Laws of the ensemble that ensemble optimization ends with."""

from dataclasses import replace

import numpy as np
import pytest
from votes_by_hand import pool_of, random_pool

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.combine import Vote, vote
from bayes_hpo.ensembles.losses import squared_margin, zero_one
from bayes_hpo.ensembles.slots import LaggedSlots, Slots, SlotsWithReplacement
from bayes_hpo.ensembles.ties import smallest_label
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.selection.slot_members import SlotMembers

SEEDS = Seeds("study", "toy", 0)
FOUR = Slots(m=4, loss=squared_margin, pick=zero_one)


def _trials(ensemble):
    return [member.trial for member in ensemble.members]


def test_its_members_are_those_of_the_slots_in_their_order():
    pool = random_pool(0, trials=20, failed={0, 7})
    ensemble = SlotMembers(slots=FOUR)(pool, SEEDS)
    assert tuple(_trials(ensemble)) == FOUR.filled(StoredVotes.of(pool.history, SEEDS))
    assert ensemble.combine == vote
    for member in ensemble.members:
        assert member.configuration == pool[member.trial].proposal.configuration
        assert member.weight == 1


def test_the_configured_one_is_that_of_uai2016(grid_of):
    select = build(grid_of(scale="small").cfg["selectors"]["eo"], "selector")
    twelve = Slots(m=12, loss=squared_margin, pick=squared_margin)
    pool = random_pool(0, trials=30)
    assert select(pool, SEEDS) == SlotMembers(slots=twelve)(pool, SEEDS)
    assert len(_trials(select(pool, SEEDS))) == 12


def test_one_slot_has_the_trial_of_the_lowest_loss():
    for seed in range(20):
        pool = random_pool(seed, failed={seed % 10})
        one = SlotMembers(slots=Slots(m=1, loss=squared_margin, pick=zero_one))(pool, SEEDS)
        assert one.members == argmin(pool, SEEDS).members


def test_a_trial_with_two_slots_has_weight_two():
    pool = random_pool(0, trials=12)
    rule = SlotsWithReplacement(m=4, loss=squared_margin, pick=zero_one)
    members = list(rule.filled(StoredVotes.of(pool.history, SEEDS)))
    ensemble = SlotMembers(slots=rule)(pool, SEEDS)
    assert {member.trial: member.weight for member in ensemble.members} == {t: members.count(t) for t in members}
    assert len(ensemble.members) < 4


def test_along_the_search_it_is_that_of_the_first_trials_in_any_order_of_steps():
    pool, select = random_pool(0, trials=18), SlotMembers(slots=FOUR)
    other = pool_of([t.predictions for t in random_pool(1, trials=18)], pool.truth.y, pool.truth.folds)
    for t in [*range(1, 19), 5, 2, 18]:
        mixed = replace(pool, trials=pool.trials[:t] + other.trials[t:])
        assert select(pool[:t], SEEDS) == SlotMembers(slots=FOUR)(mixed[:t], SEEDS)
        assert len(_trials(select(pool[:t], SEEDS))) == min(t, 4)


def test_the_rule_for_ties_reaches_slots_and_ensemble():
    select = SlotMembers(slots=replace(FOUR, ties=smallest_label))
    differ = 0
    for seed in range(10):
        pool = random_pool(seed, trials=20)
        ensemble = select(pool, SEEDS)
        assert ensemble.combine == Vote(smallest_label)
        assert tuple(_trials(ensemble)) == FOUR.filled(StoredVotes.of(pool.history, SEEDS, smallest_label))
        differ += _trials(ensemble) != _trials(SlotMembers(slots=FOUR)(pool, SEEDS))
    assert differ


def test_it_reads_nothing_but_what_the_search_has_seen():
    pool = random_pool(2, trials=15)
    nan = {"selection_losses": np.full(3, np.nan), "test_predictions": np.full(9, np.nan)}
    blinded = replace(pool, trials=tuple(replace(trial, **nan) for trial in pool))
    assert SlotMembers(slots=FOUR)(blinded, SEEDS) == SlotMembers(slots=FOUR)(pool, SEEDS)


def test_bad_pools_are_refused_in_one_sentence():
    select = SlotMembers(slots=FOUR)
    with pytest.raises(EmptyPoolError, match="none of the 10 trials of this pool has finished"):
        select(random_pool(0, failed=set(range(10))), SEEDS)
    with pytest.raises(RunError, match="stores no predictions; give its study evaluation: predictions"):
        select(Pool(random_pool(0).trials), SEEDS)


def test_while_every_slot_is_empty_the_best_trial_answers():
    """Under the lag the first model competes at the second trial (D8); a selector answers once a trial has finished."""
    lagged = SlotMembers(slots=LaggedSlots(m=4, loss=squared_margin, pick=zero_one))
    pool = random_pool(0, failed={0, 1})
    assert _trials(lagged(pool[:3], SEEDS)) == [2]
    assert lagged.slots.filled(StoredVotes.of(pool[:3].history, SEEDS)) == (None,) * 4
    assert lagged.slots.filled(StoredVotes.of(pool[:4].history, SEEDS)) == (None, None, None, 2)

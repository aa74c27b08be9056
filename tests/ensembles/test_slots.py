"""Laws of the slots of ensemble optimization: a replay of the history and nothing else (thesis, algorithm 4.1)."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from votes_by_hand import loss_by_hand, pool_of, random_pool

from bayes_hpo.ensembles.losses import c_bound, margin, sigmoid, squared_margin, zero_one
from bayes_hpo.ensembles.slots import LaggedSlots, Replay, Slots, SlotsWithReplacement
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import UserError
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
KINDS = [Slots, SlotsWithReplacement, LaggedSlots]
each_kind = pytest.mark.parametrize("kind", KINDS)


def _votes(pool):
    return StoredVotes.of(pool.history, SEEDS)


def _loss(votes, name, members):
    return round(loss_by_hand(name, votes.labels[members], votes.truth, votes.folds, votes.priority), 11)


def _by_hand(votes, rule):
    """The slots after all trials, in plain loops: the texts' lines 3, 4, 11 and 12 with D20, D22, D27."""
    slots, own, finished = [None] * rule.m, votes.losses.tolist(), votes.finished.tolist()
    for t in range(len(votes)):
        slots[t % rule.m] = None
        rest = [member for member in slots if member is not None]
        keys = []
        for h in range(t if isinstance(rule, LaggedSlots) else t + 1):
            if finished[h] and (h not in rest or isinstance(rule, SlotsWithReplacement)):
                losses = [_loss(votes, loss.__name__, [*rest, h]) for loss in (rule.pick, rule.loss)]
                keys.append((*losses, own[h], h))
        slots[t % rule.m] = min(keys)[-1] if keys else None
    return tuple(slots)


@each_kind
@pytest.mark.parametrize("loss", [zero_one, margin, squared_margin, sigmoid, c_bound])
@pytest.mark.parametrize("m", [1, 3, 5])
def test_the_slots_are_those_of_the_slow_loop(kind, loss, m):
    for seed, n_classes in enumerate([2, 4]):
        votes = _votes(random_pool(seed, trials=11, n=10, n_classes=n_classes, failed={2, 6}))
        for pick in (loss, zero_one):
            rule = kind(m=m, loss=loss, pick=pick)
            assert rule.filled(votes) == _by_hand(votes, rule)


@each_kind
def test_after_t_trials_they_follow_from_those_alone(kind):
    pool, other = random_pool(0, trials=16), random_pool(1, trials=16)
    other = pool_of([t.predictions for t in other], pool.truth.y, pool.truth.folds)
    rule = kind(m=4, loss=squared_margin, pick=zero_one)
    for t in range(17):
        mixed = replace(pool, trials=pool.trials[:t] + other.trials[t:])
        assert rule.filled(_votes(mixed[:t])) == rule.filled(_votes(pool[:t])) == rule.filled(_votes(mixed)[:t])


@each_kind
def test_a_replay_along_the_history_is_the_replay_from_its_start(kind):
    pool, rule = random_pool(0, trials=16, failed={0, 5}), kind(m=4, loss=squared_margin, pick=zero_one)
    replay = Replay(rule)
    for t in [*range(17), 3, 9, 9, 16]:
        assert replay(_votes(pool[:t])) == rule.filled(_votes(pool[:t]))
    elsewhere = random_pool(2, trials=17)
    assert replay(_votes(elsewhere)) == rule.filled(_votes(elsewhere))


def test_a_replay_takes_one_turn_for_each_new_trial(monkeypatch):
    turns, refilled = [], Slots.refilled
    counted = lambda *given: turns.append(given[-1]) or refilled(*given)  # noqa: E731
    monkeypatch.setattr(Slots, "refilled", counted)
    pool, replay = random_pool(0, trials=9), Replay(Slots(m=4, loss=zero_one, pick=zero_one))
    for t in range(10):
        replay(_votes(pool[:t]))
    assert turns == list(range(9))


@pytest.mark.parametrize("m", [1, 4, 12])
def test_there_are_m_plus_one_random_trials(m):
    """Before trial m + 1 there are fewer than two observations (D20), with replacement before trial 2."""
    pool = random_pool(0, trials=m + 4)
    for kind, expected in ((Slots, [*[0] * m, 1, 2, 3, 4]), (SlotsWithReplacement, list(range(m + 4)))):
        rule = kind(m=m, loss=squared_margin, pick=squared_margin)
        votes = [_votes(pool[:t]) for t in range(m + 4)]
        assert [len(rule.observations(rule.filled(one), one)[0]) for one in votes] == expected


def test_in_the_first_round_every_trial_takes_its_own_slot():
    votes = _votes(random_pool(0, trials=5))
    assert Slots(m=7, loss=zero_one, pick=zero_one).filled(votes) == (0, 1, 2, 3, 4, None, None)


def test_one_trial_changes_one_slot():
    pool, rule = random_pool(0, trials=30), Slots(m=4, loss=squared_margin, pick=squared_margin)
    filled = [rule.filled(_votes(pool[:t])) for t in range(31)]
    for t, (before, after) in enumerate(pairwise(filled)):
        assert all(before[slot] == after[slot] for slot in range(4) if slot != t % 4)
    assert len(set(filled)) == 9


def test_no_trial_has_two_slots_unless_it_may():
    votes = _votes(random_pool(0, trials=30))
    members = Slots(m=6, loss=margin, pick=margin).filled(votes)
    assert len(set(members)) == 6
    assert set(members) == set(votes.losses.argsort(kind="stable")[:6])  # the margin loss takes the best
    assert len(set(SlotsWithReplacement(m=6, loss=margin, pick=margin).filled(votes))) == 1


def test_with_one_slot_the_observations_are_the_losses_and_the_member_their_argmin():
    """So ensemble optimization with one slot is Bayesian optimization (uai2016, 3), to the last bit."""
    for seed in range(10):
        pool = random_pool(seed, trials=12, n=300, n_folds=5, failed={1, 4})
        for loss in (zero_one, squared_margin):
            rule, votes = Slots(m=1, loss=loss, pick=loss), _votes(pool)
            trials, losses = rule.observations(rule.filled(votes), votes)
            assert trials.tolist() == list(range(12))
            np.testing.assert_array_equal(losses, pool.history.losses)
            finished = [t for t in range(12) if t not in (1, 4)]
            assert rule.filled(votes) == (min(finished, key=lambda t: pool[t].loss),)


@each_kind
def test_observations_are_losses_of_the_rest_with_every_candidate(kind):
    pool = random_pool(0, trials=13, failed={3, 12})
    rule, votes = kind(m=4, loss=squared_margin, pick=zero_one), _votes(pool)
    slots = rule.filled(votes)
    rest = [member for slot, member in enumerate(slots) if slot != 13 % 4 and member is not None]
    trials, losses = rule.observations(slots, votes)
    expected = [t for t in range(13) if kind is SlotsWithReplacement or t not in rest]
    assert trials.tolist() == expected
    for t, loss in zip(trials, losses, strict=True):
        assert loss == (1 if t in (3, 12) else pytest.approx(_loss(votes, "squared_margin", [*rest, t]), abs=1e-10))


def test_failed_trials_are_observed_and_never_members():
    """Also where nothing else has been tried: their loss is 1 by any loss (D27)."""
    worst = random_pool(0, trials=6, failed=set(range(6)))
    unknown = replace(worst, trials=tuple(replace(trial, losses=np.full(3, np.nan)) for trial in worst))
    for loss, pool in product((squared_margin, sigmoid, c_bound), (worst, unknown)):
        rule = Slots(m=3, loss=loss, pick=loss)
        slots = rule.filled(_votes(pool))
        assert slots == (None, None, None)
        trials, losses = rule.observations(slots, _votes(pool))
        assert (trials.tolist(), losses.tolist()) == (list(range(6)), [1.0] * 6)


def test_a_slot_without_a_candidate_waits_for_its_next_turn():
    pool = random_pool(0, trials=6, failed={1})
    rule = Slots(m=3, loss=zero_one, pick=zero_one)
    assert [rule.filled(_votes(pool[:t]))[1] is None for t in range(7)] == [True] * 5 + [False, False]


def test_a_lagged_model_first_competes_for_the_next_slot():
    pool = random_pool(0, trials=20)
    rule = LaggedSlots(m=4, loss=squared_margin, pick=squared_margin)
    assert rule.filled(_votes(pool[:1])) == (None,) * 4
    assert rule.filled(_votes(pool[:2])) == (None, 0, None, None)
    for t in range(1, 21):
        assert t - 1 not in rule.filled(_votes(pool[:t]))
    perfect = pool_of([*(trial.predictions for trial in pool[:19]), pool.truth.y], pool.truth.y, pool.truth.folds)
    assert 19 in Slots(m=4, loss=squared_margin, pick=squared_margin).filled(_votes(perfect))


def test_ties_of_the_pick_are_broken_by_the_surrogates_loss():
    """With trials 1 and 2, wrong in row 0, neither 0 nor 3 changes the vote; 3 errs more, where it hurts less."""
    both_wrong = [1, 0, 0, 0]
    votes = _votes(pool_of([both_wrong, both_wrong, both_wrong, [0, 1, 1, 0]], np.zeros(4)))
    rest = votes.extended([1, 2], [0, 3])
    assert np.ptp(zero_one(rest)) == 0
    assert np.diff(squared_margin(rest)) < 0 < np.diff(votes.losses[[0, 3]])
    assert Slots(m=3, loss=squared_margin, pick=zero_one).filled(votes) == (3, 1, 2)
    assert Slots(m=3, loss=zero_one, pick=zero_one).filled(votes) == (0, 1, 2)


def test_slots_that_no_search_could_fill_are_refused_in_one_sentence():
    with pytest.raises(UserError, match="m=12 slots cannot be filled by budget=9 trials; lower m or raise the budget"):
        Slots(m=12, loss=zero_one, pick=zero_one).check_budget(9)
    Slots(m=9, loss=zero_one, pick=zero_one).check_budget(9)


@each_kind
@pytest.mark.parametrize("budget", [2, 5, 9])
def test_slots_are_accepted_if_and_only_if_the_search_fills_all(kind, budget):
    """Under the lag the last trial fills none: as many slots as trials are one too many."""
    votes, largest = _votes(random_pool(0, trials=budget)), budget - (kind is LaggedSlots)
    for m in range(1, largest + 1):
        rule = kind(m=m, loss=zero_one, pick=zero_one)
        rule.check_budget(budget)
        assert None not in rule.filled(votes)
    rule = kind(m=largest + 1, loss=zero_one, pick=zero_one)
    assert None in rule.filled(votes)
    with pytest.raises(UserError, match=rf"^m={largest + 1} slots cannot be filled .*; lower m or raise the budget$"):
        rule.check_budget(budget)


def test_a_number_of_slots_below_one_is_refused_in_one_sentence(built):
    loss = {"_target_": "bayes_hpo.ensembles.losses.zero_one"}
    assert built(Slots, "slots", m=1, loss=loss, pick=loss).m == 1
    with pytest.raises(UserError, match=r"^slots\.m=0 must be at least 1 and at most 448$"):
        built(Slots, "slots", m=0, loss=loss, pick=loss)

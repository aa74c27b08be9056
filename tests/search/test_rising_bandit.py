"""Laws of searches of several arms: the rising bandit by a simulation that can be read, equal shares, resumption."""

import json
from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from probable_pools import SPACE, Study, configurations

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.pool import FAILED
from bayes_hpo.search.arms import EqualShares
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.search.rising_bandit import RisingBandit
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space
from tests.configured import configured

SEEDS = Seeds("study", "toy", 0)
STUDY = Study()
ELEVEN = Space({"algorithm": {"choices": list("abcdefghijk")}, "x": {"low": 0.0, "high": 1.0}})


@pytest.fixture(scope="module")
def searcher(grid_of):
    """Function: a searcher of conf/ with arms, over fewer candidates."""

    def make(name="rb", space=SPACE, budget=60, **changes):
        built = build(grid_of().cfg["searchers"][name], "searcher", space=space, budget=budget)
        search = replace(built.search, candidates=replace(built.search.candidates, size=100))
        return replace(built, search=search, **changes)

    return make


def _by_hand(accuracies, n_arms, budget, pull=5, alpha=3):
    """The arm of every trial, from the accuracies of all of them (protocol, 8.1)."""
    arms, turns, best = list(range(n_arms)), [], {arm: [] for arm in range(n_arms)}
    while len(turns) < budget:
        for arm in arms:
            start = len(turns)
            turns += [arm] * pull
            best[arm].append(max(best[arm][-1:] + list(accuracies[start : start + pull])))
        if len(best[arms[0]]) >= alpha:
            left = (budget - len(turns)) / pull
            upper = {a: min(1, best[a][-1] + (best[a][-1] - best[a][-alpha]) / alpha * left) for a in arms}
            arms = [i for i in arms if not any(best[j][-1] > upper[i] for j in arms if j != i)]
    return turns[:budget]


@pytest.mark.parametrize("seed", range(8))
def test_turns_are_those_of_the_slow_simulation(searcher, seed):
    rng = np.random.default_rng(seed)
    bandit = searcher(space=ELEVEN, budget=250)
    accuracies = np.round(rng.random(250) * rng.choice([0.1, 0.9]), 2)
    turns = list(islice(bandit.turns(accuracies), 250))
    assert turns == _by_hand(accuracies, 11, 250)
    assert turns[:165] == [arm for _ in range(3) for arm in range(11) for _ in range(5)]  # before any elimination


def test_the_turn_of_a_trial_depends_on_those_before_it(searcher):
    bandit, accuracies = searcher(space=ELEVEN, budget=250), np.random.default_rng(3).random(250) * 0.3
    whole = list(islice(bandit.turns(accuracies), 250))
    for t in range(250):
        assert list(islice(bandit.turns(accuracies[:t]), t + 1)) == whole[: t + 1]


def test_an_arm_that_cannot_catch_up_is_out_and_one_that_rises_stays(searcher):
    bandit = searcher(budget=60)
    flat_and_worse, rising, best = [0.5, 0.5, 0.5], [0.3, 0.5, 0.6], [0.7, 0.7, 0.7]
    rewards = {0: flat_and_worse, 1: rising, 2: best}
    assert bandit.survivors(rewards, 45) == [1, 2]  # .6 + .3 / 3 x 3 = .9
    assert bandit.survivors(rewards, 60) == [2]
    assert bandit.survivors({arm: r[:2] for arm, r in rewards.items()}, 30) == [0, 1, 2]
    assert bandit.survivors({0: best, 1: best}, 45) == [0, 1]  # no reward is above the other's bound


def test_the_last_pull_is_cut_at_the_budget(searcher):
    trials = STUDY.run(searcher(budget=23), 23, SEEDS)
    assert Counter(c["kind"] for c in configurations(trials)) == {"a": 10, "b": 8, "c": 5}


def test_arms_are_pulled_in_order_and_then_eliminated(searcher):
    trials = STUDY.run(searcher(), 60, SEEDS)
    accuracies = np.array([1 - trial.loss for trial in trials])
    kinds = [c["kind"] for c in configurations(trials)]
    assert kinds == ["abc"[arm] for arm in _by_hand(accuracies, 3, 60)]
    assert [trial.proposal.round for trial in trials] == list(range(60))


def test_an_arm_is_bayesian_optimization_of_its_own_trials(searcher):
    """In its sub-space, by seeds of its own: other arms change nothing."""
    trials = STUDY.run(searcher(), 40, SEEDS)
    arm = searcher().search.within(SPACE.fix({"kind": "b"}))
    alone = STUDY.run(arm, 10, replace(SEEDS, owner="study {'kind': 'b'}"))
    of_arm = [trial for trial in trials if trial.proposal.configuration["kind"] == "b"]
    assert configurations(of_arm[:10]) == configurations(alone)


def test_the_first_pull_is_random_and_arms_draw_apart(searcher):
    trials = configurations(STUDY.run(searcher(), 15, SEEDS))
    drawn = {kind: [c["x"] for c in trials if c["kind"] == kind] for kind in "abc"}
    assert [len(of_arm) for of_arm in drawn.values()] == [5, 5, 5]
    assert len({x for of_arm in drawn.values() for x in of_arm}) == 15


def test_a_failed_trial_has_no_reward_whatever_its_loss_is(searcher):
    seen = []

    class Spy(EqualShares):
        def turns(self, accuracies):
            seen.append(accuracies)
            return super().turns(accuracies)

    trials = STUDY.run(RandomSearch(SPACE), 6, SEEDS)
    trials[2] = replace(trials[2], losses=np.array([0.25]), status=FAILED)
    Spy(space=SPACE, search=searcher().search, budget=60).propose(STUDY.history(trials), SEEDS)
    np.testing.assert_allclose(seen[0], [0 if t == 2 else 1 - trials[t].loss for t in range(6)])


def test_an_arm_without_a_finished_trial_is_out_after_three_rounds(searcher):
    alive = Study(failing=[t for t in range(60) if t % 15 < 5]).run(searcher(), 60, SEEDS)
    kinds = [c["kind"] for c in configurations(alive)]
    assert kinds[:45].count("a") == 15
    assert "a" not in kinds[45:]


def test_equal_shares_take_every_arm_in_turn(searcher):
    trials = configurations(STUDY.run(searcher("kbo"), 20, SEEDS))
    assert [c["kind"] for c in trials] == list("abcabcabcabcabcabcab")
    eleven = Counter(islice(searcher("kbo", space=ELEVEN, budget=250).turns(np.array([])), 250))
    assert list(eleven.values()) == [23] * 8 + [22] * 3  # D23


@pytest.mark.parametrize("name", ["rb", "kbo"])
def test_every_arm_begins_with_five_random_trials(searcher, name):  # D23
    trials = configurations(STUDY.run(searcher(name, budget=24), 24, SEEDS))
    for kind in "abc":
        of_arm = [c for c in trials if c["kind"] == kind][:6]
        seeds = replace(SEEDS, owner=f"study {{'kind': '{kind}'}}")
        random = configurations(STUDY.run(RandomSearch(SPACE.fix({"kind": kind})), 6, seeds))
        assert of_arm[:5] == random[:5]
        assert of_arm[5:] != random[5:]


def test_a_space_without_choices_at_its_root_is_one_arm(searcher):
    flat = Space({"x": {"low": 0.0, "high": 1.0}, "y": {"low": 0.0, "high": 1.0}})
    assert searcher(space=flat).arms == [{}]
    assert set(islice(searcher(space=flat).turns(np.zeros(40)), 40)) == {0}


@pytest.mark.parametrize("name", ["rb", "kbo"])
def test_a_search_resumed_at_every_trial_equals_the_uninterrupted_one(searcher, name):
    whole = STUDY.run(searcher(name, budget=24), 24, SEEDS)
    for cut in range(24):
        journal = json.loads(json.dumps([to_record(trial) for trial in whole[:cut]]))
        resumed = STUDY.run(searcher(name, budget=24), cut + 1, SEEDS, [from_record(record) for record in journal])
        assert configurations(resumed) == configurations(whole[: cut + 1])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [({"pull": 0}, "searcher.pull=0 must be at least 1"), ({"alpha": 1}, "searcher.alpha=1 must be at least 2")],
)
def test_a_setting_off_its_limits_is_told_in_one_sentence(searcher, change, sentence):
    given = {"space": SPACE, "budget": 60, "search": searcher().search}
    with pytest.raises(UserError, match=sentence):
        configured(RisingBandit, "searcher", given, **{"pull": 5, "alpha": 3} | change)

"""The share of random trials that are worse than the mean suggestion, by hand."""

import numpy as np

from bayes_hpo.measures import better_than_random
from bayes_hpo.measures.better_than_random import BetterThanRandom
from bayes_hpo.pool import FAILED, Pool, Proposal, Trial
from tests.measures.made_up import SEEDS, search_of


def named(method, repetition, losses):
    """A search whose trials have these losses; None for one that has failed."""
    trials = [
        Trial(Proposal({}, t), np.array([1.0 if loss is None else loss]), FAILED if loss is None else "finished")
        for t, loss in enumerate(losses)
    ]
    search = search_of(Pool(tuple(trials)))
    key = search.key | {"method": method, "repetition": repetition}
    return type(search)(key, search.path, search.pool, None, SEEDS)


def frame(monkeypatch, *found):
    monkeypatch.setattr(
        better_than_random, "searches", lambda grid, names: [one for one in found if one.key["method"] in names]
    )
    return BetterThanRandom(methods=["rs", "divbo"], first=3)(None)


def test_a_random_trial_is_worse_with_a_higher_error_or_a_failure(monkeypatch):
    rows = frame(
        monkeypatch,
        named("rs", 0, [0.2, 0.3, 0.4, None]),
        named("divbo", 0, [0.9, 0.9, 0.2, None, 0.4]),  # the mean of the third and the fifth is .3
    )
    assert rows[["method", "quantity", "value"]].to_numpy().tolist() == [["divbo", "better_than_random", 0.5]]


def test_repetitions_are_compared_with_their_own_random_trials(monkeypatch):
    rows = frame(
        monkeypatch,
        named("rs", 0, [0.1]),
        named("rs", 1, [0.9]),
        *(named("divbo", r, [0.5] * 4) for r in range(3)),
    )
    assert dict(zip(rows["repetition"], rows["value"], strict=True)) == {0: 0.0, 1: 1.0}


def test_nothing_is_worse_than_suggestions_that_all_fail(monkeypatch):
    rows = frame(monkeypatch, named("rs", 0, [0.1, None]), named("divbo", 0, [0.1, 0.1, None, None]))
    assert rows["value"].tolist() == [0.0]

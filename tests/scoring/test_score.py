"""Laws of the score: what is chosen never depends on test labels, the value at t on pool[:t] only."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.errors import EmptyPoolError
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.outcomes.losses import zero_one
from bayes_hpo.outcomes.predictions import Labels
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import FAILED, TIMED_OUT
from bayes_hpo.scoring.score import checkpoints, score, score_pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin

SEEDS = Seeds("study", "toy", 0)
CLASSIFICATION = Task("classification", Labels(), zero_one, 1.0, True, PERCENT)
N = 300
RNG = np.random.default_rng(0)
Y_TEST = RNG.integers(0, 3, N)


def _predict(member):
    """Labels of the test part that follow from the configuration alone."""
    return np.random.default_rng(int(member.configuration["C"])).integers(0, 3, N)


@pytest.fixture
def pool(pool_from):
    """Twenty trials with ties."""
    return pool_from(losses=RNG.integers(0, 8, 20) / 8)


def _rows(pool, selectors, y_test=Y_TEST, every=6):
    found = score_pool(pool, selectors, _predict, y_test, SEEDS, task=CLASSIFICATION, every=every)
    return [row for row, _ in found]


def _rng():
    return SEEDS("vote")


def test_a_loss_is_one_where_the_vote_is_wrong():
    losses = score(Ensemble.single({"C": 4.0}), _predict, Y_TEST, _rng(), CLASSIFICATION)
    assert losses.shape == (N,)
    np.testing.assert_array_equal(losses, _predict(Member({"C": 4.0})) != Y_TEST)


def test_an_ensemble_of_equals_scores_as_one_of_them():
    members = tuple(Member({"C": 4.0}) for _ in range(5))
    one = score(Ensemble.single({"C": 4.0}), _predict, Y_TEST, _rng(), CLASSIFICATION)
    np.testing.assert_array_equal(score(Ensemble(members), _predict, Y_TEST, _rng(), CLASSIFICATION), one)


def test_ties_fall_alike_for_all_methods():
    """A tie of two models falls alike when a third method casts each of their votes twice."""
    pair = tuple(Member({"C": c}) for c in (4.0, 5.0))
    one, two = (score(Ensemble(members), _predict, Y_TEST, _rng(), CLASSIFICATION) for members in (pair, pair + pair))
    np.testing.assert_array_equal(one, two)


def test_ties_fall_alike_at_every_step(pool):
    pair = Ensemble(tuple(Member({"C": c}) for c in (4.0, 5.0)))
    assert (_predict(Member({"C": 4.0})) != _predict(Member({"C": 5.0}))).any()
    rows = _rows(pool, {"method": (lambda pool, seeds: pair, True)})
    assert len(rows) > 1
    assert len({row["test_error"] for row in rows}) == 1  # D21: by repetition and row, never by trial


@pytest.mark.parametrize(
    ("every", "budget", "numbers"),
    [(6, 18, [6, 12, 18]), (6, 20, [6, 12, 18, 20]), (6, 5, [5]), (1, 3, [1, 2, 3]), (7, 7, [7])],
)
def test_steps_are_the_multiples_and_the_end(every, budget, numbers):
    assert checkpoints(every, budget) == numbers


def test_a_traced_method_has_a_row_per_step_and_another_one_row(pool):
    rows = _rows(pool, {"one": (argmin, True), "two": (argmin, False)})
    assert [(row["method"], row["iteration"], row["final"]) for row in rows] == [
        ("one", 6, False), ("one", 12, False), ("one", 18, False), ("one", 20, True), ("two", 20, True),
    ]  # fmt: skip
    assert {**rows[3], "method": "two"} == rows[4]


def test_the_value_at_t_rests_on_the_first_t_trials(pool, pool_from):
    seen = []

    def watched(part, seeds):
        seen.append(len(part))
        return argmin(part, seeds)

    rows = _rows(pool, {"one": (watched, True)})
    assert seen == [6, 12, 18, 20]
    other = replace(pool, trials=pool.trials[:12] + pool_from(losses=[0.0] * 8).trials)
    assert _rows(other, {"one": (argmin, True)})[:2] == rows[:2]
    assert _rows(pool[:12], {"one": (argmin, True)})[0] == rows[0]


def test_a_row_says_what_was_chosen_and_what_it_was_worth(pool):
    pool = replace(pool, trials=tuple(replace(trial, seconds=1.0, seconds_proposal=0.5) for trial in pool))
    assert [row["seconds"] for row in _rows(pool, {"one": (argmin, True)})] == [9.0, 18.0, 27.0, 30.0]
    (row,) = _rows(pool[:9], {"one": (argmin, False)})
    best = int(np.argmin(pool.history.losses[:9]))
    assert json.loads(row["configuration"]) == [{"C": float(best)}]
    assert row["validation_loss"] == pool[best].loss
    assert row["test_error"] == (_predict(Member({"C": best})) != Y_TEST).mean()
    assert (row["members"], row["seconds"], row["iteration"]) == (1, 13.5, 9)


def test_a_row_counts_the_failures_up_to_its_step_by_reason(pool):
    ends = {2: (FAILED, "ValueError: no luck"), 4: (FAILED, "ValueError: none"), 7: (TIMED_OUT, "no end within 3 s")}
    ends[15] = FAILED, "its process ended with code -11"
    trials = [replace(pool[t], status=status, reason=why) for t, (status, why) in ends.items()]
    for t, trial in zip(ends, trials, strict=True):
        pool = replace(pool, trials=(*pool.trials[:t], trial, *pool.trials[t + 1 :]))
    counted = [json.loads(row["failures"]) for row in _rows(pool, {"one": (argmin, True)})]
    early, late = {"ValueError": 2}, {"ValueError": 2, "timed out": 1}
    assert counted[:2] == [early, late]
    assert counted[2:] == [late | {"its process ended with code -11": 1}] * 2


def test_test_labels_move_no_choice(pool):
    selectors = {"one": (argmin, True)}
    rows, other = _rows(pool, selectors), _rows(pool, selectors, y_test=(Y_TEST + 1) % 3)
    assert [row["test_error"] for row in rows] != [row["test_error"] for row in other]
    assert [row | {"test_error": 0} for row in rows] == [row | {"test_error": 0} for row in other]


def test_an_untried_configuration_or_several_members_have_no_validation_loss(pool):
    def untried(part, seeds):
        return Ensemble.single({"C": 99.0})

    def pair(part, seeds):
        return Ensemble((Member({"C": 0.0}, trial=0), Member({"C": 1.0}, trial=1)))

    rows = _rows(pool, {"untried": (untried, False), "pair": (pair, False)})
    assert all(np.isnan(row["validation_loss"]) for row in rows)
    assert [row["members"] for row in rows] == [1, 2]


def test_a_method_gives_the_same_rows_alone_and_among_others(pool):
    alone = _rows(pool, {"one": (argmin, True)})
    among = _rows(pool, {"other": (lambda part, seeds: Ensemble.single({"C": 1.0}, 1), True), "one": (argmin, True)})
    assert [row for row in among if row["method"] == "one"] == alone


@pytest.mark.parametrize(("failed", "steps"), [(5, [6, 12, 18, 20]), (6, [12, 18, 20]), (7, [12, 18, 20]), (19, [20])])
def test_a_step_before_the_first_finished_trial_has_no_row(pool, failed, steps):
    trials = [replace(trial, status=FAILED) for trial in pool.trials[:failed]]
    rows = _rows(replace(pool, trials=(*trials, *pool.trials[failed:])), {"argmin": (argmin, True)})
    assert [row["iteration"] for row in rows] == steps


def test_a_pool_without_a_finished_trial_has_no_score(pool):
    none = replace(pool, trials=tuple(replace(trial, status=FAILED) for trial in pool.trials))
    with pytest.raises(EmptyPoolError):
        _rows(none, {"argmin": (argmin, True)})

"""Laws of chapter 5's seven rows with a Gaussian process, as conf/ assembles them, on the space of table 5.1."""

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.pool import History, Trial
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

CFG = configure("plan", ["study=overfitting", "scale=toy"], groups=("searcher", "space"))
CASH = build(CFG["spaces"]["cash"], "space")
SEEDS = Seeds("study", "toy", 0)
ROWS = ["gp_matern_noimpute", "gp_matern", "gp_cond", "gp_laplace", "gp_matern_ls", "gp_cond_ls", "gp_laplace_ls"]
each_row = pytest.mark.parametrize("row", ROWS)
BASE = dict(zip(CASH.parameters["learner"].choices, [0.3, 0.1, 0.3, 0.2, 0.15, 0.4, 0.5, 0.35, 0.4], strict=True))


def _searcher(row, space=CASH, trials=9):
    return build(CFG["searchers"][row], "searcher", space=space, budget=trials)


def _loss(configuration):
    """A loss in [0, 1], lowest for an SVM."""
    point = CASH.encode([configuration])
    own = np.where(CASH.active(point), point - 0.4, 0)[0, 1:]
    return BASE[configuration["learner"]] + 0.1 * float(own @ own)


def _run(searcher, trials, done=(), loss=_loss):
    done = list(done)
    while len(done) < trials:
        proposal = searcher.propose(History(done), SEEDS)
        done.append(Trial(proposal, np.array([loss(proposal.configuration)])))
    return done


@pytest.mark.slow
@each_row
def test_it_goes_on_from_every_trial_as_if_it_had_never_stopped(row):
    whole = _run(_searcher(row), 6)
    for t in range(6):
        resumed = _run(_searcher(row), t + 1, whole[:t])[t].proposal
        assert resumed.configuration == whole[t].proposal.configuration
        for name, array in whole[t].proposal.memory.items():
            np.testing.assert_array_equal(resumed.memory[name], array)


@pytest.mark.slow
@each_row
def test_neither_a_shift_nor_a_scale_of_the_losses_moves_the_trials(row):
    moved = _run(_searcher(row), 8, loss=lambda configuration: 300 * _loss(configuration) + 7)
    tried = [trial.proposal.configuration for trial in _run(_searcher(row), 8)]
    assert [trial.proposal.configuration for trial in moved] == pytest.approx(tried)


def test_all_rows_begin_with_the_same_two_configurations():  # D5.6
    first = [[trial.proposal.configuration for trial in _run(_searcher(row), 2)] for row in ROWS]
    assert first[0][0] != first[0][1]
    assert all(pair == first[0] for pair in first)


@each_row
def test_points_are_imputed_unless_the_row_says_not(row):
    points = np.array([trial.proposal.memory["point"] for trial in _run(_searcher(row), 5)])
    np.testing.assert_array_equal(points, CASH.round_to_grid(points))
    inactive = ~CASH.active(points)
    assert (points[inactive] == 0.5).all() == (row != "gp_matern_noimpute")


def _on_a_few(row, kinds, trials):
    """Trials of a row on a space whose kinds are worse from one to the next; the second alone has a depth."""
    few = Space({"kind": {"choices": list(kinds), "ordered": True}, "depth": {
        "low": 1, "high": 3, "integer": True, "nearest": True, "when": {"kind": "b"}}})  # fmt: skip
    return _run(_searcher(row, few), trials, loss=lambda c: 0.1 * kinds.index(c["kind"]))


@pytest.mark.parametrize("row", [row for row in ROWS if row != "gp_matern_noimpute"])
def test_no_configuration_is_tried_twice(row):  # D5.12
    proposed = {str(trial.proposal.configuration) for trial in _on_a_few(row, "abcdefgh", 10)}
    assert len(proposed) == 10  # all there are


def test_without_imputation_no_point_of_the_cube_is_tried_twice_whatever_is_active():  # D5.12
    trials = _on_a_few("gp_matern_noimpute", "abc", 9)
    assert len({trial.proposal.memory["point"].tobytes() for trial in trials}) == 9  # all there are
    assert len({str(trial.proposal.configuration) for trial in trials}) == 5

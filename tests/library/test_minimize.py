"""Laws of a minimization: it is the search, whenever it is killed; errors of its function are failed trials."""

import math
import os

import pandas as pd
import pytest
from library_objectives import FORBIDDEN, SPACE, loss, unlucky

from bayes_hpo import Optimizer, Space, minimize
from bayes_hpo.errors import EmptyPoolError, UserError

QUIET = {"progress": False}


def trials(result):
    return result.frame.drop(columns="seconds")


def same(frame, other):
    """Whether two frames hold the same trials; without gaps the numbers of a column are whole."""
    pd.testing.assert_frame_equal(frame.reset_index(drop=True), other, check_dtype=False)
    return True


@pytest.mark.parametrize("method", ["gp_cond_ls", "smac", "cma"])
def test_it_is_what_asking_and_telling_gives(method):
    optimizer = Optimizer(SPACE, method, seed=2, budget=8)
    for _ in range(8):
        configuration = optimizer.ask()
        optimizer.tell(configuration, loss(configuration))
    result = minimize(loss, SPACE, 8, method=method, seed=2, **QUIET)
    assert trials(result).equals(optimizer.history.drop(columns="seconds"))
    assert (result.configuration, result.loss) == optimizer.best
    assert (result.frame["seconds"] > 0).all()


@pytest.mark.parametrize("method", ["gp_cond_ls", "cma", "random"])
def test_killed_after_any_trial_and_started_again_it_gives_the_same_trials(tmp_path, in_child, method):
    whole = minimize(loss, SPACE, 6, method=method, **QUIET)
    for killed_at in range(6):
        path, calls = tmp_path / f"{killed_at}.journal", []

        def deadly(configuration, calls=calls, killed_at=killed_at):
            if len(calls) == killed_at:
                os._exit(9)
            calls.append(configuration)
            return loss(configuration)

        search = {"method": method, "journal": path, **QUIET}
        code, _ = in_child(lambda function=deadly, search=search: minimize(function, SPACE, 6, **search))
        assert code == 9
        evaluated = []
        again = minimize(lambda c, evaluated=evaluated: evaluated.append(c) or loss(c), SPACE, 6, **search)
        assert trials(again).equals(trials(whole))
        assert len(evaluated) == 6 - killed_at


def test_a_larger_budget_goes_on_beyond_a_finished_search(tmp_path):
    path = tmp_path / "journal"
    first = minimize(loss, SPACE, 4, journal=path, **QUIET)
    more = minimize(loss, SPACE, 6, journal=path, **QUIET)
    assert same(trials(more)[:4], trials(first))
    assert trials(more).equals(trials(minimize(loss, SPACE, 6, **QUIET)))


def test_a_search_with_a_told_configuration_goes_on_in_minimize(tmp_path):
    path = tmp_path / "journal"
    with Optimizer(SPACE, "cma", journal=path) as optimizer:
        optimizer.tell({"kernel": None, "C": 1.0, "shrinking": True, "seed": 3}, 0.0)
    result = minimize(loss, SPACE, 5, method="cma", journal=path, **QUIET)
    assert result.loss == 0
    assert same(trials(result)[1:], trials(minimize(loss, SPACE, 4, method="cma", **QUIET)))


@pytest.mark.parametrize("method", ["gp_cond_ls", "smac", "random"])
def test_errors_and_losses_that_are_not_finite_are_failed_trials(method):
    result = minimize(unlucky, Space(SPACE, FORBIDDEN), 14, method=method, **QUIET)
    failed = result.frame[result.frame["status"] == "failed"]
    assert set(failed["reason"]) == {"ValueError: no luck", "the loss is nan", "the loss is inf"}
    assert failed["loss"].isna().all()
    assert math.isfinite(result.loss)
    assert result.loss == result.frame["loss"].min()


def test_when_every_trial_fails_the_reason_of_the_last_is_said():
    with pytest.raises(EmptyPoolError, match="none of the 3 trials has finished; the last one failed: KeyError"):
        minimize(lambda configuration: configuration["x"], SPACE, 3, **QUIET)


@pytest.mark.parametrize("problem", [FileNotFoundError("x"), KeyboardInterrupt(), UserError("no"), MemoryError()])
def test_what_is_not_the_functions_fault_ends_the_search_which_can_go_on(tmp_path, problem):
    path, calls = tmp_path / "journal", []

    def function(configuration):
        calls.append(configuration)
        if len(calls) == 3:
            raise problem
        return loss(configuration)

    with pytest.raises(type(problem)):
        minimize(function, SPACE, 5, journal=path, **QUIET)
    assert trials(minimize(function, SPACE, 5, journal=path, **QUIET)).equals(trials(minimize(loss, SPACE, 5, **QUIET)))


def test_a_function_may_change_what_it_is_given():
    def emptied(configuration):
        value = loss(configuration)
        configuration.clear()
        return value

    assert trials(minimize(emptied, SPACE, 4, **QUIET)).equals(trials(minimize(loss, SPACE, 4, **QUIET)))


def test_a_function_that_returns_no_number_is_a_wrong_function():
    with pytest.raises(UserError, match=r"^the loss None is not a number; give one, or NaN for a failed trial$"):
        minimize(lambda configuration: None, SPACE, 3, **QUIET)


def test_the_bar_shows_the_trials_and_the_lowest_loss(tmp_path, capfd):
    path = tmp_path / "journal"
    minimize(loss, SPACE, 3, journal=path, **QUIET)
    assert capfd.readouterr() == ("", "")
    result = minimize(loss, SPACE, 5, journal=path)
    shown = capfd.readouterr().err
    assert "3/5" in shown
    assert "5/5" in shown
    assert f"best {result.loss:.4g}" in shown


def test_the_bar_shows_the_lowest_loss_beside_a_failed_trial(capfd):
    losses = iter([0.5, math.nan, 0.7])
    minimize(lambda configuration: next(losses), SPACE, 3, method="random")
    shown = capfd.readouterr().err
    assert "3/3" in shown
    assert "nan" not in shown
    assert shown.rstrip().endswith("best 0.5]")

"""Laws of the optimizer that is asked and told: it is the search of a study, whatever it is told and from where."""

import math
import sys

import numpy as np
import pandas as pd
import pytest
from library_objectives import FORBIDDEN, GRID, KEEPING, SPACE, loss

from bayes_hpo import Optimizer, Space
from bayes_hpo.configuration.options import options, written
from bayes_hpo.configuration.predictions import reads_predictions
from bayes_hpo.errors import EmptyPoolError, UserError
from bayes_hpo.library.journal import NoJournal
from bayes_hpo.library.methods import methods, searcher
from bayes_hpo.library.minimize import timed
from bayes_hpo.library.trials import LARGEST
from bayes_hpo.search.loop import run_search
from bayes_hpo.seeds import Seeds

each_method = pytest.mark.parametrize("method", methods())
UNMOVED = ("random", "random_sobol", "grid", "cma", "cma_cash")  # by configurations that were not asked for
WITHOUT_CHAINS = (*UNMOVED, "smac")


def space_of(method):
    """The space with conditions, and with clauses where the method keeps them; for a grid one that it can cover."""
    return Space(GRID) if method == "grid" else Space(SPACE, FORBIDDEN if method in KEEPING else [])


def loss_of(method):
    return (lambda configuration: configuration["x"] ** 2 + configuration["y"]) if method == "grid" else loss


def asked(optimizer, function, trials):
    """The optimizer after some trials of a function."""
    for _ in range(trials):
        configuration = optimizer.ask()
        optimizer.tell(configuration, function(configuration))
    return optimizer


def same(one, other):
    """Whether two optimizers have had the same trials."""
    pd.testing.assert_frame_equal(one.history.drop(columns="seconds"), other.history.drop(columns="seconds"))
    return True


@each_method
def test_asked_and_told_it_is_the_search_of_the_same_searcher(method):
    space, function = space_of(method), loss_of(method)
    optimizer = asked(Optimizer(space, method, seed=3, budget=16), function, 9)
    trials = run_search(
        searcher(method, space, 16),
        lambda proposal: timed(function, proposal),
        budget=9,
        seeds=Seeds("library", "", 3),
        journal=NoJournal(),
    )
    assert [trial.proposal.configuration for trial in trials] == [t.proposal.configuration for t in optimizer.trials]
    assert [trial.loss for trial in trials] == [trial.loss for trial in optimizer.trials]
    space.encode([trial.proposal.configuration for trial in trials])  # raises UserError outside the space
    assert optimizer.best[1] == optimizer.history["loss"].min() == function(optimizer.best[0])


def test_every_searcher_but_those_of_stored_predictions_is_a_method():
    nodes = {name: written("searcher", name) for name in options("searcher")}
    assert set(methods()) == {name for name, node in nodes.items() if not reads_predictions(node)} - {"rb", "kbo"}
    assert {"random", "gp", "cma", "smac", "divbo_bo"} <= set(methods())
    assert not {"eo", "esmbo", "nes", "divbo", "divbo_eo"} & set(methods())


@each_method
def test_another_seed_gives_other_trials(method):
    ours, theirs = (asked(Optimizer(space_of(method), method, seed, 16), loss_of(method), 4).history for seed in (0, 1))
    assert not ours.equals(theirs)


@each_method
def test_told_row_by_row_or_as_a_frame_it_suggests_the_same(method):
    space, settings = space_of(method), {"method": method, "seed": 1, "budget": 16}
    first = asked(Optimizer(space, **settings), loss_of(method), 6)
    told = Optimizer(space, **settings)
    for trial in first.trials:
        told.tell(trial.proposal.configuration, trial.loss)
    framed = Optimizer.from_frame(space, first.history, **settings)
    assert same(told, first)
    assert same(framed, first)
    assert told.ask() == framed.ask()
    if method in WITHOUT_CHAINS:  # whose suggestions follow from configurations and losses alone
        assert framed.ask() == first.ask()


@each_method
def test_a_configuration_that_was_not_asked_for_is_a_trial(method):
    space, function = space_of(method), loss_of(method)
    plain = asked(Optimizer(space, method, budget=16), function, 6)
    other = asked(Optimizer(space, method, budget=16), function, 3)
    extra = space.sample(np.random.default_rng(0))
    other.tell(extra, -5.0)
    asked(other, function, 3)
    assert other.best == (extra, -5.0)
    others = [trial.proposal.configuration for trial in other.trials if trial.loss != -5.0]
    unmoved = others == [trial.proposal.configuration for trial in plain.trials]
    assert unmoved == (method in UNMOVED)


@each_method
def test_asked_twice_it_says_the_same_and_what_it_gives_may_be_changed(method):
    optimizer = Optimizer(space_of(method), method, budget=16)
    first = optimizer.ask()
    kept = dict(first)
    first.clear()
    assert optimizer.ask() == kept


@each_method
def test_after_its_budget_it_goes_on_or_says_that_all_is_evaluated(method):
    budget = {"bo_init13": 13, "divbo_bo": 5}.get(method, 4)  # initial design
    optimizer = asked(Optimizer(space_of(method), method, budget=budget), loss_of(method), budget)
    if method in ("grid", "random_sobol"):
        with pytest.raises(UserError, match=r"^all 4 points of the budget were evaluated; give a larger budget$"):
            optimizer.ask()
    else:
        asked(optimizer, loss_of(method), 1)


@pytest.mark.parametrize("method", ["gp_cond_ls", "cma", "smac"])
def test_nan_infinity_exceptions_and_reasons_are_failed_trials(method):
    optimizer = Optimizer(SPACE, method)
    for failure in (math.nan, math.inf, ValueError("no luck\nat all"), "out of patience"):
        optimizer.tell(optimizer.ask(), failure)
    frame = optimizer.history
    assert list(frame["status"]) == ["failed"] * 4
    assert list(frame["reason"]) == ["the loss is nan", "the loss is inf", "ValueError: no luck", "out of patience"]
    assert frame["loss"].isna().all()
    with pytest.raises(EmptyPoolError, match="none of the 4 trials has finished; the last one failed: out of patience"):
        _ = optimizer.best
    configuration = optimizer.ask()
    optimizer.tell(configuration, np.float32(0.5))
    assert optimizer.best == (configuration, 0.5)


@each_method
@pytest.mark.filterwarnings("error")
def test_every_loss_of_the_allowed_size_is_learned_from_and_a_larger_one_is_a_failed_trial(method):
    initial = {"bo_init13": 13}.get(method, 3)  # design
    optimizer = asked(Optimizer(space_of(method), method, budget=16), loss_of(method), initial)
    for penalty in (LARGEST, -LARGEST, 1e155, -sys.float_info.max):
        optimizer.tell(optimizer.ask(), penalty)
    optimizer.ask()
    frame = optimizer.history[initial:]
    assert list(frame["loss"][:2]) == [LARGEST, -LARGEST]
    assert list(frame["status"]) == ["finished"] * 2 + ["failed"] * 2
    assert frame["reason"].iloc[2] == "the loss is 1e+155, larger than 1e+15"
    assert frame["loss"][2:].isna().all()


def test_from_its_journal_it_goes_on_with_the_same_trials(tmp_path):
    whole = asked(Optimizer(SPACE), loss, 7)
    for killed_after in (0, 1, 3, 7):
        path = tmp_path / f"{killed_after}.journal"
        with Optimizer(SPACE, journal=path) as optimizer:
            asked(optimizer, loss, killed_after)
            optimizer.ask()
        with Optimizer(SPACE, journal=path) as again:
            assert same(asked(again, loss, 7 - killed_after), whole)


OTHERS = {
    "seed": {"seed": 1},
    "method": {"method": "random"},
    "hyperparameters": {"space": GRID},
    "clauses": {"space": Space(SPACE, FORBIDDEN)},
    "default": {"space": SPACE | {"C": SPACE["C"] | {"default": 10.0}}},
    "condition": {"space": SPACE | {"gamma": SPACE["gamma"] | {"when": {"kernel": "linear"}}}},
    "fixed": {"space": SPACE | {"seed": {"value": 4}}},
    "imputed": {"space": Space(SPACE, imputed=0.1)},
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_the_journal_of_another_search_is_set_aside(tmp_path, change):
    path = tmp_path / "journal"
    with Optimizer(SPACE, journal=path) as optimizer:
        asked(optimizer, loss, 2)
    with Optimizer(**({"space": SPACE, "journal": path} | change)) as other:
        assert other.trials == []
    assert path.with_name("journal.stale").is_file()


@pytest.mark.parametrize(("method", "kept"), [("smac", 4), ("grid", 0)])
def test_another_budget_is_another_search_for_a_grid_only(tmp_path, method, kept):
    with Optimizer(GRID, method, budget=9, journal=tmp_path / "journal") as optimizer:
        asked(optimizer, loss_of("grid"), 4)
    with Optimizer(GRID, method, budget=16, journal=tmp_path / "journal") as grown:
        assert len(grown.trials) == kept


def test_a_frame_of_ones_own_needs_hyperparameters_and_a_loss_only():
    frame = pd.DataFrame(
        {
            "error": [0.3, 0.1, None],
            "kernel": ["linear", None, "rbf"],
            "shrinking": [True, False, True],
            "degree": [2, None, 4],
            "gamma": [None, None, 0.1],
            "C": [1, 2, 3],
            "seed": 3,
            "note": "mine",
        }
    )
    optimizer = Optimizer.from_frame(Space(SPACE, FORBIDDEN), frame, loss="error")
    assert optimizer.best == ({"kernel": None, "C": 2, "shrinking": False, "seed": 3}, 0.1)
    assert [trial.status for trial in optimizer.trials] == ["finished", "finished", "failed"]
    assert type(optimizer.trials[0].proposal.configuration["degree"]) is int
    assert optimizer.ask() not in [trial.proposal.configuration for trial in optimizer.trials]


def test_a_hyperparameter_may_be_called_loss():
    space = Space({"loss": {"choices": ["hinge", "log"]}, "C": {"low": 0.0, "high": 1.0}})
    optimizer = asked(Optimizer(space, "random"), lambda configuration: configuration["C"], 2)
    assert same(Optimizer.from_frame(space, optimizer.history, loss="loss_", method="random"), optimizer)

"""Laws of the random generators: by name, never by counter or order."""

import ast
import os
import subprocess
import sys
from dataclasses import fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import bayes_hpo
from bayes_hpo.repetition import Repetition
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "iris", 0)


def _first(seeds, *names):
    return seeds(*names).integers(2**63)


def test_the_same_name_gives_the_same_draws_in_any_order():
    there = [_first(SEEDS, "mcmc", t) for t in range(5)]
    back = [_first(Seeds("study", "iris", 0), "mcmc", t) for t in reversed(range(5))]
    assert there == back[::-1]


@pytest.mark.parametrize(
    "others",
    [
        [(SEEDS, "mcmc"), (SEEDS, "split")],
        [(SEEDS, "mcmc"), (SEEDS, "mcmc", 0), (SEEDS, "mcmc", 1), (SEEDS, "mcmc", 0, 0), (SEEDS, "mcmc", -1)],
        [(Seeds("study", "iris", repetition), "mcmc") for repetition in range(20)],
        [(Seeds("study", name, 0), "mcmc") for name in ("iris", "wine", "Iris")],
        [(Seeds(name, "iris", 0), "mcmc") for name in ("study", "other")],
    ],
    ids=["names", "numbers", "repetitions", "datasets", "owners"],
)
def test_another_name_gives_other_draws(others):
    draws = [_first(*names) for names in others]
    assert len(set(draws)) == len(draws)


def test_names_do_not_collide_by_running_together():
    seeds = [Seeds("ab", "c", 1), Seeds("a", "bc", 1), Seeds("a", "b", 11), Seeds("abc", "", 1), Seeds("", "abc", 1)]
    names = [("x", 1), ("x1",), ("1x",), ("x", 1, 1), ("x", 11), ("1", 1), ("", 1), ("x", 0, 1), ("x", 10)]
    draws = {(one, name): _first(one, *name) for one in seeds for name in names}
    assert all(draws[a] != draws[b] for a, b in combinations(draws, 2))


@pytest.mark.parametrize("number", [1.0, np.float64(1), "1", None])
def test_only_whole_numbers_name_a_draw(number):
    with pytest.raises(TypeError, match="whole numbers"):
        SEEDS("mcmc", number)


def test_integers_of_numpy_are_the_same_numbers():
    assert _first(SEEDS, "mcmc", np.int64(7)) == _first(SEEDS, "mcmc", np.uint8(7)) == _first(SEEDS, "mcmc", 7)


def test_draws_are_the_same_in_another_process():
    code = "from bayes_hpo.seeds import Seeds; print(Seeds('study', 'iris', 0)('mcmc', 3).integers(2**63))"
    told = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, check=True
    )
    assert int(told.stdout) == _first(SEEDS, "mcmc", 3)


def test_the_key_holds_nothing_but_owner_dataset_and_repetition(iris, toy_job):
    assert [field.name for field in fields(Seeds)] == ["owner", "dataset", "repetition"]
    jobs = [toy_job(searcher, "kfold_r") for searcher in ("random", "cma", "grid", "gp")] + [toy_job(budget=100)]
    assert {Repetition.of(job, iris, 3).seeds for job in jobs} == {Seeds("overfitting", "tiny", 3)}


def test_methods_of_a_repetition_share_their_splits(iris, toy_job):
    def folds(searcher):
        r = Repetition.of(toy_job(searcher, "kfold_sel_r"), iris, 1)
        return [fold.train.tolist() for fold in r.protocol.folds(r.parts, iris.y, 5, r.seeds, training_cap=5000)]

    assert folds("cma") == folds("gp") == folds("random")


def test_every_protocol_has_the_same_test_part(iris, toy_job):
    tests = {
        tuple(Repetition.of(toy_job(protocol=protocol), iris, 2).parts.test)
        for protocol in ("holdout", "holdout_r", "holdout_sel", "kfold", "kfold_sel_r")
    }
    assert len(tests) == 1


NAMES = {  # name -> how many numbers follow it; pools hang on them, so they are data
    "around_best": {0, 1},
    "bag": {1},
    "candidates": {1},
    "forest": {1},
    "bootstraps": {0},
    "generation": {1},
    "grid_order": {0},
    "initial": {1},
    "learner *": {0},
    "mcmc": {0, 1},
    "mondrian": {0},
    "neighbours": {1},
    "noise": {0},
    "objective": {1},
    "partition": {0},
    "points": {0},
    "posterior_mean_around_best": {0},
    "posterior_mean_mcmc": {0},
    "proposal": {1},
    "refit": {0},
    "risks": {0},
    "sample": {0},
    "selection": {0},
    "sobol_order": {0},
    "split": {1},
    "step_bag": {1},
    "test": {0},
    "validation_vote": {0},
    "vote": {0},
    "diversity": {1},
    "mutation": {1},
    "stack": {0},
    "stack_folds": {0},
    "tied_candidates": {1},
    "surrogate_correlations_*": {1},
}


def _named(call):
    """(name, numbers) of a call of seeds; what an f-string fills in stands as *."""
    first, *numbers = call.args
    parts = first.values if isinstance(first, ast.JoinedStr) else [first]
    return "".join(part.value if isinstance(part, ast.Constant) else "*" for part in parts), len(numbers)


def test_the_names_of_draws_are_frozen():
    found = {}
    for path in Path(bayes_hpo.__file__).parent.rglob("*.py"):
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            if getattr(call.func, "id", getattr(call.func, "attr", "")) == "seeds":
                name, numbers = _named(call)
                found.setdefault(name, set()).add(numbers)
    assert found == NAMES

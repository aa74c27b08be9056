"""One contract for every optimizer of the benchmarks, and what is particular to ours."""

import sys

import numpy as np
import pytest
import yaml

from bayes_hpo.errors import UserError
from benchmarks.peers import GP_PEERS, OPTIMIZERS, library

D, N = 2, 12
OWN = ("fast", "published", "sklearn", "random")


def peer(name):
    return pytest.param(name, marks=() if name in OWN else pytest.mark.slow)


def bowl(point):
    return float(((point - 0.3) ** 2).sum())


def asked(name, turns=3):
    """Points (turns, D) that an optimizer asks for after N points of another."""
    try:
        one = OPTIMIZERS[name](D, budget=50, seed=4)
    except UserError as problem:
        pytest.skip(str(problem))
    points = np.random.default_rng(1).random((N, D))
    one.remember(points, [bowl(point) for point in points])
    found = []
    for _ in range(turns):
        found.append(one.ask())
        one.tell(bowl(found[-1]))
    return np.array(found)


@pytest.mark.parametrize("name", [peer(name) for name in OPTIMIZERS])
def test_an_optimizer_asks_for_points_of_the_cube_and_for_the_same_ones_again(name):
    points = asked(name)
    assert points.shape == (3, D)
    assert ((points >= 0) & (points <= 1)).all()
    assert (asked(name) == points).all()


@pytest.mark.parametrize("name", [peer(name) for name in (*GP_PEERS, "fast", "published")])
def test_an_optimizer_learns_from_the_points_that_it_was_told(name):
    best = min(bowl(point) for point in np.random.default_rng(1).random((N, D)))
    assert min(map(bowl, asked(name, turns=6))) < best


@pytest.mark.parametrize("setting", ["fast", "published"])
def test_ours_runs_with_the_setting_of_conf(setting):
    with open(f"conf/gp/{setting}.yaml") as stream:
        settings = yaml.safe_load(stream)
    searcher = OPTIMIZERS[setting](D, budget=50, seed=0).searcher
    own = {"candidates": searcher.candidates.size, "burn_in": searcher.surrogate.hyperparameters.burn_in}
    assert own | {"samples": searcher.surrogate.hyperparameters.samples} == {
        k: v for k, v in settings.items() if k not in ("name", "restart_burn_in")
    }


@pytest.mark.parametrize("seed", [1, 3])
def test_ours_goes_on_when_a_low_loss_moves_all_standard_scores(seed):
    one = OPTIMIZERS["fast"](D, budget=50, seed=seed)
    for loss in (1.2, 2.5, 3.1, -1000.0, -1001.0, -5000.0):
        one.ask()
        one.tell(loss)
    assert one.ask().shape == (D,)


def test_a_library_that_is_missing_is_one_sentence_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "skopt", None)  # as Python marks what cannot be imported
    with pytest.raises(UserError, match=r"skopt cannot be imported .* pip install -e '\.\[benchmarks\]'"):
        library("skopt")

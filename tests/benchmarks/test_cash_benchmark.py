"""Laws of the benchmark of chapter 5's space: peers see that space, tables count the runs that all have made."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError
from benchmarks import cash as module
from benchmarks.cash_optimizers import CASH_OPTIMIZERS, BoTorchMixed, OptunaTPE, config_space


@pytest.fixture(scope="module")
def space():
    node = configure("plan", ["study=conditional", "scale=toy"])["study"]["space"]
    return build(node, "space")


class Trial:
    """An Optuna trial that suggests the first choice and the lowest number, but for the learner."""

    def __init__(self, learner):
        self.learner = learner

    def suggest_categorical(self, name, choices):
        return self.learner if name == "learner" else choices[0]

    def suggest_int(self, name, low, high):
        return low

    def suggest_float(self, name, low, high, log):
        return low


@pytest.mark.parametrize("learner", ["svm", "rf", "gnb"])
def test_optuna_suggests_what_is_active_and_nothing_else(space, learner):
    one = OptunaTPE.__new__(OptunaTPE)
    one.space, one.study = space, type("Study", (), {"ask": lambda self: Trial(learner)})()
    configuration = one.ask()
    assert configuration["learner"] == learner
    space.encode([configuration])  # raises UserError for one that is not in the space


def test_every_learners_problem_holds_what_is_inactive_in_the_middle(space):
    one = BoTorchMixed.__new__(BoTorchMixed)
    one.space = space
    held = one._held()
    assert [round(8 * own[0]) for own in held] == list(range(9))
    for own in held:
        point = np.full((1, 14), 0.5)
        point[0, 0] = own[0]
        free = set(range(14)) - set(own)
        active = set(np.flatnonzero(space.active(point)[0])) - {0}
        assert free == (active or {13})  # the optimizer wants one that is free
        assert {value for column, value in own.items() if column} <= {0.5}


def test_botorch_weighs_a_candidate_where_it_would_be_evaluated(space, monkeypatch):
    botorch = pytest.importorskip("botorch", reason="comes with the extra benchmarks")
    one, rng, seen = BoTorchMixed(space, budget=12, seed=0), np.random.default_rng(0), []

    def one_learner(*_, post_processing_func, **__):
        points = one.torch.tensor(space.from_uniform(rng.random((40, 14))))[:, None]
        settled = post_processing_func(points)
        seen.append((points.numpy()[:, 0], settled.numpy()[:, 0]))
        return settled, one.torch.tensor(rng.random(40))

    monkeypatch.setattr(botorch.optim, "optimize_acqf", one_learner)
    for loss in np.linspace(0.5, 0.1, 12):
        one.ask()
        one.tell(loss)
    assert len(seen) == 2 * 9  # two suggestions of nine learners
    free, settled = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    assert [space.decode(point) for point in settled] == [space.decode(point) for point in free]
    np.testing.assert_allclose(space.encode([space.decode(point) for point in settled]), settled, atol=1e-12)


def test_botorch_proposes_nothing_twice_unless_there_is_nothing_else():
    one = BoTorchMixed.__new__(BoTorchMixed)
    points, one.points = np.eye(3), [np.eye(3)[1], np.eye(3)[0]]
    assert one._best_untried(points, np.array([-2.0, 5.0, -9.0])).tolist() == [0, 0, 1]
    assert one._best_untried(points[:2], np.array([-2.0, 5.0])).tolist() == [0, 1, 0]


def test_smac_samples_configurations_of_the_space(space):
    pytest.importorskip("ConfigSpace", reason="comes with the extra benchmarks")
    for drawn in config_space(space, 0).sample_configuration(50):
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in dict(drawn).items()}
        assert set(plain) == set(space.decode(space.encode([plain])[0]))


def _rows(runs):
    rows = [
        ("car", name, run, 0.1, 0.2, "abc", 0.1 + 0.01 * place, 0.2 - 0.01 * place)
        for run in range(runs)
        for place, name in enumerate(CASH_OPTIMIZERS)
    ]
    return pd.DataFrame(rows, columns=module.COLUMNS)


def test_the_table_shows_runs_that_all_have_made():
    rows = _rows(2)
    shown = module.tables(rows[:-1])  # the second run lacks an optimizer
    first, *_, last = CASH_OPTIMIZERS
    assert f"| {first} | 0.2 | 10.00 | 1.00 | 20.00 | {len(CASH_OPTIMIZERS)}.00 |" in shown
    assert f"| {last} | 0.2 | {10 + len(CASH_OPTIMIZERS) - 1}.00 | {len(CASH_OPTIMIZERS)}.00 |" in shown
    assert "car 1 of 5" in shown
    with pytest.raises(UserError, match="no data set has a run of every optimizer yet"):
        module.tables(rows[:3])


def test_the_page_shows_what_the_file_holds():
    with open("benchmarks/README.md") as page:
        assert module.tables(module.read(module.RESULTS)) in page.read()

"""The runs of the regret benchmark: what a line holds, what is left to do."""

from argparse import Namespace

import pytest
from burning import BURNT, Burning, burn

from benchmarks.comparison import best_so_far
from benchmarks.peers import OPTIMIZERS
from benchmarks.regret import append, measure, minimise, read
from benchmarks.tasks import TASKS


def options(path, runs):
    return Namespace(results=path, tasks=["branin"], optimizers=["random"], runs=runs)


def told(path):
    return read(path).drop(columns="seconds")


def test_a_run_keeps_its_lowest_losses():
    lowest, seconds = minimise(TASKS["branin"], "random", 0)
    losses = best_so_far(lowest, TASKS["branin"].budget)
    assert losses[0] > losses[-1] > TASKS["branin"].least
    assert seconds > 0


def test_what_is_in_the_file_is_not_made_again(tmp_path):
    measure(options(tmp_path / "parts.csv", 1))
    first = read(tmp_path / "parts.csv")
    measure(options(tmp_path / "parts.csv", 3))
    assert read(tmp_path / "parts.csv").iloc[:1].equals(first)
    measure(options(tmp_path / "whole.csv", 3))
    assert told(tmp_path / "parts.csv").equals(told(tmp_path / "whole.csv"))


def test_the_seconds_of_a_run_are_those_of_its_optimizer(monkeypatch):
    monkeypatch.setitem(OPTIMIZERS, "burning", Burning)
    task = Namespace(d=2, budget=4, instance=lambda run: lambda point: burn() or 0.5)
    _, seconds = minimise(task, "burning", 0)
    assert 9 / 4 * BURNT <= seconds < 10 / 4 * BURNT  # made once, asked and told four times; losses are not its own


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_ours_beats_chance_on_every_task(task):
    ours, chance = (
        best_so_far(minimise(TASKS[task], name, 0)[0], TASKS[task].budget)[-1] for name in ("fast", "random")
    )
    assert ours <= chance


def test_a_revision_of_digits_stays_a_text(tmp_path):
    append(tmp_path / "regret.csv", ["branin", "fast", 0, 0.1, "0691731", "1:2.5"])
    assert read(tmp_path / "regret.csv")["revision"].tolist() == ["0691731"]

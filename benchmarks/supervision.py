"""What the supervised child process adds to the trials of DivBO's random search, in CPU seconds and by the clock.

    python -m benchmarks.supervision [--dataset NAME] [--results FOLDER] [--trials 60] [--turns 5]

The same configurations are searched (loop, journal) in this process and in a supervised child with the limits of
`conf/setting/divbo.yaml`, in turn. They are the first of the search that end within SECONDS of CPU time: the normal
trials. What trials cost themselves varies with other work on the machine far more than what is measured, so it is
measured in two parts: CPU seconds outside the trials (the least of the turns), and those inside, the least of all turns
of each trial, in sum. Before them, the same of trials that cost nothing.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import prepare
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.pool import FINISHED, Proposal, Trial
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.loop import run_search
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.search.supervision import supervised
from bayes_hpo.storage.files import Journal
from benchmarks.clock import used_seconds

SECONDS, MANY = 1.0, 2000


class Listed:
    """A searcher that proposes some configurations (list) in their order."""

    def __init__(self, configurations):
        self.configurations = configurations

    def propose(self, history, seeds):
        """The proposal of trial len(history)."""
        return Proposal(self.configurations[len(history)], len(history))


class Nothing(Evaluation):
    """An evaluation that trains nothing."""

    def __call__(self, proposal):
        """The trial of a proposal, of loss 0."""
        return Trial(proposal, np.zeros(1))


def main():
    """Print what trials cost inside and outside, in this process and supervised."""
    chosen = arguments()
    job = Grid.of("divbo", "small").job("holdout", "random")
    repetition = Repetition.of(job, Data.load(prepare(chosen.dataset, Settings(results_dir=chosen.results))), 0)
    evaluation = build(job["evaluation"], "study.evaluation", repetition=repetition)
    for number in (chosen.trials, MANY):
        cost = compared(Listed([{}] * number), Nothing(repetition), chosen.turns)
        print(f"{number} trials that cost nothing\n{cost}", flush=True)
    searcher = Listed(normal(job, evaluation, chosen.trials))
    print(f"{chosen.trials} trials of {chosen.dataset}\n{compared(searcher, evaluation, chosen.turns)}")


def arguments():
    """The arguments of the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.supervision", description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", default="sklearn-breast-cancer")
    parser.add_argument("--results", default="results", help="folder that holds data/, or gets it")
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--turns", type=int, default=5)
    return parser.parse_args()


def normal(job, evaluation, number):
    """The first configurations (list) of the random search whose trials end within SECONDS of CPU time."""
    search, found, t = RandomSearch(build(job["space"], "space")), [], 0
    seeds = evaluation.repetition.seeds

    def tried(limited):
        return limited(evaluation, proposal).status

    while len(found) < number:
        proposal, t = search.propose(range(t), seeds), t + 1
        if supervised(tried, job["time_limit"], cpu=SECONDS, memory=job["memory_limit"]) == FINISHED:
            found.append(proposal.configuration)
    return found


def compared(searcher, evaluation, turns):
    """The lines (text) on some turns of a search, in this process and supervised."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [
            [measured(how, searcher, evaluation, Path(folder, f"{turn}_{how.__name__}")) for how in (plain, limited)]
            for turn in range(turns)
        ]
    return table(sides)


def plain(search, evaluation):
    """The trials of a search in this process."""
    return search(evaluation)


def limited(search, evaluation):
    """The trials of a search in a supervised child."""
    job = Grid.of("divbo", "small").job("holdout", "random")
    limits = {"cpu": job["cpu_limit"], "memory": job["memory_limit"]}
    return supervised(lambda one: search(partial(one, evaluation)), job["time_limit"], **limits)


def measured(how, searcher, evaluation, path):
    """(CPU seconds outside the trials, seconds by the clock, CPU seconds of each trial (n,)) of one search."""

    def search(evaluate):
        with Journal(path, "key") as journal:
            return run_search(
                searcher,
                evaluate,
                budget=len(searcher.configurations),
                seeds=evaluation.repetition.seeds,
                journal=journal,
                truth=evaluation.truth,
            )

    clock, cpu = time.monotonic(), used_seconds()
    trials = how(search, evaluation)
    seconds = np.array([trial.seconds for trial in trials])
    return used_seconds() - cpu - seconds.sum(), time.monotonic() - clock, seconds


def table(turns):
    """The lines (text) of the turns: each a pair of what `measured` returns, in this process and supervised."""
    lines = []
    for name, side in zip(("in this process", "supervised"), zip(*turns, strict=True), strict=True):
        outside, clock, seconds = (np.array(values) for values in zip(*side, strict=True))
        inside = seconds.min(axis=0)  # (n,)
        lines.append(
            f"{name:16} inside {inside.sum():.3f} s (median trial {np.median(inside):.3f} s), "
            f"outside {np.min(outside):.4f} s, by the clock {np.min(clock):.1f} s at least"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()

"""What the runs of `benchmarks.regret` tell: regrets on the same instances, ranks, non-inferiority.

Margins and scores stand with the tasks; they, the level and the test were fixed before any run.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayes_hpo.errors import UserError
from bayes_hpo.stats.friedman import critical_difference, friedman
from bayes_hpo.stats.ranks import ranks
from benchmarks.peers import GP_PEERS, OPTIMIZERS
from benchmarks.tasks import TASKS

LEVEL, DRAWS, SEED = 0.05, 10_000, 2018


@dataclass(frozen=True)
class Comparison:
    """curves: task -> optimizer -> simple regret (runs, budget) after each trial, on the runs that all have made.

    revisions: of the code that made them.
    """

    curves: dict
    revisions: list

    @classmethod
    def of(cls, rows):
        """From the frame of regret.csv. Raises: UserError when no instance has been tried by every optimizer."""
        wide = {name: _wide(rows[rows["task"] == name]) for name in TASKS}
        if not any(map(len, wide.values())):
            raise UserError("no task has a run of every optimizer yet; make them with python -m benchmarks.regret")
        curves = {name: _regrets(lowest, TASKS[name]) for name, lowest in wide.items() if len(lowest)}
        return cls(curves, sorted(set(rows["revision"])))

    def final(self, task):
        """Scores at the end (runs, optimizers), a frame: less is better."""
        return pd.DataFrame({name: TASKS[task].score(regret[:, -1]) for name, regret in self.curves[task].items()})

    def averaged(self, task):
        """Scores averaged over the trials (runs, optimizers), a frame."""
        return pd.DataFrame(
            {name: TASKS[task].score(regret).mean(axis=1) for name, regret in self.curves[task].items()}
        )

    def medians(self):
        """Median simple regret at the end (optimizers, tasks): of a function in its unit, else percentage points."""
        return pd.DataFrame(
            {
                task: {name: TASKS[task].unit * np.median(regret[:, -1]) for name, regret in own.items()}
                for task, own in self.curves.items()
            }
        )

    def mean_averages(self):
        """Score averaged over trials and runs (optimizers, tasks)."""
        return pd.DataFrame({task: self.averaged(task).mean() for task in self.curves})

    def mean_ranks(self):
        """Rank of the final score among the optimizers, a frame: mean over each task's runs, all runs, the tasks."""
        found = {task: ranks(self.final(task)) for task in self.curves}
        tasks = pd.DataFrame({task: own.mean() for task, own in found.items()})
        return tasks.assign(**{"all runs": pd.concat(found).mean(), "all tasks": tasks.mean(axis=1)})

    def significance(self):
        """Friedman's p and the critical difference over all runs as blocks, and the one over the tasks alone."""
        blocks = pd.concat([self.final(task) for task in self.curves], ignore_index=True)
        count = blocks.shape[1]
        return (
            friedman(blocks)[1],
            critical_difference(count, len(blocks)),
            critical_difference(count, len(self.curves)),
        )

    def best_peer(self, task):
        """The Gaussian-process peer with the lowest mean final score: picked by these runs, so in its own favour."""
        return self.final(task)[[*GP_PEERS]].mean().idxmin()


def _wide(rows):
    """The column `lowest` (runs, optimizers) of one task's rows, of the runs that all optimizers have made."""
    return rows.pivot(index="run", columns="optimizer", values="lowest").reindex(columns=list(OPTIMIZERS)).dropna()


def _regrets(lowest, task):
    """Optimizer -> simple regret (runs, budget), from the texts (runs, optimizers)."""
    losses = np.array([[best_so_far(text, task.budget) for text in lowest[name]] for name in OPTIMIZERS])
    least = losses.min(axis=(0, 2), keepdims=True)[0] if task.least is None else task.least  # (runs, 1)
    return dict(zip(OPTIMIZERS, np.maximum(losses - least, 0), strict=True))


def best_so_far(lowest, budget):
    """Lowest loss (budget,) after each trial, of "trial:loss ..."."""
    losses = np.full(budget, np.inf)
    for item in lowest.split():
        trial, _, loss = item.partition(":")
        losses[int(trial) - 1] = float(loss)
    return np.minimum.accumulate(losses)


def excess(ours, theirs):
    """Mean difference of scores (runs,) on the same instances, and its upper bound: LEVEL, bootstrap over the runs."""
    differences = np.asarray(ours) - np.asarray(theirs)
    drawn = np.random.default_rng(SEED).integers(len(differences), size=(DRAWS, len(differences)))
    return differences.mean(), np.quantile(differences[drawn].mean(axis=1), 1 - LEVEL)

"""The score of an ensemble on the test part, at the end of a search and along the search."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.contracts import Selector
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import FINISHED, TIMED_OUT, Pool
from bayes_hpo.seeds import Seeds

Predict = Callable[[Member], NDArray | None]  # member -> test predictions (n_test[, n_classes]), see `contracts.Final`


def score(ensemble: Ensemble, predict: Predict, y_test: NDArray, rng: Generator, task: Task) -> NDArray:
    """Losses (n_test,) of the ensemble on the test part with classes or values y_test (n_test,).

    Members whose models fail on the test part are left out; if all fail, every loss is the worst loss of the task.
    rng breaks ties of votes (D21).
    """
    tested = [(member, own) for member in ensemble.members if (own := predict(member)) is not None]
    if not tested:
        return np.full(len(y_test), task.worst_loss)
    members, predictions = zip(*tested, strict=True)  # predictions: (n_test[, n_classes]) of each
    return task.losses(replace(ensemble, members=members).combined(np.array(predictions), rng), y_test)


def checkpoints(every: int, budget: int) -> list[int]:
    """Numbers of trials after which the ensemble is scored: the multiples of `every`, and the budget."""
    return sorted({*range(every, budget + 1, every), budget})


def score_pool(
    pool: Pool,
    selectors: dict[str, tuple[Selector, bool]],
    predict: Predict,
    y_test: NDArray,
    seeds: Seeds,
    *,
    task: Task,
    every: int,
) -> Iterator[tuple[dict, NDArray]]:
    """Yield pairs (row of scores, losses (n_test,)) of all methods on one pool; test_error is the mean of the losses.

    selectors: method -> (selector, whether the method is also scored along the search).
    predict: member -> its predictions for the test part.
    y_test (n_test,): classes or values of the test part.
    every: number of trials between two scores along the search. The score at t is that of the ensemble selected from
        pool[:t] (D37); there is no score before the first finished trial.
    Raises: EmptyPoolError when no trial of the pool has finished.
    """
    for method, (selector, along_search) in selectors.items():
        steps = checkpoints(every, len(pool)) if along_search else [len(pool)]
        for t in [t for t in steps if t > pool.finished()[0]]:
            ensemble = selector(pool[:t], seeds)
            losses = score(ensemble, predict, y_test, seeds("vote"), task)
            row = {
                "method": method,
                "iteration": t,
                "final": t == len(pool),
                "validation_loss": _validation_loss(pool, ensemble),
                "test_error": float(losses.mean()),
                "configuration": json.dumps([member.configuration for member in ensemble.members], sort_keys=True),
                "members": len(ensemble.members),
                "failures": json.dumps(failures(pool[:t])),
                "seconds": sum(trial.seconds + trial.seconds_proposal for trial in pool.trials[:t]),
            }
            yield row, losses


def failures(pool: Pool) -> Counter:
    """Reason -> number of failed trials; a reason is "timed out" or the recorded reason up to its first colon."""
    failed = [trial for trial in pool if trial.status != FINISHED]
    return Counter(t.status if t.status == TIMED_OUT else t.reason.partition(":")[0] for t in failed)


def _validation_loss(pool, ensemble):
    """Mean validation loss of the single, evaluated member of an ensemble; otherwise NaN."""
    trial = ensemble.members[0].trial
    return pool[trial].loss if len(ensemble.members) == 1 and trial is not None else float("nan")

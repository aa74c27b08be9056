"""The score of an ensemble on the test part, at the end of a search and along it."""

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

Predict = Callable[[Member], NDArray | None]  # a member -> its predictions (n_test[, n_classes]), as `Final` gives them


def score(ensemble: Ensemble, predict: Predict, y_test: NDArray, rng: Generator, task: Task) -> NDArray:
    """Losses (n_test,) of the ensemble on the test part, whose classes or values are y_test (n_test,).

    Members whose models fail there are left out; every loss is the worst when all do. rng breaks ties of votes (D21).
    """
    tested = [(member, own) for member in ensemble.members if (own := predict(member)) is not None]
    if not tested:
        return np.full(len(y_test), task.worst_loss)
    members, predictions = zip(*tested, strict=True)  # predictions: (n_test[, n_classes]) of each
    return task.losses(replace(ensemble, members=members).combined(np.array(predictions), rng), y_test)


def checkpoints(every: int, budget: int) -> list[int]:
    """Numbers of trials at which the incumbent is scored: the multiples of `every`, and the budget."""
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
    """Yield the score of several methods on one pool: a row, whose test_error is the mean of its losses (n_test,).

    selectors: method -> (selector, whether it is scored along the search too).
    predict: the predictions of a member for the test part.
    y_test (n_test,): its classes or values.
    every: trials between two scores along the search. The score at t is that of the ensemble selected from pool[:t]
        (D37); before the first finished trial there is none.
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
    """Reason -> number of failed trials: "timed out", the name of a learner's error, or the whole reason."""
    failed = [trial for trial in pool if trial.status != FINISHED]
    return Counter(t.status if t.status == TIMED_OUT else t.reason.partition(":")[0] for t in failed)


def _validation_loss(pool, ensemble):
    """Mean validation loss of a single member that was evaluated, else NaN."""
    trial = ensemble.members[0].trial
    return pool[trial].loss if len(ensemble.members) == 1 and trial is not None else float("nan")

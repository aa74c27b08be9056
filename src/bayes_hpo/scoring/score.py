"""The score of an ensemble on the test part, at the end of a search and along it."""

import json
from collections import Counter

import numpy as np

from bayes_hpo.pool import FINISHED, TIMED_OUT


def score(ensemble, predict, y_test, rng, task):
    """Losses (n_test,), those of the task, of what the ensemble predicts for the test part.

    predict(member) -> predictions (n_test[, n_classes]), such as a Refit; rng breaks ties of votes (D21).
    """
    predictions = np.array([predict(member) for member in ensemble.members])  # (n_members, n_test[, n_classes])
    return task.losses(ensemble.combined(predictions, rng), y_test)


def checkpoints(every, budget):
    """Numbers of trials at which the incumbent is scored: the multiples of `every`, and the budget."""
    return sorted({*range(every, budget + 1, every), budget})


def score_pool(pool, selectors, predict, y_test, seeds, *, task, every):
    """Yield (row, losses (n_test,)) of several methods on one pool; row: dict, test_error the mean of the losses.

    selectors: dict, method -> (selector, whether it is scored along the search too: every `every` trials).
    The value at t is of what the selector makes of pool[:t] (D37); a step before the first finished trial has none.
    Raises: EmptyPool when no trial of the pool has finished.
    """
    for method, (selector, traced) in selectors.items():
        steps = checkpoints(every, len(pool)) if traced else [len(pool)]
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


def failures(pool):
    """Counter, reason -> number of failed trials: "timed out", a learner's error by its name, or the whole reason."""
    failed = [trial for trial in pool if trial.status != FINISHED]
    return Counter(t.status if t.status == TIMED_OUT else t.reason.partition(":")[0] for t in failed)


def _validation_loss(pool, ensemble):
    """Mean validation loss of a single member that was tried, else NaN."""
    trial = ensemble.members[0].trial
    return pool[trial].loss if len(ensemble.members) == 1 and trial is not None else float("nan")

"""Losses of the trials of a search on each validation row, from their stored predictions."""

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import RunError
from bayes_hpo.outcomes.kinds import CLASSIFICATION, REGRESSION
from bayes_hpo.outcomes.task import Task
from bayes_hpo.pool import FINISHED, History


def row_losses(history: History, task: Task) -> NDArray:
    """Loss (n_trials, n) of each trial on each validation row; a failed trial has its mean loss on every row.

    Raises: RunError if predictions are not stored, or belong to another kind of task.
    """
    truth, trials = history.truth, [history[t] for t in range(len(history))]
    stored = {t: trial.predictions for t, trial in enumerate(trials) if trial.status == FINISHED}
    if truth is None or any(predictions is None for predictions in stored.values()):
        raise RunError("this pool stores no predictions; give its study evaluation: predictions, and search again")
    kind = REGRESSION if truth.y.dtype.kind == "f" else CLASSIFICATION
    if kind != task.kind:
        raise RunError(f"this pool is of {kind}, its selector or searcher of {task.kind}; give both the study's task")
    losses = np.repeat(history.losses[:, None], len(truth.y), axis=1)  # (n_trials, n)
    for t, predictions in stored.items():
        losses[t] = task.losses(np.asarray(predictions), truth.y)
    return losses

"""Minimization of a function over a search space, by the search loop of the studies."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from bayes_hpo.configuration.limits import NonNegativeInt, PositiveInt
from bayes_hpo.errors import UserError, is_learner_error
from bayes_hpo.library.optimizer import Optimizer
from bayes_hpo.library.trials import frame, lowest, trial
from bayes_hpo.pool import FINISHED, Proposal, Trial
from bayes_hpo.search.loop import run_search


@dataclass(frozen=True)
class Result:
    """The result of a minimization.

    configuration: configuration with the lowest loss; ties go to the earliest trial.
    loss: the lowest loss.
    frame: all trials, one row each (`library.trials.frame`).
    """

    configuration: dict
    loss: float
    frame: pd.DataFrame


def minimize(
    function: Callable[[dict], float],
    space: Any,
    budget: PositiveInt = 100,
    *,
    method: str = "gp_cond_ls",
    seed: NonNegativeInt = 0,
    journal: str | Path | None = None,
    progress: bool = True,
) -> Result:
    """Minimize function(configuration) -> loss over a space with `budget` trials.

    A trial fails if the function raises an error, or if its loss is not finite or exceeds 1e15 in absolute value; a
    missing file or module, or a lack of memory, ends the search (`errors.is_learner_error`). With a journal, an
    interrupted search can be started again: it resumes after the last trial and gives the same trials. With a larger
    budget, it adds trials.
    space, method, seed, journal: as for `Optimizer`.
    progress: whether to show a progress bar.
    Raises: UserError for an invalid argument; EmptyPoolError when every trial failed.
    """
    if not callable(function):
        raise UserError(f"{function!r} is not a function; give one that returns the loss of a configuration")
    with Optimizer(space, method, seed, budget, journal) as optimizer:
        bar = tqdm(total=budget, initial=len(optimizer.trials), disable=not progress, unit="trial")
        best = min((trial.loss for trial in optimizer.trials if trial.status == FINISHED), default=math.inf)

        def evaluate(proposal):
            nonlocal best
            evaluated = timed(function, proposal)
            best = min(best, evaluated.loss)  # unchanged by a loss of NaN
            bar.set_postfix_str(f"best {best:.4g}", refresh=False)
            bar.update()
            return evaluated

        searcher, seeds = optimizer.searcher, optimizer.seeds
        with bar:
            trials = run_search(searcher, evaluate, budget=budget, seeds=seeds, journal=optimizer.journal)
    best_trial = lowest(trials)
    return Result(dict(best_trial.proposal.configuration), best_trial.loss, frame(trials, optimizer.space))


def timed(function: Callable[[dict], float], proposal: Proposal) -> Trial:
    """The trial of a proposal, with the CPU time of the function. Raises: errors that end the search (`minimize`)."""
    start = time.process_time()
    try:
        outcome: Any = function(dict(proposal.configuration))
    except Exception as problem:
        if not is_learner_error(problem):
            raise
        outcome = problem
    return trial(proposal, outcome, time.process_time() - start)

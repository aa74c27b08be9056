"""The minimization of a function over a search space: the loop of every search, with the function as evaluation."""

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
    """What a minimization has found.

    configuration: the one with the lowest loss, the first of equals.
    loss: that loss.
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
    """Minimize function(configuration) -> loss over a space by `budget` trials.

    A loss that is not finite or above 1e15 in size, and an error that the function raises, make a failed trial; a
    missing file or module and too little memory end the search (`errors.is_learner_error`). With a journal, a search
    that was ended after any trial goes on there when it is started again, to the same trials; with a larger budget it
    goes on beyond them.
    space, method, seed, journal: as those of an `Optimizer`. progress: whether a bar is shown.
    Raises: UserError for an argument that is wrong; EmptyPoolError when every trial failed.
    """
    if not callable(function):
        raise UserError(f"{function!r} is not a function; give one that returns the loss of a configuration")
    with Optimizer(space, method, seed, budget, journal) as optimizer:
        bar = tqdm(total=budget, initial=len(optimizer.trials), disable=not progress, unit="trial")
        best = min((trial.loss for trial in optimizer.trials if trial.status == FINISHED), default=math.inf)

        def evaluate(proposal):
            nonlocal best
            evaluated = timed(function, proposal)
            best = min(best, evaluated.loss)  # which a loss of NaN leaves as it is
            bar.set_postfix_str(f"best {best:.4g}", refresh=False)
            bar.update()
            return evaluated

        searcher, seeds = optimizer.searcher, optimizer.seeds
        with bar:
            trials = run_search(searcher, evaluate, budget=budget, seeds=seeds, journal=optimizer.journal)
    best_trial = lowest(trials)
    return Result(dict(best_trial.proposal.configuration), best_trial.loss, frame(trials, optimizer.space))


def timed(function: Callable[[dict], float], proposal: Proposal) -> Trial:
    """The trial of a proposal, with the CPU seconds of the function. Raises: errors that are not the function's own."""
    start = time.process_time()
    try:
        outcome: Any = function(dict(proposal.configuration))
    except Exception as problem:
        if not is_learner_error(problem):
            raise
        outcome = problem
    return trial(proposal, outcome, time.process_time() - start)

"""Trials of the library: from a configuration and its loss, to the rows of a pandas frame and back."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bayes_hpo.acquisition.evaluated import POINT
from bayes_hpo.contracts import Memory
from bayes_hpo.errors import EmptyPoolError, UserError, described
from bayes_hpo.library.methods import NOT_ASKED
from bayes_hpo.pool import FAILED, FINISHED, Proposal, Trial
from bayes_hpo.spaces.parameters import Category, Discrete
from bayes_hpo.spaces.space import Space

OUTCOMES = ("loss", "status", "reason", "seconds")  # columns of a frame behind the hyperparameters
LARGEST = 1e15  # size of a loss: candidates are screened in single precision, which holds squares of 50 times as much


def trial(proposal: Proposal, outcome: float | str | Exception, seconds: float = 0.0) -> Trial:
    """The trial of a proposal; a failed one for a loss above LARGEST in size or NaN, an exception, a reason in words.

    seconds: CPU time of the evaluation. Raises: UserError for an outcome that is nothing of these.
    """
    reason = described(outcome) if isinstance(outcome, Exception) else outcome
    if not isinstance(reason, str):
        loss = _number(reason)
        if abs(loss) <= LARGEST:
            return Trial(proposal, np.array([loss]), seconds=seconds)
        reason = f"the loss is {loss}" + (f", larger than {LARGEST:g}" if math.isfinite(loss) else "")
    return Trial(proposal, np.array([np.nan]), status=FAILED, reason=reason, seconds=seconds)


def _number(loss):
    try:
        return float(loss)
    except OverflowError:  # a whole number of more than 308 digits
        return math.inf
    except (TypeError, ValueError) as problem:
        raise UserError(f"the loss {loss!r} is not a number; give one, or NaN for a failed trial") from problem


def not_asked(configuration: dict, space: Space, memory: Memory) -> Proposal:
    """The proposal of a configuration that no searcher has proposed; memory: that of the trial before.

    A surrogate sees it at its encoded point, and its chain of hyperparameters goes on as if the trial were not there.
    Raises: UserError when it is not a configuration of the space.
    """
    return Proposal(configuration, NOT_ASKED, {**memory, POINT: space.encode([configuration])[0]})


def plain(configuration: dict, space: Space) -> dict:
    """The configuration without types of numpy; whole numbers as such, which a column with gaps holds as floats."""
    if not (isinstance(configuration, dict) and all(isinstance(name, str) for name in configuration)):
        raise UserError(f"{configuration!r} is not a configuration; it must be a dict, name -> value")
    values = {name: value.item() if isinstance(value, np.generic) else value for name, value in configuration.items()}
    whole = {name for name, p in space.parameters.items() if isinstance(p, Discrete) and int in map(type, p.values[:1])}
    floats = {name for name in whole & values.keys() if isinstance(values[name], float) and values[name].is_integer()}
    return {name: int(value) if name in floats else value for name, value in values.items()}


def lowest(trials: Sequence[Trial]) -> Trial:
    """The finished trial with the lowest loss, the first of equals. Raises: EmptyPoolError when none has finished."""
    finished = [trial for trial in trials if trial.status == FINISHED]
    if not finished:
        last = f"; the last one failed: {trials[-1].reason}" if trials else ""
        raise EmptyPoolError(f"none of the {len(trials)} trials has finished{last}")
    return min(finished, key=lambda trial: trial.loss)


def frame(trials: Sequence[Trial], space: Space) -> pd.DataFrame:
    """One row per trial, in order: a column per hyperparameter, missing where it is inactive, then OUTCOMES.

    loss: NaN of a failed trial. seconds: CPU time of the evaluation, 0 if it was told. A column of OUTCOMES that has
    the name of a hyperparameter gets an underscore behind it.
    """
    names = [*space.parameters, *space.fixed]
    columns: dict[str, Any] = {name: [trial.proposal.configuration.get(name) for trial in trials] for name in names}
    for name, hyperparameter in space.parameters.items():
        if not isinstance(hyperparameter, Category) and None in columns[name]:
            columns[name] = np.array(columns[name], dtype=float)
    for outcome in OUTCOMES:
        columns[f"{outcome}_" if outcome in names else outcome] = [getattr(trial, outcome) for trial in trials]
    return pd.DataFrame(columns)


def rows(frame: pd.DataFrame, space: Space, loss: str) -> Iterator[tuple[dict, Any]]:
    """Yield (configuration, loss) of each row of a frame, in order; missing values are inactive hyperparameters.

    loss: name of its column; other columns that are not of hyperparameters are not read.
    Raises: UserError for anything else than a frame, one without the column, or a column that is a hyperparameter.
    """
    if not isinstance(frame, pd.DataFrame):
        raise UserError(f"frame={frame!r} must be a pandas DataFrame, a column per hyperparameter and one of losses")
    names = [*space.parameters, *space.fixed]
    if loss in names or loss not in frame:
        wrong = "is a hyperparameter" if loss in names else "is not a column of the frame"
        raise UserError(f"loss={loss} {wrong}; name the column of losses, of {', '.join(map(str, frame.columns))}")
    for record in frame.to_dict("records"):
        given = {name: record[name] for name in names if not pd.isna(record.get(name))}
        yield plain(given | _none_chosen(given, space), space), record[loss]


def _none_chosen(given, space):
    """The active hyperparameters without a value whose choices include None, which a frame shows as missing, -> None.

    given: name -> value of the others.
    """
    hyperparameters, chosen = list(space.parameters.items()), {}
    for child in space.conditions.order:  # parents first
        name, hyperparameter = hyperparameters[child]
        parents = [(*hyperparameters[condition.parent], condition.numbers) for condition in space.conditions.of[child]]
        values = given | chosen
        if all(parent in values and p.values.index(values[parent]) in numbers for parent, p, numbers in parents) and (
            name not in given and hyperparameter.holds(None)
        ):
            chosen[name] = None
    return chosen

"""Conversions between trials, configurations with losses, and rows of a pandas frame."""

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

OUTCOMES = ("loss", "status", "reason", "seconds")  # columns of a frame after the hyperparameters
LARGEST = 1e15  # of absolute losses: candidates are screened in single precision, which must hold (50 x loss)^2 (D12)


def trial(proposal: Proposal, outcome: float | str | Exception, seconds: float = 0.0) -> Trial:
    """The trial of a proposal with this outcome.

    outcome: a loss; the trial fails for a loss of NaN or above LARGEST in absolute value, an exception, or a text that
        states the reason.
    seconds: CPU time of the evaluation.
    Raises: UserError for any other outcome.
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
    except OverflowError:  # an integer of more than 308 digits
        return math.inf
    except (TypeError, ValueError) as problem:
        raise UserError(f"the loss {loss!r} is not a number; give one, or NaN for a failed trial") from problem


def not_asked(configuration: dict, space: Space, memory: Memory) -> Proposal:
    """A proposal for a configuration that the searcher did not propose; memory: that of the previous trial.

    A surrogate is given its encoded point; the chain of the surrogate's hyperparameters continues from the memory.
    Raises: UserError when the configuration is not in the space.
    """
    return Proposal(configuration, NOT_ASKED, {**memory, POINT: space.encode([configuration])[0]})


def plain(configuration: dict, space: Space) -> dict:
    """The configuration with Python types; integers that a frame stores as floats, for missing values, become ints."""
    if not (isinstance(configuration, dict) and all(isinstance(name, str) for name in configuration)):
        raise UserError(f"{configuration!r} is not a configuration; it must be a dict, name -> value")
    values = {name: value.item() if isinstance(value, np.generic) else value for name, value in configuration.items()}
    whole = {name for name, p in space.parameters.items() if isinstance(p, Discrete) and int in map(type, p.values[:1])}
    floats = {name for name in whole & values.keys() if isinstance(values[name], float) and values[name].is_integer()}
    return {name: int(value) if name in floats else value for name, value in values.items()}


def lowest(trials: Sequence[Trial]) -> Trial:
    """The first finished trial with the lowest loss. Raises: EmptyPoolError when no trial has finished."""
    finished = [trial for trial in trials if trial.status == FINISHED]
    if not finished:
        last = f"; the last one failed: {trials[-1].reason}" if trials else ""
        raise EmptyPoolError(f"none of the {len(trials)} trials has finished{last}")
    return min(finished, key=lambda trial: trial.loss)


def frame(trials: Sequence[Trial], space: Space) -> pd.DataFrame:
    """One row per trial, in order: one column per hyperparameter, missing where it is inactive, then OUTCOMES.

    loss: NaN for a failed trial.
    seconds: CPU time of the evaluation; 0 for trials added by `tell`.
    A column of OUTCOMES whose name is that of a hyperparameter gets a trailing underscore.
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

    loss: name of the column of losses; columns other than this and the hyperparameters are ignored.
    Raises: UserError when `frame` is not a frame, or when `loss` is missing or the name of a hyperparameter.
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
    """Active hyperparameters whose value None is missing in a frame: name -> None.

    given: name -> value of the hyperparameters that are not missing.
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

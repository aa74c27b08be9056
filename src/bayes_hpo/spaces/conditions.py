"""Conditions of a search space: a hyperparameter is active if its parents are active and have the required values."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Discrete
from bayes_hpo.spaces.settings import listed, refuse

MAX_SIGNATURE = 2**62  # must fit a 64-bit integer


@dataclass(frozen=True)
class Condition:
    """A parent, by its index among the hyperparameters, and the numbers of its values that fulfil the condition."""

    parent: int
    numbers: tuple[int, ...]

    @classmethod
    def all_of(cls, owner: str, key: str, needed: dict, parameters: dict[str, Any]) -> "list[Condition]":
        """Parse the conditions of a mapping.

        owner, key: hyperparameter with the mapping, and the mapping's key, for error messages.
        needed: name of a parent -> required value or list of values.
        parameters: name -> hyperparameter, for the whole space.
        Raises: UserError for anything but a mapping, an unknown name, a real hyperparameter, and a missing or invalid
        value.
        """
        refuse(f"{owner}: {problem}" for problem in _problems(key, needed, parameters))
        places = list(parameters)
        return [
            cls(places.index(name), tuple(parameters[name].values.index(value) for value in listed(values)))
            for name, values in needed.items()
        ]

    def holds(self, numbers: NDArray) -> NDArray:
        """Whether the condition holds (n,), given the numbers (n,) of the parent's values."""
        return reduce(np.logical_or, (numbers == number for number in self.numbers))


class Conditions:
    """The conditions of all hyperparameters of a space.

    parameters: name -> hyperparameter.
    when: name -> {parent: value or list of values}; all must hold.
    Raises: UserError for invalid conditions (`Condition.all_of`), for a cycle, and for more combinations of the
    parents' values than a signature can number.
    """

    def __init__(self, parameters: dict[str, Any], when: dict[str, dict]):
        self.of = [Condition.all_of(name, "when", when[name], parameters) for name in parameters]
        parents = {child: [condition.parent for condition in conditions] for child, conditions in enumerate(self.of)}
        try:
            self.order = list(TopologicalSorter(parents).static_order())  # indices, parents before children
        except CycleError as problem:
            cycle = ", ".join(list(parameters)[child] for child in sorted(set(problem.args[1])))
            raise UserError(f"the conditions of {cycle} form a cycle") from problem
        self.parents = sorted({parent for of_child in parents.values() for parent in of_child})
        self.bins = {parent: list(parameters.values())[parent].bins for parent in self.parents}
        if math.prod(1 + bins.count for bins in self.bins.values()) > MAX_SIGNATURE:
            raise UserError(
                f"the values of {len(self.parents)} parents have more combinations than signatures can number"
            )

    def active(self, points: NDArray) -> NDArray:
        """Whether each coordinate of the points (n, d) of the unit cube is active (n, d)."""
        numbers = {parent: bins.number(points[:, parent]) for parent, bins in self.bins.items()}
        active = np.ones(points.shape, dtype=bool)
        for child in self.order:
            for condition in self.of[child]:
                active[:, child] &= active[:, condition.parent] & condition.holds(numbers[condition.parent])
        return active

    def signatures(self, points: NDArray) -> NDArray:
        """A number (n,) per point (n, d), equal for points with the same active parents and parent values (D5.10).

        Having the same signature is an equivalence relation, so the kernel that is 1 there and 0 elsewhere is positive
        semidefinite.
        """
        # mixed-radix number: one digit per parent, 0 if it is inactive
        active, signatures = self.active(points), np.zeros(len(points), dtype=int)
        for parent, bins in self.bins.items():
            digits = np.where(active[:, parent], 1 + bins.number(points[:, parent]), 0)
            signatures = signatures * (1 + bins.count) + digits
        return signatures


class Forbidden:
    """The forbidden clauses of a space: no configuration may fulfil a clause whose hyperparameters are all active.

    parameters: name -> hyperparameter.
    clauses: each {name: value or list of values}.
    Raises: UserError for invalid clauses (`Condition.all_of`).
    """

    def __init__(self, parameters: dict[str, Any], clauses: Iterable[dict]):
        self.columns, self.clauses = list(parameters.values()), list(clauses)
        refuse("forbidden: a clause without a value forbids everything" for clause in self.clauses if clause == {})
        self.conditions = [Condition.all_of("forbidden", "a clause", clause, parameters) for clause in self.clauses]

    def violated(self, points: NDArray, active: NDArray) -> NDArray:
        """Whether each of the points (n, d), with active coordinates (n, d), fulfils each clause (n, n_clauses)."""
        violated = np.ones((len(points), len(self.clauses)), dtype=bool)
        for clause, conditions in enumerate(self.conditions):
            for condition in conditions:
                numbers = self.columns[condition.parent].bins.number(points[:, condition.parent])
                violated[:, clause] &= active[:, condition.parent] & condition.holds(numbers)
        return violated


def _problems(key, needed, parameters):
    """Yield a sentence for each problem with the mapping `needed` of required values."""
    if not isinstance(needed, dict):
        yield f"{key}={needed} must name a parent and its value, as in {{learner: svm}}"
    for parent, values in needed.items():
        if parent not in parameters:
            yield f"there is no hyperparameter {parent}; known: {', '.join(parameters)}"
        hyperparameter = parameters[parent]
        if not isinstance(hyperparameter, Discrete):
            yield f"{parent} is real; a condition needs a parent with choices or integer: true"
        if not listed(values):
            yield f"{key} names no value of {parent}; it is {_described(hyperparameter.values)}"
        if invalid := [value for value in listed(values) if not hyperparameter.holds(value)]:
            yield f"{parent} cannot be {invalid[0]}; it is {_described(hyperparameter.values)}"


def _described(values):
    texts = [str(value) for value in values]
    return f"one of {', '.join(texts)}" if len(texts) <= 12 else f"from {texts[0]} to {texts[-1]}"

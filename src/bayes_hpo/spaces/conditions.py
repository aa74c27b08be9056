"""Conditions of a search space: a hyperparameter is active where its parents are and have the values that it needs."""

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

MAX_SIGNATURE = 2**62  # a 64-bit integer


@dataclass(frozen=True)
class Condition:
    """A parent, by its index among the hyperparameters, and the numbers of the values that fulfil the condition."""

    parent: int
    numbers: tuple[int, ...]

    @classmethod
    def all_of(cls, owner: str, key: str, needed: dict, parameters: dict[str, Any]) -> "list[Condition]":
        """The conditions of a mapping.

        owner, key: the hyperparameter of the mapping and its key there, for messages.
        needed: name -> value or list of values.
        parameters: name -> hyperparameter, all of the space.
        Raises: UserError for anything else than a mapping, an unknown name, a real hyperparameter, a missing or invalid
        value.
        """
        refuse(f"{owner}: {problem}" for problem in _problems(key, needed, parameters))
        places = list(parameters)
        return [
            cls(places.index(name), tuple(parameters[name].values.index(value) for value in listed(values)))
            for name, values in needed.items()
        ]

    def holds(self, numbers: NDArray) -> NDArray:
        """Whether it holds (n,) where the parent's value has one of the numbers (n,)."""
        return reduce(np.logical_or, (numbers == number for number in self.numbers))


class Conditions:
    """The conditions of every hyperparameter of a space, parents before children.

    parameters: name -> hyperparameter. when: name -> {parent: value or list of values}; all must hold.
    Raises: UserError for invalid conditions (`Condition.all_of`), a cycle, and more combinations of the parents' values
    than a signature can number.
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
        """Which coordinates (n, d) of the points (n, d) of the unit cube are active."""
        numbers = {parent: bins.number(points[:, parent]) for parent, bins in self.bins.items()}
        active = np.ones(points.shape, dtype=bool)
        for child in self.order:
            for condition in self.of[child]:
                active[:, child] &= active[:, condition.parent] & condition.holds(numbers[condition.parent])
        return active

    def signatures(self, points: NDArray) -> NDArray:
        """A number (n,) per point of (n, d), equal where the same parents are active and have the same values (D5.10).

        "Same signature" is an equivalence relation, so the kernel that is 1 there and 0 elsewhere is positive
        semidefinite.
        """
        # digits of a mixed radix: one per parent, 0 where it is inactive
        active, signatures = self.active(points), np.zeros(len(points), dtype=int)
        for parent, bins in self.bins.items():
            digits = np.where(active[:, parent], 1 + bins.number(points[:, parent]), 0)
            signatures = signatures * (1 + bins.count) + digits
        return signatures


class Forbidden:
    """The forbidden clauses of a space: a configuration may not fulfil one in which all hyperparameters are active.

    parameters: name -> hyperparameter. clauses: each {name: value or list of values}.
    Raises: UserError for invalid ones (`Condition.all_of`).
    """

    def __init__(self, parameters: dict[str, Any], clauses: Iterable[dict]):
        self.columns, self.clauses = list(parameters.values()), list(clauses)
        refuse("forbidden: a clause without a value forbids everything" for clause in self.clauses if clause == {})
        self.conditions = [Condition.all_of("forbidden", "a clause", clause, parameters) for clause in self.clauses]

    def violated(self, points: NDArray, active: NDArray) -> NDArray:
        """Which clauses (n, n_clauses) the points (n, d) fulfil; active (n, d): their active coordinates."""
        violated = np.ones((len(points), len(self.clauses)), dtype=bool)
        for clause, conditions in enumerate(self.conditions):
            for condition in conditions:
                numbers = self.columns[condition.parent].bins.number(points[:, condition.parent])
                violated[:, clause] &= active[:, condition.parent] & condition.holds(numbers)
        return violated


def _problems(key, needed, parameters):
    """Yield a sentence for each problem with the mapping `needed` of a condition."""
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

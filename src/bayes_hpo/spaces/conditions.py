"""Conditions of a search space: a hyperparameter is active where its parents are and have the values that it needs."""

import math
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Discrete
from bayes_hpo.spaces.settings import refuse

MOST = 2**62  # of a signature, a 64-bit integer


@dataclass(frozen=True)
class Condition:
    """A parent, by its place among the hyperparameters, and the numbers of the values that fulfil the condition."""

    parent: int
    numbers: tuple

    @classmethod
    def all_of(cls, owner, key, needed, parameters):
        """The conditions (list) of a mapping, name -> value or list of values, among the parameters (dict).

        owner, key: whose mapping it is, and how it is called there, for messages. Raises: UserError for no mapping, an
        unknown name, one without numbered values, no value or one that it cannot take.
        """
        refuse(f"{owner}: {problem}" for problem in _problems(key, needed, parameters))
        places = list(parameters)
        return [
            cls(places.index(name), tuple(parameters[name].values.index(value) for value in listed(values)))
            for name, values in needed.items()
        ]


class Conditions:
    """The conditions of every hyperparameter of a space, parents before children.

    parameters: dict, name -> hyperparameter. when: dict, name -> {parent: value or list of values}; all must hold.
    Raises: UserError for invalid conditions (`Condition.all_of`), a cycle, and more combinations of the parents' values
    than a signature can number.
    """

    def __init__(self, parameters, when):
        self.parameters = parameters
        self.of = [Condition.all_of(name, "when", when[name], parameters) for name in parameters]
        self.order = self._parents_first()
        self.parents = sorted({condition.parent for conditions in self.of for condition in conditions})
        if math.prod(1 + list(parameters.values())[parent].bins.count for parent in self.parents) > MOST:
            raise UserError(
                f"the values of {len(self.parents)} parents have more combinations than signatures can number"
            )

    def active(self, points):
        """Which coordinates (n, d) of the points (n, d) of the unit cube are active."""
        columns = list(self.parameters.values())
        numbers = {parent: columns[parent].bins.number(points[:, parent]) for parent in self.parents}
        active = np.ones(points.shape, dtype=bool)
        for child in self.order:
            for condition in self.of[child]:
                active[:, child] &= active[:, condition.parent] & np.isin(numbers[condition.parent], condition.numbers)
        return active

    def signatures(self, points):
        """A number (n,) per point, equal where all active parents are the same ones and have the same values (D5.10).

        "Same signature" is an equivalence relation, so the kernel that is 1 there and 0 elsewhere is positive
        semidefinite.
        """
        columns, active = list(self.parameters.values()), self.active(points)
        signatures = np.zeros(len(points), dtype=int)
        for parent in self.parents:
            bins = columns[parent].bins
            value = np.where(active[:, parent], 1 + bins.number(points[:, parent]), 0)  # 0: inactive, a value too
            signatures = signatures * (1 + bins.count) + value
        return signatures

    def _parents_first(self):
        """Places of all hyperparameters, every one behind its parents."""
        order, left = [], list(range(len(self.of)))
        while left:
            free = [child for child in left if all(condition.parent in order for condition in self.of[child])]
            if not free:
                raise UserError(f"the conditions of {', '.join(self._cycle(left))} form a cycle")
            order += free
            left = [child for child in left if child not in free]
        return order

    def _cycle(self, left):
        """Names of the hyperparameters on a cycle; left: places of some of which each has a parent among them."""
        names, path, place = list(self.parameters), [], left[0]
        while place not in path:
            path.append(place)
            place = next(condition.parent for condition in self.of[place] if condition.parent in left)
        return [names[member] for member in path[path.index(place) :]]


class Forbidden:
    """The forbidden clauses of a space: a configuration may not fulfil one in which all hyperparameters are active.

    parameters: dict, name -> hyperparameter. clauses: list of {name: value or list of values}.
    Raises: UserError for invalid ones (`Condition.all_of`).
    """

    def __init__(self, parameters, clauses):
        self.parameters, self.clauses = parameters, list(clauses)
        refuse("forbidden: a clause without a value forbids everything" for clause in self.clauses if clause == {})
        self.conditions = [Condition.all_of("forbidden", "a clause", clause, parameters) for clause in self.clauses]

    def violated(self, points, active):
        """Which clauses (n, number of clauses) the points (n, d) fulfil; active (n, d): their active coordinates."""
        violated = np.ones((len(points), len(self.clauses)), dtype=bool)
        columns = list(self.parameters.values())
        for clause, conditions in enumerate(self.conditions):
            for condition in conditions:
                numbers = columns[condition.parent].bins.number(points[:, condition.parent])
                violated[:, clause] &= active[:, condition.parent] & np.isin(numbers, condition.numbers)
        return violated


def listed(values):
    """The values of a condition as a list, as they may be given."""
    return values if isinstance(values, list) else [values]


def _problems(key, needed, parameters):
    """What is wrong with the mapping `needed` of a condition, sentences."""
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

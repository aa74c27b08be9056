"""Conditions of a search space: a hyperparameter is active where its parents are and have the values that it needs."""

import math
from dataclasses import dataclass

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Discrete

MOST = 2**62  # of a signature, a 64-bit integer


@dataclass(frozen=True)
class Condition:
    """A parent, by its place among the hyperparameters, and the numbers of the values that activate the child."""

    parent: int
    numbers: tuple


class Conditions:
    """The conditions of every hyperparameter of a space, parents before children.

    parameters: dict, name -> hyperparameter. when: dict, name -> {parent: value or list of values}; all must hold.
    Raises: UserError for an unknown parent, one without numbered values, no value or one that it cannot take, a cycle,
    and more combinations of the parents' values than a signature can number.
    """

    def __init__(self, parameters, when):
        self.parameters = parameters
        self.of = [self._conditions(name, when.get(name, {})) for name in parameters]
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

    def _conditions(self, child, needed):
        if not isinstance(needed, dict):
            raise UserError(f"{child}: when={needed} must name a parent and its value, as in {{learner: svm}}")
        return [self._condition(child, parent, values) for parent, values in needed.items()]

    def _condition(self, child, parent, values):
        if parent not in self.parameters:
            raise UserError(f"{child}: there is no hyperparameter {parent}; known: {', '.join(self.parameters)}")
        own = self.parameters[parent]
        if not isinstance(own, Discrete):
            raise UserError(f"{child}: {parent} is real; a condition needs a parent with choices or integer: true")
        values = values if isinstance(values, list) else [values]
        if not values:
            raise UserError(f"{child}: when names no value of {parent}; it is {_values(own)}")
        if strange := [value for value in values if not own.holds(value)]:
            raise UserError(f"{child}: {parent} cannot be {strange[0]}; it is {_values(own)}")
        return Condition(list(self.parameters).index(parent), tuple(own.number(value) for value in values))

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
        return [names[one] for one in path[path.index(place) :]]


def _values(discrete):
    values = [str(discrete.value(number)) for number in range(discrete.bins.count)]
    return f"one of {', '.join(values)}" if len(values) <= 12 else f"from {values[0]} to {values[-1]}"

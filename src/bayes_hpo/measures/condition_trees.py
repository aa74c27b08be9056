"""The conditions of two small spaces as trees (thesis, 5.3, figure 5.1)."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.measures.searches import Grid
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True, kw_only=True)
class ConditionTrees:
    """The trees of two spaces: `generic` with two levels of conditions, and `cash` with a choice of learners."""

    generic: Space
    cash: Space

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns tree (generic or cash), parent, value and child.

        One row per value of a hyperparameter and child that it activates; child is empty if there is none. Parent and
        value are empty for a hyperparameter without conditions.
        """
        trees = {"generic": self.generic, "cash": self.cash}
        return pd.concat([edges(space).assign(tree=name) for name, space in trees.items()], ignore_index=True)


def edges(space: Space) -> pd.DataFrame:
    """The tree of a space: frame with columns parent, value and child; the last of several parents counts."""
    names, needed = list(space.parameters), space.conditions.of
    rows = [("", "", name) for name, conditions in zip(names, needed, strict=True) if not conditions]
    for place in space.conditions.parents:
        parent = space.parameters[names[place]]
        for number in range(parent.bins.count):
            children = [
                name
                for name, conditions in zip(names, needed, strict=True)
                if conditions and conditions[-1].parent == place and number in conditions[-1].numbers
            ]
            rows += [(names[place], str(parent.values[number]), child) for child in children or [""]]
    return pd.DataFrame(rows, columns=["parent", "value", "child"])

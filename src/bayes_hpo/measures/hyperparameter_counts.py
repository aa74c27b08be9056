"""Numbers of hyperparameters that belong to each choice in a space, counted as in Shen et al. 2022 (tables 6 and 7)."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from bayes_hpo.measures.searches import Grid
from bayes_hpo.spaces.parameters import Category
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True, kw_only=True)
class HyperparameterCounts:
    """Counts of the hyperparameters in the study's space."""

    space: Space

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per value of each unconditional hyperparameter with choices, such as the algorithm.

        root, choice: name and value of the hyperparameter.
        total, categorical, continuous: numbers of hyperparameters that are not shared by all choices; integers are
            counted as continuous.
        conditional_categorical, conditional_continuous: how many of these also depend on another hyperparameter.
        """
        return pd.DataFrame(row for root in self._roots() for row in self._rows(root))

    def _roots(self):
        """Names of the unconditional hyperparameters with choices."""
        every = zip(self.space.parameters.items(), self.space.conditions.of, strict=True)
        return [name for (name, parameter), needed in every if isinstance(parameter, Category) and not needed]

    def _rows(self, root: str) -> Iterator[dict]:
        """Yield one row per choice of a root."""
        shared = self._shared(root)
        for choice in self.space.parameters[root].choices:
            arm = self.space.fix({root: choice})
            own = [name for name in arm.parameters if name not in shared]
            # hyperparameters that are always active in the arm depend on the choice only
            needed = dict(zip(arm.parameters, arm.conditions.of, strict=True))
            yield {"root": root, "choice": str(choice)} | _counts(
                [(isinstance(arm.parameters[name], Category), bool(needed[name])) for name in own]
            )

    def _shared(self, root: str) -> set[str]:
        """Names of the hyperparameters that remain in the space for every choice of a root."""
        return set.intersection(
            *(set(self.space.fix({root: choice}).parameters) for choice in self.space.parameters[root].choices)
        )


def _counts(kinds: list[tuple[bool, bool]]) -> dict[str, int]:
    """The counts of a row. kinds: whether each hyperparameter has choices, and whether it is conditional."""
    return {
        "total": len(kinds),
        "categorical": sum(has_choices for has_choices, _ in kinds),
        "conditional_categorical": sum(has_choices and conditional for has_choices, conditional in kinds),
        "continuous": sum(not has_choices for has_choices, _ in kinds),
        "conditional_continuous": sum(not has_choices and conditional for has_choices, conditional in kinds),
    }

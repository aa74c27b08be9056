"""How many hyperparameters belong to each choice of a space, as Shen et al. 2022 count theirs (tables 6 and 7)."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from bayes_hpo.measures.searches import Grid
from bayes_hpo.spaces.parameters import Category
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True, kw_only=True)
class HyperparameterCounts:
    """space: the study's."""

    space: Space

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, a row per value of each hyperparameter that is always active and has choices, such as the algorithm.

        Columns root and choice, total, categorical and continuous, numbers of the hyperparameters that are active
        under that choice alone (whole numbers are continuous), and conditional_categorical and
        conditional_continuous, how many of these need a value of another one beside it.
        """
        return pd.DataFrame(row for root in self._roots() for row in self._rows(root))

    def _roots(self):
        """Names of the hyperparameters with choices that are always active."""
        every = zip(self.space.parameters.items(), self.space.conditions.of, strict=True)
        return [name for (name, parameter), needed in every if isinstance(parameter, Category) and not needed]

    def _rows(self, root: str) -> Iterator[dict]:
        """A row for each choice of a root."""
        shared = self._shared(root)
        for choice in self.space.parameters[root].choices:
            arm = self.space.fix({root: choice})
            own = [name for name in arm.parameters if name not in shared]
            # what is always active in the arm needs the choice alone
            needed = dict(zip(arm.parameters, arm.conditions.of, strict=True))
            yield {"root": root, "choice": str(choice)} | _counts(
                [(isinstance(arm.parameters[name], Category), bool(needed[name])) for name in own]
            )

    def _shared(self, root: str) -> set[str]:
        """Names of the hyperparameters that every choice of a root leaves in the space."""
        return set.intersection(
            *(set(self.space.fix({root: choice}).parameters) for choice in self.space.parameters[root].choices)
        )


def _counts(kinds: list[tuple[bool, bool]]) -> dict[str, int]:
    """The numbers of a row. kinds: of each hyperparameter, whether it has choices and whether it is conditional."""
    return {
        "total": len(kinds),
        "categorical": sum(has_choices for has_choices, _ in kinds),
        "conditional_categorical": sum(has_choices and conditional for has_choices, conditional in kinds),
        "continuous": sum(not has_choices for has_choices, _ in kinds),
        "conditional_continuous": sum(not has_choices and conditional for has_choices, conditional in kinds),
    }

"""The learner with which each search of a conditional space ends (thesis, 5.5.2, figures 5.8 and 5.9)."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.errors import UserError
from bayes_hpo.measures.searches import searches
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.spaces.space import Space


@dataclass(frozen=True, kw_only=True)
class ChosenLearner:
    """methods: those whose searches are looked into. space: the study's; root: its hyperparameter of choices.

    Raises: UserError when the space has no such choice.
    """

    methods: list
    space: Space
    root: str

    def __post_init__(self):
        if not hasattr(self.space.parameters.get(self.root), "choices"):
            raise UserError(f"root={self.root} is no choice of the space; allowed: {', '.join(self.space.parameters)}")

    def __call__(self, grid):
        """Frame with columns dataset, repetition, validation, method, quantity and value.

        A row per search and choice, quantity chosen_<choice>: 1 for that of the first trial with the lowest loss, else
        0. Raises: Fault when a pool is missing or damaged.
        """
        choices = self.space.parameters[self.root].choices
        rows = []
        for search in searches(grid, self.methods):
            (member,) = argmin(search.pool, search.seeds).members
            final = member.configuration[self.root]
            rows += [search.key | {"quantity": f"chosen_{one}", "value": float(one == final)} for one in choices]
        return pd.DataFrame(rows)

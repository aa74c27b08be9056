"""The root choice with which each search ends, from the configurations of the final scores."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pandas as pd

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.scores import frames

KEYS = ["dataset", "repetition", "validation", "method"]
PREFIX = "chosen_"


@dataclass(frozen=True)
class Choices:
    """The choices of one hyperparameter.

    root: name of the hyperparameter.
    names: its choices, in the order of the space.
    """

    root: str
    names: tuple

    @classmethod
    def of(cls, study: dict) -> Self | None:
        """Those of the `root_choice` of a study (its configuration); None when it names none.

        Raises: UserError when its space has no choices of that name.
        """
        root = study.get("root_choice")
        if root is None:
            return None
        allowed = _allowed(study)
        if root not in allowed:
            raise UserError(unknown("study.root_choice", root, allowed))
        return cls(root, tuple(allowed[root]))

    def read(self, folder: str | Path, **which: Any) -> pd.DataFrame:
        """Frame of KEYS, quantity (chosen_<name>) and value: per search 1 for its final choice, 0 for the others.

        An ensemble counts as its first member. folder, which: as in `frames.read`.
        Raises: RunError for missing or damaged scores, and for a configuration without a choice.
        """
        scores = frames.configurations(folder, **which)
        final = scores["configuration"].map(self._final)
        if not final.isin(self.names).all():
            row = " ".join(str(value) for value in scores.loc[~final.isin(self.names), KEYS].iloc[0])
            hint = frames.remake(which["study"], which["scale"], which.get("hint"))
            raise RunError(f"the score of {row} below {folder} has no {self.root}; delete its file and {hint}")
        wide = scores[KEYS].assign(**{f"{PREFIX}{name}": (final == name).astype(float) for name in self.names})
        return wide.melt(KEYS, var_name="quantity", value_name="value")

    def _final(self, members):
        """The choice of the first member (members: configurations as a JSON list); None when it has none."""
        try:
            return json.loads(members)[0][self.root]
        except (ValueError, TypeError, LookupError):
            return None


def _allowed(study):
    """The categorical hyperparameters of a study's space: dict, name -> choices."""
    parameters = study["space"]["parameters"]
    return {name: given["choices"] for name, given in parameters.items() if "choices" in given}

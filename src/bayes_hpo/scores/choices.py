"""The final root choice of each search, from the configurations of the final scores."""

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
    """The choices of the root hyperparameter.

    root: name of the hyperparameter.
    names: its choices, in the order of the space.
    """

    root: str
    names: tuple

    @classmethod
    def of(cls, study: dict) -> Self | None:
        """The choices of the `root_choice` of a study, given its configuration; None if it has no such key.

        Raises: UserError when the space has no categorical hyperparameter of that name.
        """
        root = study.get("root_choice")
        if root is None:
            return None
        allowed = _allowed(study)
        if root not in allowed:
            raise UserError(unknown("study.root_choice", root, allowed))
        return cls(root, tuple(allowed[root]))

    def read(self, folder: str | Path, **which: Any) -> pd.DataFrame:
        """Frame of KEYS, quantity (chosen_<name>) and value: for each search 1 for its final choice, 0 for the others.

        The choice of an ensemble is that of its first member. folder, which: as in `frames.read`.
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
        """The choice of the first member, or None; members: configurations as a JSON list."""
        try:
            return json.loads(members)[0][self.root]
        except (ValueError, TypeError, LookupError):
            return None


def _allowed(study):
    """The categorical hyperparameters in a study's space (dict, name -> choices)."""
    parameters = study["space"]["parameters"]
    return {name: given["choices"] for name, given in parameters.items() if "choices" in given}

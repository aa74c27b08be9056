"""With which choice of one hyperparameter searches end, from the configurations of their final scores."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pandas as pd

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.errors import Fault, UserError
from bayes_hpo.scores import frames

KEYS = ["dataset", "repetition", "validation", "method"]
PREFIX = "chosen_"


@dataclass(frozen=True)
class Choices:
    """root: a hyperparameter of choices; names: these, in the order of the space."""

    root: str
    names: tuple

    @classmethod
    def of(cls, study: dict) -> Self | None:
        """What a study (its configuration) asks for as `choice`; None when it asks for nothing.

        Raises: UserError when its space has no such choice.
        """
        root = study.get("root_choice")
        if root is None:
            return None
        allowed = _allowed(study)
        if root not in allowed:
            raise UserError(unknown("study.root_choice", root, allowed))
        return cls(root, tuple(allowed[root]))

    def read(self, folder: str | Path, **which: Any) -> pd.DataFrame:
        """A row for each search and name: frame of KEYS, quantity (chosen_<name>) and value, 1 for its choice, else 0.

        An ensemble has that of its first member. folder, which: as in `frames.read`. Raises: Fault for missing or
        damaged scores, and for a configuration without one of the names.
        """
        found = frames.configurations(folder, **which)
        final = found["configuration"].map(self._final)
        if not final.isin(self.names).all():
            row = " ".join(str(value) for value in found.loc[~final.isin(self.names), KEYS].iloc[0])
            hint = frames.remake(which["study"], which["scale"], which.get("hint"))
            lacks = f"does not tell its {self.root}"
            raise Fault(f"the score of {row} below {folder} {lacks}; delete its file and {hint}")
        wide = found[KEYS].assign(**{f"{PREFIX}{name}": (final == name).astype(float) for name in self.names})
        return wide.melt(KEYS, var_name="quantity", value_name="value")

    def _final(self, members):
        """The choice of the first of some configurations (JSON list); None when it is not there."""
        try:
            return json.loads(members)[0][self.root]
        except (ValueError, TypeError, LookupError):
            return None


def _allowed(study):
    """The hyperparameters of choices of a study's space: dict, name -> choices."""
    parameters = study["space"]["parameters"]
    return {name: given["choices"] for name, given in parameters.items() if "choices" in given}

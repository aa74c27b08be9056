"""With which choice of one hyperparameter searches end, from the configurations of their final scores."""

import json
from dataclasses import dataclass

from bayes_hpo import scores
from bayes_hpo.errors import UserError

KEYS = ["dataset", "repetition", "validation", "method"]
PREFIX = "chosen_"


@dataclass(frozen=True)
class Choices:
    """root: a hyperparameter of choices; names: these, in the order of the space."""

    root: str
    names: tuple

    @classmethod
    def of(cls, study):
        """What a study (its configuration) asks for as `choice`; None when it asks for nothing.

        Raises: UserError when its space has no such choice.
        """
        root, parameters = study.get("choice"), study["space"]["parameters"]
        if root is None:
            return None
        if "choices" not in parameters.get(root, {}):
            raise UserError(f"study.choice={root} is no choice of the space; allowed: {', '.join(parameters)}")
        return cls(root, tuple(parameters[root]["choices"]))

    def read(self, folder, **which):
        """Frame of KEYS, quantity and value: 1 for chosen_<the choice> of the first final member, 0 for every other.

        folder, which: as in `scores.read`. Raises: Fault for missing or damaged scores.
        """
        found = scores.configurations(folder, **which)
        final = found["configuration"].map(lambda members: json.loads(members)[0][self.root])
        wide = found[KEYS].assign(**{f"{PREFIX}{name}": (final == name).astype(float) for name in self.names})
        return wide.melt(KEYS, var_name="quantity", value_name="value")

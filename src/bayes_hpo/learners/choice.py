"""A choice among learners or transformers by a root hyperparameter, and the hyperparameters of each option."""

from dataclasses import dataclass
from typing import Any

from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Choice:
    """root: name of the hyperparameter that chooses. options: its value -> learner or transformer.

    The hyperparameters of an option are named OPTION_hyperparameter; where several options begin a name, it belongs to
    the longest.
    """

    root: str
    options: dict

    def split(self, configuration: dict) -> tuple[Any, dict, dict]:
        """The chosen option of a configuration, its hyperparameters without the prefix, and all others.

        Raises: UserError for a value of the root without an option.
        """
        name = configuration[self.root]
        if name not in self.options:
            raise UserError(f"{self.root}={name} is not one of {', '.join(self.options)}")
        chosen = {key.removeprefix(f"{name}_"): v for key, v in configuration.items() if self._option(key) == name}
        others = {key: value for key, value in configuration.items() if key != self.root and self._option(key) != name}
        return self.options[name], chosen, others

    def _option(self, key):
        """The option to which a hyperparameter belongs; None where it belongs to no option."""
        return max((name for name in self.options if key.startswith(f"{name}_")), key=len, default=None)

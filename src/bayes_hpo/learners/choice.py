"""A choice among learners or transformers by a hyperparameter, and which hyperparameters belong to what is chosen."""

from dataclasses import dataclass

from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Choice:
    """root: name of the hyperparameter that chooses. options: dict, its value -> what it chooses.

    The hyperparameters of an option are named OPTION_hyperparameter; of several options that begin a name it belongs to
    the longest.
    """

    root: str
    options: dict

    def split(self, configuration):
        """(what is chosen, its hyperparameters, all others) of a configuration; both without those names, dicts.

        Raises: UserError for a value of the root without an option.
        """
        name = configuration[self.root]
        if name not in self.options:
            raise UserError(f"{self.root}={name} is not one of {', '.join(self.options)}")
        own = {key.removeprefix(f"{name}_"): value for key, value in configuration.items() if self._owner(key) == name}
        others = {key: value for key, value in configuration.items() if key != self.root and self._owner(key) != name}
        return self.options[name], own, others

    def _owner(self, key):
        """The option to which a hyperparameter belongs; None where it belongs to no one."""
        return max((name for name in self.options if key.startswith(f"{name}_")), key=len, default=None)

"""The search space of a user: from a dict, a YAML file of the form of conf/space, or a ConfigurationSpace."""

from pathlib import Path
from typing import Any, Self

from bayes_hpo.configuration.options import written
from bayes_hpo.errors import UserError
from bayes_hpo.library import config_space
from bayes_hpo.spaces import space

KEYS = ("parameters", "forbidden", "imputed")
TARGET = "_target_"  # of a file of conf/space, always this class


class Space(space.Space):
    """A search space with more ways to be made; `Space(parameters, forbidden=[...])` takes plain dicts.

    For example ``Space({"C": {"low": 1e-3, "high": 1e3, "log": True}, "kernel": {"choices": ["linear", "rbf"]},
    "gamma": {"low": 1e-5, "high": 10, "log": True, "when": {"kernel": "rbf"}}})``.
    """

    def __init__(self, parameters: dict, forbidden: list | tuple = (), imputed: space.Coordinate | None = None):
        if not isinstance(parameters, dict):
            raise UserError(f"parameters={parameters!r} must be a dict, name -> mapping such as {{low: 0, high: 1}}")
        super().__init__(parameters, forbidden, imputed)

    @classmethod
    def from_yaml(cls, path: str | Path) -> Self:
        """The space of a YAML file: a mapping `parameters` and, optionally, `forbidden` and `imputed`.

        Raises: UserError when there is no such file, it is not YAML, has other keys, or for invalid settings.
        """
        path = Path(path).resolve()
        if not (path.is_file() and path.suffix == ".yaml"):
            raise UserError(f"there is no space {path}; give the path of a file that ends in .yaml")
        content = written(path.parent.name, path.stem, conf=path.parent.parent)
        content.pop(TARGET, None)
        if unknown := sorted(set(content) - set(KEYS)):
            raise UserError(f"{path} has a key {unknown[0]}; allowed: {', '.join(KEYS)}")
        if "parameters" not in content:
            raise UserError(f"{path} lacks parameters; it needs a mapping of that name")
        return cls(**content)

    @classmethod
    def from_configspace(cls, given: Any) -> Self:
        """The space of a `ConfigSpace.ConfigurationSpace`, with its conditions, forbidden clauses and defaults.

        Raises: UserError without the package ConfigSpace, and for what this space cannot express: weights, normal and
        beta distributions, conditions on real parents, relations between hyperparameters.
        """
        return cls(*config_space.settings(given))


def as_space(given: Any) -> space.Space:
    """The space that is given: itself, or made of a dict, of the path of a YAML file, or of a ConfigurationSpace.

    Raises: UserError as the constructors of `Space`.
    """
    if isinstance(given, space.Space):
        return given
    if isinstance(given, str | Path):
        return Space.from_yaml(given)
    return Space.from_configspace(given) if config_space.is_one(given) else Space(given)

"""A user's search space: from a dict, a YAML file in the format of conf/space, or a ConfigurationSpace."""

from pathlib import Path
from typing import Any, Self

from bayes_hpo.configuration.limits import check_ranges
from bayes_hpo.configuration.options import written
from bayes_hpo.errors import UserError
from bayes_hpo.library import config_space
from bayes_hpo.spaces import space

KEYS = ("parameters", "forbidden", "imputed")
TARGET = "_target_"  # key in files of conf/space, which always names this class
ENDING = ".yaml"


class Space(space.Space):
    """A search space with further constructors; `Space(parameters, forbidden=[...])` takes plain dicts.

    For example ``Space({"C": {"low": 1e-3, "high": 1e3, "log": True}, "kernel": {"choices": ["linear", "rbf"]},
    "gamma": {"low": 1e-5, "high": 10, "log": True, "when": {"kernel": "rbf"}}})``.
    """

    def __init__(self, parameters: dict, forbidden: list | tuple = (), imputed: space.Coordinate | None = None):
        if not (isinstance(parameters, dict) and all(isinstance(name, str) for name in parameters)):
            raise UserError(f"parameters={parameters!r} must be a dict, name -> mapping such as {{low: 0, high: 1}}")
        if not isinstance(forbidden, list | tuple):
            raise UserError(f"forbidden={forbidden!r} must be a list of clauses such as {{kernel: linear}}")
        if not (imputed is None or isinstance(imputed, int | float)):
            raise UserError(f"imputed={imputed!r} must be a number from 0 to 1, or None")
        check_ranges(imputed, space.Coordinate, "imputed")
        super().__init__(parameters, forbidden, imputed)

    @classmethod
    def from_yaml(cls, path: str | Path) -> Self:
        """The space in a YAML file with the mapping `parameters` and, optionally, `forbidden` and `imputed`.

        Raises: UserError when the file is missing, is not valid YAML, or has other keys or invalid settings.
        """
        if not (isinstance(path, str | Path) and Path(path).is_file()):
            raise UserError(f"there is no space {path}; give the path of a file that ends in {ENDING}")
        path = Path(path).resolve()
        if path.suffix != ENDING:
            raise UserError(f"{path} does not end in {ENDING}; rename it")
        content = {key: value for key, value in _content(path).items() if value is not None}
        content.pop(TARGET, None)
        if unknown := sorted(set(content) - set(KEYS)):
            raise UserError(f"{path} has a key {unknown[0]}; allowed: {', '.join(KEYS)}")
        if "parameters" not in content:
            raise UserError(f"{path} lacks parameters; it needs a mapping of that name")
        return cls(**content)

    @classmethod
    def from_configspace(cls, given: Any) -> Self:
        """The space of a `ConfigSpace.ConfigurationSpace`, with its conditions, forbidden clauses and defaults.

        Raises: UserError without the package ConfigSpace, and for unsupported features: weights, normal and beta
        distributions, conditions on real-valued parents, relations between hyperparameters.
        """
        return cls(*config_space.settings(given))


def _content(path):
    """The content of a YAML file. Raises: UserError when it is not a mapping, or a file in its defaults is missing."""
    try:
        return written(path.parent.name, path.stem, conf=path.parent.parent)
    except (UnicodeDecodeError, FileNotFoundError) as problem:
        raise UserError(f"{path} cannot be read ({problem}); mend that file") from problem


def as_space(given: Any) -> space.Space:
    """The given space, or the space of a dict, of a YAML file (its path), or of a ConfigurationSpace.

    Raises: UserError as the constructors of `Space`.
    """
    if isinstance(given, space.Space):
        return given
    if isinstance(given, str | Path):
        return Space.from_yaml(given)
    return Space.from_configspace(given) if config_space.is_one(given) else Space(given)

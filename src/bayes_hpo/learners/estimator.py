"""A scikit-learn estimator as a learner: seeded, without warnings, fits at the iteration cap counted."""

import inspect
import warnings
from dataclasses import dataclass, field
from typing import Any

from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from bayes_hpo.errors import UserError, described


@dataclass(frozen=True)
class Estimator:
    """Configurations hold arguments of `kind`.

    kind: a class with scikit-learn's interface, a classifier, regressor or transformer.
    settings: fixed arguments; all others are the defaults of the installed library.
    arguments: hyperparameters that are not named as their argument, name -> the argument's name, or {value: arguments
        (dict)} where a value stands for several arguments. The later hyperparameter of a configuration wins.
    Raises: UserError for invalid settings.
    """

    kind: type
    settings: dict = field(default_factory=dict)
    arguments: dict = field(default_factory=dict)

    def __post_init__(self):
        try:
            unfitted = self.kind(**self.settings)
            if hasattr(unfitted, "_parameter_constraints"):  # those of scikit-learn
                unfitted._validate_params()  # it checks in fit otherwise
        except (TypeError, ValueError) as problem:
            raise UserError(f"settings={self.settings}: {described(problem)}") from problem

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedEstimator":
        """The FittedEstimator trained on X (n, p), y (n,); rng seeds a kind that draws.

        Raises: TypeError for an unknown argument, ValueError for one out of its range or for rows that it cannot be
        trained on.
        """
        seed = int(rng.integers(2**31))
        seeded = {"random_state": seed} if _takes(self.kind, "random_state") else {}
        model = self._unfitted(self.settings | self._arguments(configuration) | seeded)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        return FittedEstimator(model, any(issubclass(warning.category, ConvergenceWarning) for warning in caught))

    def unconverged(self, model: "FittedEstimator") -> int:
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(model.capped)

    def _unfitted(self, arguments):
        """The estimator with its arguments (dict), which is then trained."""
        return self.kind(**arguments)

    def _arguments(self, configuration):
        arguments = {}
        for name, value in configuration.items():
            meaning = self.arguments.get(name, name)
            arguments |= meaning[value] if isinstance(meaning, dict) else {meaning: value}
        return arguments


@dataclass(frozen=True)
class FittedEstimator:
    """A trained estimator without warnings; capped: whether its solver met its iteration cap."""

    estimator: Any
    capped: bool

    def predict(self, X: NDArray) -> NDArray:
        """Class or value (n,) of each row of X (n, p)."""
        return self._silently("predict", X)

    def predict_proba(self, X: NDArray) -> NDArray:
        """Probability (n, k) of each class for each row of X (n, p)."""
        return self._silently("predict_proba", X)

    def transform(self, X: NDArray) -> NDArray:
        """The transformed rows (n, q) of X (n, p)."""
        return self._silently("transform", X)

    def _silently(self, method, X):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(self.estimator, method)(X)


def _takes(kind, name):
    """Whether a class takes an argument; one with **kwargs, such as XGBClassifier, hands it to its bases."""
    parameters = inspect.signature(kind).parameters
    hands_on = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    return name in parameters or (hands_on and any(_takes(base, name) for base in kind.__bases__))

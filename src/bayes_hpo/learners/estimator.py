"""A scikit-learn estimator as a learner: seeded, without warnings, with unconverged fits counted."""

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
    """Configurations contain arguments of `kind`.

    kind: class of a classifier, regressor or transformer with scikit-learn's interface.
    settings: fixed arguments; the others have the defaults of the installed library.
    arguments: how hyperparameters map to arguments where the names differ: hyperparameter -> name of the argument, or
        {value: arguments (dict)} if a value sets several arguments. Later hyperparameters of a configuration win.
    Raises: UserError for invalid settings.
    """

    kind: type
    settings: dict = field(default_factory=dict)
    arguments: dict = field(default_factory=dict)

    def __post_init__(self):
        try:
            unfitted = self.kind(**self.settings)
            if hasattr(unfitted, "_parameter_constraints"):  # only scikit-learn's own estimators
                unfitted._validate_params()  # otherwise called in fit, too late for an error of the settings
        except (TypeError, ValueError) as problem:
            raise UserError(f"settings={self.settings}: {described(problem)}") from problem

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedEstimator":
        """The FittedEstimator trained on X (n, p), y (n,); rng seeds a randomized estimator.

        Raises: TypeError for an unknown argument; ValueError for a value out of range, or unsuitable rows.
        """
        seed = int(rng.integers(2**31))
        seeded = {"random_state": seed} if _takes(self.kind, "random_state") else {}
        model = self._unfitted(self.settings | self._arguments(configuration) | seeded)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        return FittedEstimator(model, any(issubclass(warning.category, ConvergenceWarning) for warning in caught))

    def unconverged(self, model: "FittedEstimator") -> int:
        """1 if the solver reached its iteration cap in this fit, else 0."""
        return int(model.capped)

    def _unfitted(self, arguments):
        """The estimator with these arguments (dict), before training."""
        return self.kind(**arguments)

    def _arguments(self, configuration):
        arguments = {}
        for name, value in configuration.items():
            meaning = self.arguments.get(name, name)
            arguments |= meaning[value] if isinstance(meaning, dict) else {meaning: value}
        return arguments


@dataclass(frozen=True)
class FittedEstimator:
    """A trained estimator that predicts without warnings; capped: whether its solver reached its iteration cap."""

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
    """Whether a class takes an argument; a class with **kwargs, such as XGBClassifier, passes it to its bases."""
    parameters = inspect.signature(kind).parameters
    hands_on = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    return name in parameters or (hands_on and any(_takes(base, name) for base in kind.__bases__))

"""An estimator of scikit-learn's form as a learner: seeded by the generator, silent, its iteration cap counted."""

import inspect
import warnings
from dataclasses import dataclass, field

from sklearn.exceptions import ConvergenceWarning

from bayes_hpo.errors import UserError, described


@dataclass(frozen=True)
class Estimator:
    """Configurations hold arguments of `kind`, a class of scikit-learn's form: a classifier, regressor or transformer.

    settings: arguments that no configuration holds. All others are the installed library's defaults.
    arguments: what a hyperparameter stands for that is not named as its argument, dict, name ->
        the argument's name, or {value: arguments (dict)} where a choice stands for other arguments than its value.
      Of two that stand for one argument the later in the configuration counts.
    Raises: UserError for settings that the kind refuses.
    """

    kind: type
    settings: dict = field(default_factory=dict)
    arguments: dict = field(default_factory=dict)

    def __post_init__(self):
        try:
            unfitted = self.kind(**self.settings)
            getattr(unfitted, "_validate_params", lambda: None)()  # scikit-learn's check, made by fit otherwise
        except (TypeError, ValueError) as problem:
            raise UserError(f"settings={self.settings}: {described(problem)}") from problem

    def fit(self, configuration, X, y, rng):
        """Return a FittedEstimator trained on X (n, p), y (n,); rng seeds a kind that draws.

        Raises: TypeError for an argument that the kind does not take, ValueError for one out of its range or for rows
        that it cannot be trained on.
        """
        seed = {"random_state": int(rng.integers(2**31))}
        takes = inspect.signature(self.kind).parameters
        arguments = self.settings | self._arguments(configuration)
        model = self.kind(**arguments, **{name: seed[name] for name in seed if name in takes})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        return FittedEstimator(model, any(issubclass(warning.category, ConvergenceWarning) for warning in caught))

    def unconverged(self, model):
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(model.capped)

    def _arguments(self, configuration):
        arguments = {}
        for name, value in configuration.items():
            meaning = self.arguments.get(name, name)
            arguments |= meaning[value] if isinstance(meaning, dict) else {meaning: value}
        return arguments


@dataclass(frozen=True)
class FittedEstimator:
    """A trained estimator whose warnings go nowhere; capped: whether its solver met its iteration cap."""

    estimator: object
    capped: bool

    def predict(self, X):
        """Class or value of each row of X (n, p)."""
        return self._silently("predict", X)

    def predict_proba(self, X):
        """Probability (n, k) of each class for each row of X (n, p)."""
        return self._silently("predict_proba", X)

    def transform(self, X):
        """The rows of X (n, p) as a transformer makes them (n, q)."""
        return self._silently("transform", X)

    def _silently(self, method, X):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(self.estimator, method)(X)

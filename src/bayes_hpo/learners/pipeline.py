"""Chosen transformers (rescaling, preprocessing, ...) before a learner, all fitted to the training rows alone."""

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.contracts import Learner
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


@dataclass(frozen=True)
class Pipeline:
    """Transformers before a learner.

    steps: in the order of application, name of the root hyperparameter -> {its value: transformer, or null for none}. A
        transformer has the `fit` of a learner; its model has `transform` (`Estimator`).
    learner: trained on the transformed rows; its hyperparameters are those that belong to no step (`Choice`).
    """

    steps: dict
    learner: Learner

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedPipeline":
        """The FittedPipeline trained on X (n, p), y (n,); steps and learner draw from rng in their order.

        Raises: UserError for an unknown option of a step, and the errors of transformers and learner.
        """
        transformers, rest = [], configuration
        for root, options in self.steps.items():
            transformer, arguments, rest = Choice(root, options).split(rest)
            if transformer is not None:
                transformers.append(transformer.fit(arguments, X, y, rng))
                X = transformers[-1].transform(X)
        return FittedPipeline(self.learner, self.learner.fit(rest, X, y, rng), tuple(transformers))

    def unconverged(self, fitted: "FittedPipeline") -> int:
        """1 when the learner's solver met its iteration cap, else 0."""
        return fitted.learner.unconverged(fitted.model)


@dataclass(frozen=True)
class FittedPipeline:
    """A learner, its trained model, and the fitted transformers before it."""

    learner: Learner
    model: Any
    transformers: tuple = ()

    def predict(self, X: NDArray) -> NDArray:
        """Class or value (n,) of each row of X (n, p)."""
        return self.model.predict(self._transformed(X))

    def predict_proba(self, X: NDArray) -> NDArray:
        """Probability (n, k) of each class for each row of X (n, p)."""
        return self.model.predict_proba(self._transformed(X))

    def _transformed(self, X):
        for transformer in self.transformers:
            X = transformer.transform(X)
        return X

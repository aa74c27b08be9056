"""Pipelines of transformers (rescaling, preprocessing, ...) and a learner, all fitted to the training rows only."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.contracts import Learner
from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Choice:
    """A choice among learners or transformers, made by the hyperparameter `root`.

    options: value of the root -> learner or transformer. Their hyperparameters are named OPTION_hyperparameter; if
        several options are prefixes of a name, it belongs to the longest.
    """

    root: str
    options: dict

    def split(self, configuration: dict) -> tuple[Any, dict, dict]:
        """The chosen option, its hyperparameters without the prefix, and all other hyperparameters but the root.

        Raises: UserError for an unknown option.
        """
        name = configuration[self.root]
        if name not in self.options:
            raise UserError(f"{self.root}={name} is not one of {', '.join(self.options)}")
        chosen = {key.removeprefix(f"{name}_"): v for key, v in configuration.items() if self._option(key) == name}
        others = {key: value for key, value in configuration.items() if key != self.root and self._option(key) != name}
        return self.options[name], chosen, others

    def _option(self, key):
        """The option to which a hyperparameter belongs; None if there is none."""
        return max((name for name in self.options if key.startswith(f"{name}_")), key=len, default=None)


@dataclass(frozen=True)
class Pipeline:
    """Transformers followed by a learner.

    steps: name of the root hyperparameter -> {its value: transformer, or null for none}, in the order of application. A
        transformer has the `fit` of a learner; its model has `transform` (`Estimator`).
    learner: trained on the transformed rows; its hyperparameters are those that belong to no step (`Choice`).
    first: transformers without hyperparameters, applied before the steps in every configuration.
    """

    steps: dict
    learner: Learner
    first: list | tuple = ()

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedPipeline":
        """The FittedPipeline trained on X (n, p), y (n,); transformers and learner use rng in order of application.

        Raises: UserError for an unknown option of a step; the errors of transformers, learner and `transformed`.
        """
        chosen: list[tuple[Any, dict]] = [(transformer, {}) for transformer in self.first]
        rest = configuration
        for root, options in self.steps.items():
            transformer, arguments, rest = Choice(root, options).split(rest)
            chosen += [] if transformer is None else [(transformer, arguments)]
        fitted: tuple = ()
        for transformer, arguments in chosen:
            fitted = (*fitted, transformer.fit(arguments, X, y, rng))
            X = transformed(X, fitted[-1])
        return FittedPipeline(self.learner, self.learner.fit(rest, X, y, rng), fitted)

    def unconverged(self, fitted: "FittedPipeline") -> int:
        """1 if the solver of the learner reached its iteration cap, else 0."""
        return fitted.learner.unconverged(fitted.model)


def transformed(X: NDArray, transformer: Any) -> NDArray:
    """Rows (n, q) of X (n, p) after a fitted transformer.

    Raises: ValueError when no column remains or a value is not finite, which some learners would accept.
    """
    X = transformer.transform(X)
    if X.shape[1] == 0:
        raise ValueError("a transformer has left no column")
    if not np.isfinite(X).all():
        raise ValueError("a transformer has made values that are not finite")
    return X


@dataclass(frozen=True)
class FittedPipeline:
    """A trained model, its learner, and the fitted transformers applied first."""

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
            X = transformed(X, transformer)
        return X

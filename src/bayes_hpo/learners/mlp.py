"""A network with two hidden tanh layers, a softmax output and one penalty per layer (Lacoste et al. 2014, 6.1).

Shapes: n rows, p features, k classes, h_1 and h_2 hidden units.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from bayes_hpo.configuration.limits import PositiveInt

UNITS, PENALTIES = ("units_1", "units_2"), ("penalty_1", "penalty_2", "penalty_3")
Layers = list[tuple[NDArray, NDArray]]  # weights (inputs, outputs) and biases (outputs,) of each layer


@dataclass(frozen=True)
class Mlp:
    """Configurations contain units_1, units_2 and penalty_1 to penalty_3.

    max_iter: maximum number of L-BFGS iterations (D14).
    """

    max_iter: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedMlp":
        """The FittedMlp trained on X (n, p), y (n,); rng draws the initial weights."""
        classes, labels = np.unique(y, return_inverse=True)
        sizes = [X.shape[1], *(configuration[name] for name in UNITS), len(classes)]
        penalties = np.array([configuration[name] for name in PENALTIES])
        start = joined([(glorot(*pair, rng), np.zeros(pair[1])) for pair in pairwise(sizes)])

        def objective(parameters):
            value, gradient = loss_and_gradient(divided(parameters, sizes), X, labels, penalties)
            return value, joined(gradient)

        result = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": self.max_iter})
        return FittedMlp(classes, divided(result.x, sizes), capped=result.nit >= self.max_iter)

    def unconverged(self, model: "FittedMlp") -> int:
        """1 if the solver reached its iteration cap, else 0."""
        return int(model.capped)


@dataclass(frozen=True)
class FittedMlp:
    """A trained network: classes (k,), layers, and whether the solver reached its iteration cap."""

    classes: NDArray
    layers: Layers
    capped: bool

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p)."""
        return self.classes[activations(self.layers, X)[-1].argmax(axis=1)]

    def predict_proba(self, X: NDArray) -> NDArray:
        """Probability (n, k) of each class for each row of X (n, p)."""
        return np.exp(log_softmax(activations(self.layers, X)[-1], axis=1))


def glorot(inputs: int, outputs: int, rng: Generator) -> NDArray:
    """Weights (inputs, outputs) ~ U(-a, a), a = sqrt(6 / (inputs + outputs)) (Glorot and Bengio 2010, eq. 16)."""
    bound = np.sqrt(6 / (inputs + outputs))
    return rng.uniform(-bound, bound, (inputs, outputs))


def activations(layers: Layers, X: NDArray) -> list[NDArray]:
    """Output of each layer for X (n, p): X itself, the hidden layers (n, h_1) and (n, h_2), and the logits (n, k)."""
    outputs = [X]
    for weights, biases in layers[:-1]:
        outputs.append(np.tanh(outputs[-1] @ weights + biases))
    weights, biases = layers[-1]
    return [*outputs, outputs[-1] @ weights + biases]


def loss_and_gradient(layers: Layers, X: NDArray, labels: NDArray, penalties: NDArray) -> tuple[float, Layers]:
    """Penalized mean negative log likelihood and its gradient, which has the structure of the layers.

    labels (n,): class number of each row of X (n, p).
    penalties (3,): penalty of each layer.
    """
    # J = -1/n sum_i log p(y_i | x_i) + sum_l lambda_l |W_l|^2; biases are not penalized (D14)
    n, (*outputs, logits) = len(X), activations(layers, X)
    log_p = log_softmax(logits, axis=1)
    value = -log_p[np.arange(n), labels].mean()
    value += sum(penalty * (W**2).sum() for penalty, (W, _) in zip(penalties, layers, strict=True))
    # backpropagation: dJ/dlogits = (p - 1[y]) / n, tanh' = 1 - tanh^2
    delta = np.exp(log_p)
    delta[np.arange(n), labels] -= 1
    delta /= n
    gradient = []
    for (W, _), output, penalty in zip(layers[::-1], outputs[::-1], penalties[::-1], strict=True):
        gradient.append((output.T @ delta + 2 * penalty * W, delta.sum(axis=0)))
        delta = delta @ W.T * (1 - output**2)
    return float(value), gradient[::-1]


def joined(layers: Layers) -> NDArray:
    """All parameters as one vector (q,)."""
    return np.concatenate([part.ravel() for layer in layers for part in layer])


def divided(parameters: NDArray, sizes: list[int]) -> Layers:
    """The layers of a parameter vector (q,), given the number of units of every layer, from features to classes."""
    layers = []
    for inputs, outputs in pairwise(sizes):
        weights, parameters = parameters[: inputs * outputs], parameters[inputs * outputs :]
        layers.append((weights.reshape(inputs, outputs), parameters[:outputs]))
        parameters = parameters[outputs:]
    return layers

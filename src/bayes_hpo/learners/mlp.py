"""A network of two hidden tanh layers and a softmax, with a penalty for each layer (Lacoste et al. 2014, 6.1).

Shapes: n rows, p features, k classes; layers of h_1 and h_2 units.
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
Layers = list[tuple[NDArray, NDArray]]  # weights (inputs, outputs) and biases (outputs,), layer after layer


@dataclass(frozen=True)
class Mlp:
    """Configurations hold units_1, units_2 and penalty_1 to penalty_3.

    max_iter: cap of the iterations of L-BFGS (D14).
    """

    max_iter: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedMlp":
        """The FittedMlp trained on X (n, p), y (n,); rng draws the start."""
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
        """1 when the solver met its iteration cap, else 0."""
        return int(model.capped)


@dataclass(frozen=True)
class FittedMlp:
    """Classes (k,), the layers, and whether the solver met its cap."""

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
    """What each layer gives for X (n, p): X itself, tanh of the hidden layers (n, h), and the logits (n, k)."""
    outputs = [X]
    for weights, biases in layers[:-1]:
        outputs.append(np.tanh(outputs[-1] @ weights + biases))
    weights, biases = layers[-1]
    return [*outputs, outputs[-1] @ weights + biases]


def loss_and_gradient(layers: Layers, X: NDArray, labels: NDArray, penalties: NDArray) -> tuple[float, Layers]:
    """Mean negative log likelihood plus the penalties (3,) of the layers, and its gradient, layer after layer.

    labels (n,): numbers of the classes of X (n, p).
    """
    # J = -1/n sum_i log p(y_i | x_i) + sum_l lambda_l |W_l|^2; biases are not penalized (D14)
    n, (*outputs, logits) = len(X), activations(layers, X)
    log_p = log_softmax(logits, axis=1)
    value = -log_p[np.arange(n), labels].mean()
    value += sum(penalty * (W**2).sum() for penalty, (W, _) in zip(penalties, layers, strict=True))
    # dJ/dlogits = (p - 1[y]) / n, then backwards through tanh' = 1 - tanh^2
    delta = np.exp(log_p)
    delta[np.arange(n), labels] -= 1
    delta /= n
    gradient = []
    for (W, _), output, penalty in zip(layers[::-1], outputs[::-1], penalties[::-1], strict=True):
        gradient.append((output.T @ delta + 2 * penalty * W, delta.sum(axis=0)))
        delta = delta @ W.T * (1 - output**2)
    return float(value), gradient[::-1]


def joined(layers: Layers) -> NDArray:
    """All parameters (q,) as one vector."""
    return np.concatenate([part.ravel() for layer in layers for part in layer])


def divided(parameters: NDArray, sizes: list[int]) -> Layers:
    """The layers of parameters (q,), given the number of units of every layer, features and classes included."""
    layers = []
    for inputs, outputs in pairwise(sizes):
        weights, parameters = parameters[: inputs * outputs], parameters[inputs * outputs :]
        layers.append((weights.reshape(inputs, outputs), parameters[:outputs]))
        parameters = parameters[outputs:]
    return layers

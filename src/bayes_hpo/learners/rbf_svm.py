"""Support vector classification and regression with an RBF kernel, trained by libsvm through scikit-learn."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from sklearn.svm import SVC, SVR

from bayes_hpo.configuration.limits import PositiveInt

PRECOMPUTED = 5000  # most training rows with a precomputed kernel, 200 MB; beyond, libsvm computes the kernel itself
HELD = PRECOMPUTED**2  # most entries of a kernel matrix kept in memory
KERNELS = {"linear": linear_kernel, "rbf": rbf_kernel, "poly": polynomial_kernel, "sigmoid": sigmoid_kernel}


class Svm:
    """A learner whose solver has an iteration cap."""

    def unconverged(self, fitted: "FittedSvm | FittedSvr") -> int:
        """1 if the solver reached its iteration cap in this fit, else 0."""
        return int(fitted.solver.fit_status_)


@dataclass(frozen=True)
class Capped(Svm):
    """An Svm with a fixed iteration cap.

    max_iter: maximum number of iterations of the solver, per binary problem in classification.
    """

    max_iter: PositiveInt


@dataclass(frozen=True)
class RbfSvm(Capped):
    """The learner of chapter 3 (thesis, 3.3); configurations contain C and tau, scikit-learn's gamma."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedSvm":
        """The FittedSvm trained on X (n, p), y (n,); rng is not used.

        Raises: ValueError when y contains only one class.
        """
        return train({"kernel": "rbf", "gamma": configuration["tau"]}, configuration["C"], X, y, self.max_iter)


def train(kernel: dict, C: float, X: NDArray, y: NDArray, max_iter: int) -> "FittedSvm":
    """The FittedSvm trained on X (n, p), y (n,).

    kernel: kernel arguments of SVC.
    max_iter: maximum number of iterations of the solver per binary problem.
    Raises: ValueError when y contains only one class.
    """
    precomputed = len(X) <= PRECOMPUTED
    solver = SVC(C=C, **(kernel | {"kernel": "precomputed"} if precomputed else kernel), max_iter=max_iter)
    solver = _fitted(solver, kernel_matrix(kernel, X) if precomputed else X, y)
    return FittedSvm(solver, X[solver.support_], kernel)


def kernel_matrix(kernel: dict, X: NDArray, Y: NDArray | None = None) -> NDArray:
    """Kernel matrix (n, m) of the rows of X (n, p) and Y (m, p); Y is X by default."""
    return KERNELS[kernel["kernel"]](X, Y, **{name: kernel[name] for name in kernel if name != "kernel"})


@dataclass(frozen=True)
class FittedSvm:
    """A trained SVC, its support vectors (n_support, p), sorted by class, and its kernel arguments.

    Predicts as the SVC does in half the time: kernels with the support vectors only, summed by BLAS.
    """

    solver: SVC
    support_vectors: NDArray
    kernel: dict

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p) by one-vs-one votes; ties go to the first class, as in libsvm."""
        parts = -(-len(self.support_vectors) * len(X) // HELD)  # each part of the kernel has at most about HELD entries
        return np.concatenate([self._predicted(rows) for rows in np.array_split(X, max(1, parts))])

    def _predicted(self, X):
        classes = self.solver.classes_
        votes = np.zeros((len(classes), len(X)), dtype=int)
        for number, margins in self.margins(X):
            won = margins > 0
            votes[number] += won.sum(axis=0)
            votes[number + 1 :] += ~won
        return classes[votes.argmax(axis=0)]

    def margins(self, X: NDArray) -> Iterator[tuple[int, NDArray]]:
        """Yield the number i of each class but the last, with its one-vs-one margins for the rows of X (n, p).

        The margins (k - 1 - i, n) are those against each later class; class i wins where they are positive.
        """
        solver = self.solver
        k = len(solver.classes_)
        sign = -1 if k == 2 else 1  # scikit-learn flips the signs for two classes
        kernels = kernel_matrix(self.kernel, self.support_vectors, X)
        ends = np.cumsum(solver.n_support_)
        # sums[i] (k - 1, n): sum of alpha y K(v, X) over the support vectors v of class i, against each other class
        sums = [
            solver.dual_coef_[:, end - n : end] @ kernels[end - n : end]
            for end, n in zip(ends, solver.n_support_, strict=True)
        ]
        intercepts = np.split(solver.intercept_, np.cumsum(range(k - 1, 1, -1)))
        for i in range(k - 1):
            # margin of i against j > i: sum over the vectors of i + sum over the vectors of j + intercept
            others = np.stack([vectors[i] for vectors in sums[i + 1 :]])
            yield i, sign * (sums[i][i:] + others + intercepts[i][:, None])


@dataclass(frozen=True)
class RbfSvr(Capped):
    """Configurations contain C, gamma and epsilon, which apply to the standardized target.

    Source: Lacoste et al. 2014, 6.1.
    """

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedSvr":
        """The FittedSvr trained on X (n, p), y (n,), standardized; rng is not used."""
        mean, deviation = y.mean(), y.std() or 1.0
        solver = SVR(kernel="rbf", max_iter=self.max_iter, **configuration)
        return FittedSvr(_fitted(solver, X, (y - mean) / deviation), mean, deviation)


@dataclass(frozen=True)
class FittedSvr:
    """A trained SVR, with the mean and standard deviation of its training target."""

    solver: SVR
    mean: float
    deviation: float

    def predict(self, X: NDArray) -> NDArray:
        """Value (n,) of each row of X (n, p), in the unit of the target."""
        return self.mean + self.deviation * self.solver.predict(X)


def _fitted(solver, X, y):
    """The fitted solver, without convergence warnings: `unconverged` reports the iteration cap."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return solver.fit(X, y)

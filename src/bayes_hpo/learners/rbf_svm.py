"""Support vector machines with an RBF kernel, trained by libsvm through scikit-learn: classification, regression."""

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

PRECOMPUTED = 5000  # most training rows whose kernel is precomputed, 200 MB; for more, libsvm computes it itself
HELD = PRECOMPUTED**2  # most numbers of a kernel matrix that are held at once
KERNELS = {"linear": linear_kernel, "rbf": rbf_kernel, "poly": polynomial_kernel, "sigmoid": sigmoid_kernel}


class Svm:
    """A learner that trains one solver with a cap on its iterations."""

    def unconverged(self, fitted: "FittedSvm | FittedSvr") -> int:
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(fitted.solver.fit_status_)


@dataclass(frozen=True)
class Capped(Svm):
    """max_iter: cap of the solver's iterations per binary problem, or of its iterations in a regression."""

    max_iter: PositiveInt


@dataclass(frozen=True)
class RbfSvm(Capped):
    """Configurations hold C and tau (scikit-learn's gamma): the learner of chapter 3 (thesis, 3.3)."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedSvm":
        """The FittedSvm trained on X (n, p), y (n,); rng is for learners that draw.

        Raises: ValueError when y holds one class only.
        """
        return train({"kernel": "rbf", "gamma": configuration["tau"]}, configuration["C"], X, y, self.max_iter)


def train(kernel: dict, C: float, X: NDArray, y: NDArray, max_iter: int) -> "FittedSvm":
    """The FittedSvm trained on X (n, p), y (n,).

    kernel: the arguments of an SVC that are its kernel's.
    max_iter: cap of the solver's iterations per binary problem.
    Raises: ValueError when y holds one class only.
    """
    precomputed = len(X) <= PRECOMPUTED
    solver = SVC(C=C, **(kernel | {"kernel": "precomputed"} if precomputed else kernel), max_iter=max_iter)
    solver = _fitted(solver, kernel_matrix(kernel, X) if precomputed else X, y)
    return FittedSvm(solver, X[solver.support_], kernel)


def kernel_matrix(kernel: dict, X: NDArray, Y: NDArray | None = None) -> NDArray:
    """Kernel (n, m) between the rows of X (n, p) and of Y (m, p), or of X itself."""
    return KERNELS[kernel["kernel"]](X, Y, **{name: kernel[name] for name in kernel if name != "kernel"})


@dataclass(frozen=True)
class FittedSvm:
    """A trained SVC, its support vectors (n_support, p), class after class, and the arguments of its kernel.

    Its predictions are those of the SVC in half the time: kernels with the support vectors only, their sums by BLAS.
    """

    solver: SVC
    support_vectors: NDArray
    kernel: dict

    def predict(self, X: NDArray) -> NDArray:
        """Class (n,) of each row of X (n, p): that of most one-vs-one votes, the first of equals, as in libsvm."""
        parts = -(-len(self.support_vectors) * len(X) // HELD)  # so that no part of the kernel is larger than HELD
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
        """Yield the number i of each class but the last, and its one-vs-one margins for the rows of X (n, p).

        Margins are (k - 1 - i, n): against every later class, in their order, above zero where class i wins.
        """
        solver = self.solver
        k = len(solver.classes_)
        sign = -1 if k == 2 else 1  # scikit-learn flips the signs for two classes
        kernels = kernel_matrix(self.kernel, self.support_vectors, X)
        ends = np.cumsum(solver.n_support_)
        # sums[i] (k - 1, n): alpha y K(support vectors of class i, X), by the coefficients against every other class
        sums = [
            solver.dual_coef_[:, end - n : end] @ kernels[end - n : end]
            for end, n in zip(ends, solver.n_support_, strict=True)
        ]
        intercepts = np.split(solver.intercept_, np.cumsum(range(k - 1, 1, -1)))
        for i in range(k - 1):
            # margin of i against j > i: sum over the vectors of i + sum over those of j + intercept
            others = np.stack([vectors[i] for vectors in sums[i + 1 :]])
            yield i, sign * (sums[i][i:] + others + intercepts[i][:, None])


@dataclass(frozen=True)
class RbfSvr(Capped):
    """Configurations hold C, gamma and epsilon, for a target of mean 0 and deviation 1 over the training rows.

    Source: Lacoste et al. 2014, 6.1.
    """

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "FittedSvr":
        """The FittedSvr trained on X (n, p), y (n,); rng is for learners that draw."""
        mean, deviation = y.mean(), y.std() or 1.0
        solver = SVR(kernel="rbf", max_iter=self.max_iter, **configuration)
        return FittedSvr(_fitted(solver, X, (y - mean) / deviation), mean, deviation)


@dataclass(frozen=True)
class FittedSvr:
    """A trained SVR with the mean and the deviation of its target."""

    solver: SVR
    mean: float
    deviation: float

    def predict(self, X: NDArray) -> NDArray:
        """Value (n,) of each row of X (n, p), in the target's unit."""
        return self.mean + self.deviation * self.solver.predict(X)


def _fitted(solver, X, y):
    """The solver, fitted; that it met its cap is counted in `unconverged`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return solver.fit(X, y)

"""The support vector machine of chapter 3: RBF kernel, trained by libsvm through scikit-learn (thesis, 3.3)."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from bayes_hpo.configuration.limits import PositiveInt

HELD = 5000  # training rows whose kernel is held whole, 200 MB; of more, libsvm computes what it needs itself


@dataclass(frozen=True)
class RbfSvm:
    """Configurations hold C and tau (scikit-learn's gamma); max_iter caps the iterations per binary problem."""

    max_iter: PositiveInt

    def fit(self, configuration, X, y, rng):
        """Return the FittedSvm trained on X (n, p), y (n,); rng is for learners that draw, which this one does not.

        Raises: ValueError when y holds one class only.
        """
        tau = configuration["tau"]
        kernel, inputs = ("precomputed", rbf_kernel(X, gamma=tau)) if len(X) <= HELD else ("rbf", X)
        solver = SVC(C=configuration["C"], kernel=kernel, gamma=tau, max_iter=self.max_iter)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # counted below, not shown each time
            solver.fit(inputs, y)
        return FittedSvm(solver, X[solver.support_], tau)

    def unconverged(self, fitted):
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(fitted.solver.fit_status_)


@dataclass(frozen=True)
class FittedSvm:
    """A trained SVC and its support vectors (n_support, p), class after class.

    It predicts what the SVC would, in half the time: kernels with the support vectors alone, sums over them by BLAS.
    """

    solver: SVC
    support_vectors: np.ndarray
    tau: float

    def predict(self, X):
        """Class of each row of X (n, p): the one that wins most one-vs-one votes, of equals the first, as in libsvm."""
        classes = self.solver.classes_
        votes = np.zeros((len(classes), len(X)), dtype=int)
        for number, margins in self.margins(X):
            won = margins > 0
            votes[number] += won.sum(axis=0)
            votes[number + 1 :] += ~won
        return classes[votes.argmax(axis=0)]

    def margins(self, X):
        """Yield the number of each class but the last, and its one-vs-one margins for the rows of X (n, p).

        Margins are (others, n): against every class behind it, in their order, above zero where it wins.
        """
        solver = self.solver
        k = len(solver.classes_)
        sign = -1 if k == 2 else 1  # scikit-learn turns the coefficients of two classes round
        kernels = rbf_kernel(self.support_vectors, X, gamma=self.tau)
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

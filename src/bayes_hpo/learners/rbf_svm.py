"""The support vector machine of chapter 3: RBF kernel, libsvm through scikit-learn (thesis, 3.3)."""

import warnings
from dataclasses import dataclass
from functools import partial

from bayes_hpo.lean import without

with without("pandas"):
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.svm import SVC


@dataclass(frozen=True)
class RbfSvm:
    """Configurations hold C and tau (scikit-learn's gamma); max_iter caps the iterations per binary problem."""

    max_iter: int

    def fit(self, configuration, X, y, rng):
        """Return the machine trained on X (n, p), y (n,); rng is for learners that draw, which this one does not.

        Raises: ValueError when y holds one class only.
        """
        kernel = partial(rbf_kernel, gamma=configuration["tau"])  # by BLAS, twice as fast as libsvm
        machine = SVC(C=configuration["C"], kernel=kernel, max_iter=self.max_iter)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # counted below, not told each time
            return machine.fit(X, y)

    def unconverged(self, machine):
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(machine.fit_status_)

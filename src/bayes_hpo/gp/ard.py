"""Kernels with one length scale per dimension (automatic relevance determination), and what they have in common."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from bayes_hpo.gp.kernel import Kernel, Parameter


@dataclass(frozen=True)
class Ard(Kernel):
    """A correlation of how far apart two points are in each dimension, over that dimension's length.

    length: the prior of every dimension's length, in units of the cube. A kernel says what `apart` means.
    """

    length: object

    def parameters(self, d):
        return [Parameter(f"length_{k}", 1.0, self.length) for k in range(d)]

    def variances(self, thetas, d):
        return np.ones(len(thetas))

    def prepare(self, X):
        differ = np.flatnonzero(np.ptp(X, axis=0) > 0)  # (v,) dimensions in which the points differ
        return differ, self.apart(X[:, differ])

    def moved_by(self, theta, prepared):
        return theta[prepared[0]]

    @staticmethod
    @abstractmethod
    def apart(X):
        """How far the points X (n, v) are apart in each dimension (v, n, n)."""

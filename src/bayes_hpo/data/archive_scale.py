"""The scale of the archive: every column standardized over the whole file and rounded to six significant digits."""

import numpy as np
from numpy.typing import NDArray


def archive_scale(X: NDArray) -> NDArray:
    """Features X (n, p) as in the archive: mean 0, standard deviation 1 (divisor n - 1), six significant digits.

    A constant column becomes 0. Rounding also makes the numbers identical on all processors.
    Source: Fernandez-Delgado et al. 2014; thesis 3.3; docs/data.md.
    """
    # (x - mean) / s with s^2 = sum (x - mean)^2 / (n - 1), per column
    constant = X.max(axis=0) == X.min(axis=0)
    deviations = np.where(constant, 1.0, X.std(axis=0, ddof=1))
    return _six_digits(np.where(constant, 0.0, (X - X.mean(axis=0)) / deviations))


def _six_digits(values):
    """`values` (n, p), below 1e6 in absolute value, rounded as by "%.6g"; noise below 1e-14 becomes 0."""
    exponent = np.floor(np.log10(np.maximum(np.abs(values), 1e-9)))
    scale = 10.0 ** (5 - exponent)
    return np.rint(values * scale) / scale

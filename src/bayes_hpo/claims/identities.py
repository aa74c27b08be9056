"""Statements about kernels, which hold exactly or at a known rate: measures of the frame of `ToyCovariances`.

No data set is behind them, so they have no interval; each is at least 0 where its statement holds.
"""

import numpy as np
import pandas as pd

from bayes_hpo.claims.measure import Measure

FRAME = "toy_covariances"  # the measure that they are taken of
ERROR_FACTOR = 2  # twice the expected error: with thousands of pairs it does not occur by chance


def imputation_raises_covariance(frame: pd.DataFrame) -> float:
    """The least change by imputation of a covariance of two points with the same condition.

    Minus infinity where no such covariance rises, or where two points of neighbouring conditions do not covary.
    """
    random, roots = _matrix(frame, "random")
    imputed, _ = _matrix(frame, "imputed")
    steps = np.abs(np.subtract.outer(roots, roots))
    changes = (imputed - random)[(steps == 0) & ~np.eye(len(roots), dtype=bool)]
    return changes.min() if changes.max() > 0 and imputed[steps == 1].min() > 0 else -np.inf


def conditions_do_not_covary(frame: pd.DataFrame) -> float:
    """Minus the largest covariance of two points with different conditions under the conditional kernel."""
    matrix, roots = _matrix(frame, "conditional")
    return 0 - np.abs(matrix[roots[:, None] != roots]).max()  # no -0, which would be printed


def mondrian_error(frame: pd.DataFrame) -> float:
    """Twice the expected error of M Mondrian partitions minus their error against the Laplace kernel k (both RMS).

    The expected square is k (1 - k) / M: each partition puts two points into one cell with probability k.
    """
    laplace, _ = _matrix(frame, "laplace")
    mondrian, _ = _matrix(frame, "mondrian")
    partitions = frame.loc[frame["kernel"] == "mondrian", "partitions"].iloc[0]
    rate = np.sqrt((laplace * (1 - laplace) / partitions).mean())
    return ERROR_FACTOR * rate - np.sqrt(((mondrian - laplace) ** 2).mean())


STATEMENTS = (imputation_raises_covariance, conditions_do_not_covary, mondrian_error)
IDENTITIES = {statement.__name__: Measure(statement, "covariance", ()) for statement in STATEMENTS}


def _matrix(frame, kernel):
    """Covariances (n, n) of a kernel, and the number (n,) of each point's root choice, in the order of their names."""
    entries = frame[frame["kernel"] == kernel]
    roots = entries.drop_duplicates("row").sort_values("row")["choice"]
    return entries.pivot(index="row", columns="column", values="value").to_numpy(), roots.factorize(sort=True)[0]

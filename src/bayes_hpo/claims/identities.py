"""Statements about kernels and losses that hold exactly or at a known rate, evaluated on the frame of a toy measure.

No data set is behind them, so they have no interval; each value is at least 0 if its statement holds.
"""

import numpy as np
import pandas as pd

from bayes_hpo.claims.measure import Measure
from bayes_hpo.documents import published

COVARIANCES, ENSEMBLES = "toy_covariances", "toy_ensembles"  # names of the toy measures
PRINTED = {
    "zero_one": "ens_01",
    "margin": "ens_M",
    "squared_margin": "ens_M2",
    "sigmoid": "ens_sig",
    "c_bound": "ens_C",
}
HALF = 0.005  # rounding error of two printed decimals
DECIMALS = 12  # sums of the same numbers in different orders differ by rounding errors
ERROR_FACTOR = 2  # with thousands of pairs, twice the expected error does not occur by chance


def imputation_raises_covariance(frame: pd.DataFrame) -> float:
    """The smallest change by imputation in the covariance of two points with the same condition.

    Minus infinity if no such covariance rises, or if two points of neighbouring conditions have covariance 0 or less.
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
    """Twice the expected RMS error of M Mondrian partitions against the Laplace kernel k, minus their RMS error.

    The expected squared error is k (1 - k) / M: each partition puts two points into the same cell with probability k.
    """
    laplace, _ = _matrix(frame, "laplace")
    mondrian, _ = _matrix(frame, "mondrian")
    partitions = frame.loc[frame["kernel"] == "mondrian", "partitions"].iloc[0]
    rate = np.sqrt((laplace * (1 - laplace) / partitions).mean())
    return ERROR_FACTOR * rate - np.sqrt(((mondrian - laplace) ** 2).mean())


def zero_one_is_blind(frame: pd.DataFrame) -> float:
    """The smallest increase of a loss of table 4.1's ensemble, other than zero-one, per further error of a candidate.

    Minus infinity if it is not positive, or if two candidates have different zero-one losses.
    """
    by_errors = _candidates(frame, "T4_1").groupby("single")[list(PRINTED)].agg(["min", "max"])
    others = [name for name in PRINTED if name != "zero_one"]
    steps = min((by_errors[name, "min"] - by_errors[name, "max"].shift()).min() for name in others)
    return steps if steps > 0 and by_errors["zero_one"].stack().nunique() == 1 else -np.inf


def table_4_1_values(frame: pd.DataFrame) -> float:
    """The rounding error minus the largest difference between a loss of table 4.1's ensemble and its printed value."""
    printed = published.rows("thesis_T4_1_T4_2_toy_printed").set_index(["table", "row"]).loc[("4.1", "E")]
    ours = frame[(frame["toy"] == "T4_1") & (frame["row"] == "E")].iloc[0]
    return HALF - max(abs(ours[name] - float(printed[column])) for name, column in PRINTED.items())


def losses_trade_off(frame: pd.DataFrame) -> float:
    """By how much h'1 of table 4.2 beats h'2 in squared margin and C-bound, and loses in zero-one loss and sigmoid.

    The smallest of the four; minus infinity if it is not positive.
    """
    first, second = (frame[(frame["toy"] == "T4_2") & (frame["row"] == f"E+h'{number}")].iloc[0] for number in (1, 2))
    gains = [second[name] - first[name] for name in ("squared_margin", "c_bound")]
    least = min(*gains, *(first[name] - second[name] for name in ("zero_one", "sigmoid")))
    return least if least > 0 else -np.inf


def margin_is_blind(frame: pd.DataFrame) -> float:
    """Minus the largest difference in margin loss between candidates of table 4.2 with equally many errors."""
    losses = _candidates(frame, "T4_2").groupby("single")["margin"]
    return 0 - float((losses.max() - losses.min()).max().round(DECIMALS))


OF = {  # measure -> unit, statements
    COVARIANCES: ("covariance", (imputation_raises_covariance, conditions_do_not_covary, mondrian_error)),
    ENSEMBLES: ("loss", (zero_one_is_blind, table_4_1_values, losses_trade_off, margin_is_blind)),
}
IDENTITIES = {one.__name__: Measure(one, unit, ()) for unit, statements in OF.values() for one in statements}
FRAMES = {one.__name__: name for name, (_, statements) in OF.items() for one in statements}


def _candidates(frame, toy):
    """The rows of all candidates for a toy ensemble."""
    return frame[(frame["toy"] == toy) & (frame["kind"] == "candidate")]


def _matrix(frame, kernel):
    """Covariance matrix (n, n) of a kernel, and the number (n,) of each point's root choice, in alphabetical order."""
    entries = frame[frame["kernel"] == kernel]
    roots = entries.drop_duplicates("row").sort_values("row")["choice"]
    return entries.pivot(index="row", columns="column", values="value").to_numpy(), roots.factorize(sort=True)[0]

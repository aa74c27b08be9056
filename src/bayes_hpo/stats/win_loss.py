"""Net wins: the number of data sets on which a method beats another, minus the number on which it loses."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtrc

from bayes_hpo.stats.ranks import comparable


def net_wins(errors: pd.DataFrame) -> pd.DataFrame:
    """Data sets on which the row is better minus those on which it is worse: frame (n_methods, n_methods) of int.

    errors: frame (n_datasets, n_methods) of unrounded mean errors in percent; a tie counts for neither.
    Raises: ValueError if an error is missing. Source: thesis, tables 3.2 to 3.4.
    """
    values = comparable(errors)
    signs = np.sign(values[:, None, :] - values[:, :, None])  # (n_datasets, row, column): 1 where the row is better
    return pd.DataFrame(signs.sum(axis=0).astype(int), index=errors.columns, columns=errors.columns)


def chance_of_more(net: float, share: ArrayLike, count: int) -> NDArray:
    """Probability (k,) that the net wins over `count` data sets without ties exceed `net`; wins are binomial.

    net: a number between two possible values.
    share (k,): expected net wins divided by `count`, in [-1, 1].
    """
    # net wins = 2 W - count, W ~ Bin(count, (1 + share) / 2), so that they exceed net iff W > (count + net) / 2
    return bdtrc((count + net) // 2, count, (1 + np.asarray(share)) / 2)

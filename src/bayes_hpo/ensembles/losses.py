"""Losses of an ensemble extended by each of several candidates, by which these are compared (thesis, 4.3).

Each loss is computed per fold and averaged over folds with equal weights, the C-bound included (D23).
"""

from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat
from bayes_hpo.ensembles.extension import Extension
from bayes_hpo.ensembles.margins import (
    c_bound_loss,
    margin_loss,
    sigmoid_loss,
    sigmoid_slope,
    squared_margin_loss,
)


@runtime_checkable
class EnsembleLoss(Protocol):
    """A loss of an ensemble."""

    def __call__(self, extended: Extension, /) -> NDArray:
        """Losses (t,) of the ensemble extended by each of t candidates."""
        ...


def zero_one(extended: Extension) -> NDArray:
    """Losses (t,): fraction of rows with a wrong majority vote (eq. 4.2)."""
    return extended.fold_means(extended.vote_is_wrong).mean(axis=1)


def margin(extended: Extension) -> NDArray:
    """Losses (t,): mean of (1 - M) / 2 (eq. 4.7). It ranks candidates by their own errors, whatever E."""
    return extended.fold_means(extended.margin, margin_loss).mean(axis=1)


def squared_margin(extended: Extension) -> NDArray:
    """Losses (t,): mean of (1 - M)^2 / 4 (eq. 4.8)."""
    return extended.fold_means(extended.margin, squared_margin_loss).mean(axis=1)


def sigmoid(extended: Extension) -> NDArray:
    """Losses (t,): mean of 1 - s(M, a), with the slope a for the size of the ensemble (eq. 4.23 to 4.26)."""
    return Sigmoid(sigmoid_slope(extended.size))(extended)


@dataclass(frozen=True)
class Sigmoid:
    """The sigmoid loss with a given slope, for ensembles of any size."""

    slope: PositiveFloat

    def __call__(self, extended: Extension) -> NDArray:
        """Losses (t,)."""
        return extended.fold_means(extended.lead, partial(sigmoid_loss, slope=self.slope)).mean(axis=1)


def c_bound(extended: Extension) -> NDArray:
    """Losses (t,): half the C-bound on the risk of the vote, extended to errors above one half (eq. 4.22)."""
    mu1, mu2 = moments(extended)
    return c_bound_loss(mu1, mu2).mean(axis=1)


def moments(extended: Extension) -> tuple[NDArray, NDArray]:
    """Means (t, n_folds) of M and of M^2 over the rows of each fold (eq. 4.12)."""
    return extended.fold_means(extended.margin), extended.fold_means(extended.margin, np.square)

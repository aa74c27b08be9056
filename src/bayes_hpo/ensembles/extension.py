"""An ensemble extended by one member: the resulting votes for each of several candidates.

A candidate h affects a row only through its vote there, which is right, or wrong with some label. So row quantities are
computed once for each of these cases, and then summed over the rows in which a candidate is wrong.

Shapes: n validation rows, t candidates.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Cases(NamedTuple):
    """A quantity of each row of E + h.

    right (n,): its value if h is right.
    wrong (n,) or (n_classes, n): its value if h is wrong, or if h votes for that wrong label.
    """

    right: NDArray
    wrong: NDArray


@dataclass(frozen=True)
class Errors:
    """The N errors of t candidates, one candidate after the other.

    ends (t + 1,): number of errors of the first 0, 1, ..., t candidates.
    rows (N,): row of each error.
    cells (N,): index of each error in a flat table (n_classes, n).
    groups (N,): candidate * n_folds + fold.
    sizes (n_folds,): number of rows in each fold.
    """

    ends: NDArray
    rows: NDArray
    cells: NDArray
    groups: NDArray
    sizes: NDArray

    @classmethod
    def of(cls, labels: NDArray, truth: NDArray, folds: NDArray) -> "Errors":
        """The errors of labels (t, n), given the true labels (n,) and the fold number of each row (n,)."""
        sizes, wrong = np.bincount(folds), labels != truth
        ends = np.append(0, np.count_nonzero(wrong, axis=1).cumsum())
        # large arrays are reused in place: allocating them would cost more than the arithmetic
        cells = np.flatnonzero(wrong)
        groups, rows = np.divmod(cells, len(truth))
        np.multiply(labels.ravel()[cells], len(truth), out=cells, dtype=np.intp)
        cells += rows
        groups *= len(sizes)
        groups += folds[rows]
        return cls(ends, rows, cells, groups, sizes)

    def sums(self, table: NDArray, candidates: NDArray) -> NDArray:
        """Sums (k, n_folds) of a table (n,) or (n_classes, n) over the errors of some candidates (k,)."""
        last, n_folds = int(candidates.max(initial=-1)) + 1, len(self.sizes)
        some = slice(self.ends[candidates.min(initial=last)], self.ends[last])  # errors from first to last
        places = self.rows if table.ndim == 1 else self.cells
        sums = np.bincount(self.groups[some], table.ravel().take(places[some]), minlength=last * n_folds)
        return sums.reshape(last, n_folds)[candidates]


@dataclass(frozen=True)
class Extension:
    """The votes of an ensemble E, and the candidates h of E + h.

    counts (n_classes, n): number of members of E that vote for each label in each row.
    size: number of members of E + h.
    candidates (t,): indices of the candidates in `errors`.
    errors: errors of all possible candidates.
    truth (n,): true labels.
    folds (n,): fold number of each row.
    priority (n_classes, n): order of tied labels (`ties`).
    """

    counts: NDArray
    size: int
    candidates: NDArray
    errors: Errors
    truth: NDArray
    folds: NDArray
    priority: NDArray

    @property
    def margin(self) -> Cases:
        """Normalized margin M of E + h: the mean over its members of +1 if right, -1 if wrong (eq. 4.6)."""
        # M = 2 v* / |E + h| - 1, v*: votes for the true label
        return Cases(2 * (self._support + 1) / self.size - 1, 2 * self._support / self.size - 1)

    @property
    def lead(self) -> Cases:
        """(v* - v_max) / |E + h|, which equals M for two classes (eq. 4.25, 4.26; D25)."""
        others = self.counts.copy()
        others[self.truth, self._rows] = 0
        v_max = others.max(axis=0)  # most votes of E for a wrong label
        right = self._support + 1 - v_max
        wrong = self._support - np.maximum(v_max, others + 1)  # h adds its vote to the label
        return Cases(right / self.size, wrong / self.size)

    @property
    def vote_is_wrong(self) -> Cases:
        """Whether the vote of E + h is wrong (eq. 4.24)."""
        standing = self.counts + self.priority
        highest, of_truth = standing.max(axis=0), standing[self.truth, self._rows]
        # h right: is the true label still behind? h wrong: was the true label behind, or does h's label overtake it?
        return Cases(of_truth + 1 < highest, np.maximum(highest, standing + 1) > of_truth)

    def fold_means(self, cases: Cases, function: Callable[[NDArray], NDArray] = np.asarray) -> NDArray:
        """Means (t, n_folds) over the rows of each fold of a function of a quantity."""
        right, wrong = (np.asarray(function(values), dtype=float) for values in cases)
        # the sum if h were right in all rows, plus the changes where it is wrong
        if_right = np.bincount(self.folds, right)  # (n_folds,)
        return (if_right + self.errors.sums(wrong - right, self.candidates)) / self.errors.sizes

    @cached_property
    def _rows(self):
        return np.arange(len(self.truth))

    @cached_property
    def _support(self):
        """(n,) votes of E for the true label."""
        return self.counts[self.truth, self._rows]

"""An ensemble that gets one more member: what each of several candidates would make of its votes.

A candidate changes a row only by the label that it votes for there. So whatever follows from the votes of a row is
computed once per label, as a table (n_classes, n), in which every candidate looks up its labels.

Shapes: n validation rows, t candidates.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CHUNK = 2**17  # values looked up at once: they stay in the processor's cache


@dataclass(frozen=True)
class Extension:
    """The votes of an ensemble E and the candidates h of E + h.

    counts (n_classes, n): members of E that vote for a label in a row.
    size: members of E + h.
    labels (t, n): the candidates' votes.
    truth (n,): true labels. starts (n_folds,): first row of each fold. priority (n_classes, n): order of labels
        that are tied (`ties`).
    """

    counts: NDArray
    size: int
    labels: NDArray
    truth: NDArray
    starts: NDArray
    priority: NDArray

    @property
    def right(self) -> NDArray:
        """(n_classes, n) whether a label is the true one."""
        return np.arange(len(self.counts))[:, None] == self.truth

    @property
    def support(self) -> NDArray:
        """(n_classes, n) votes of E + h for the true label, v* (thesis, eq. 4.25)."""
        return self._of_truth(self.counts) + self.right

    @property
    def margin(self) -> NDArray:
        """(n_classes, n) normalized margin M of E + h: the mean over its members of 1 if right, -1 if wrong (eq. 4.6)."""
        return 2 * self.support / self.size - 1

    @property
    def lead(self) -> NDArray:
        """(n_classes, n) (v* - v_max) / |E + h|, the same as M where there are two classes (eq. 4.25, 4.26; D25)."""
        others = np.where(self.right, 0, self.counts)
        # v_max: the most votes for another label, of E or with the candidate's
        v_max = np.maximum(others.max(axis=0), np.where(self.right, 0, self.counts + 1))
        return (self.support - v_max) / self.size

    @property
    def wrong(self) -> NDArray:
        """(n_classes, n) whether the vote of E + h is wrong (eq. 4.24)."""
        standing = self.counts + self.priority
        highest, of_truth = standing.max(axis=0), self._of_truth(standing)
        # h votes for another label l: y wins if it led and l stays behind; h votes for y: if that takes it to the top
        other = (of_truth == highest) & (standing + 1 < of_truth)
        return ~np.where(self.right, of_truth + 1 > highest, other)

    def fold_means(self, table: NDArray) -> NDArray:
        """Means (t, n_folds) over the rows of each fold of what the candidates look up in a table (n_classes, n)."""
        values, n = np.asarray(table, dtype=float).ravel(), len(self.truth)
        sums, rows = np.empty((len(self.labels), len(self.starts))), np.arange(n)
        for first in range(0, len(sums), step := max(1, CHUNK // n)):
            some = slice(first, first + step)
            cells = np.multiply(self.labels[some], n, dtype=np.intp) + rows
            sums[some] = np.add.reduceat(values.take(cells), self.starts, axis=1)
        return sums / np.diff(self.starts, append=n)

    def _of_truth(self, table):
        """(n,) what a table holds for the true labels."""
        return table[self.truth, np.arange(len(self.truth))]

"""Splits: test and selection once per repetition, training and validation per round; hold-out and k-fold."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from bayes_hpo.configuration.limits import Range
from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Parts:
    """Row numbers of one repetition: rest (training + validation), selection (may be empty) and test, disjoint."""

    rest: np.ndarray
    selection: np.ndarray
    test: np.ndarray

    @property
    def visible(self):
        """Rows (n,) that the final model may be trained on: everything but the test part."""
        return np.sort(np.concatenate([self.rest, self.selection]))


@dataclass(frozen=True)
class Fold:
    """Row numbers that one model is trained and validated on."""

    train: np.ndarray
    validation: np.ndarray


def by_class(y, rng):
    """Order (n,) of the rows: one class after another, random within a class."""
    order = rng.permutation(len(y))
    return order[np.argsort(y[order], kind="stable")]


def stratified(y, size, rng):
    """Row numbers (size,) of a draw that holds each class in its share, rounded up or down.

    Systematic sampling: of the rows in class order every n/size-th from a random start, in integer arithmetic.
    """
    n = len(y)
    ticks = (np.arange(n + 1) * size + rng.integers(n)) // n
    return by_class(y, rng)[np.diff(ticks) > 0]


def test_rows(y, percent, rng):
    """Rows of a drawn test part: ceil(percent / 100 * n_c) of each class, in integer arithmetic (D3)."""
    chosen = [rng.permutation(rows)[: -(-percent * len(rows) // 100)] for rows in _rows_by_class(y)]
    return np.sort(np.concatenate(chosen))


@dataclass(frozen=True)
class OfRepetition:
    """A test part is drawn for each repetition."""

    def rng(self, seeds):
        """What the test part is drawn with, of the seeds of a repetition."""
        return seeds("test")


@dataclass(frozen=True)
class OfDataset:
    """One test part is drawn for all repetitions of a data set (Shen et al. 2022, 4.1)."""

    def rng(self, seeds):
        """What the test part is drawn with, of the seeds of a repetition."""
        seeds = seeds.of_dataset
        return seeds("test")


def draw_parts(strata, protocol, seeds, *, given_test, test_percent, training_cap, test_draw=OfRepetition()):
    """Parts of one repetition of a data set whose rows have `strata` (n,): their classes, or one for all.

    The given test part is used as it is (thesis, 3.3); else `test_percent` of each stratum is drawn. The selection
    split has protocol.selection_share of the other rows, and its share of the training rows above `training_cap` (D11).
    """
    test = given_test if len(given_test) else test_rows(strata, test_percent, test_draw.rng(seeds))
    others = np.setdiff1d(np.arange(len(strata)), test)
    size = selection_size(len(others), protocol, training_cap)
    selection = np.sort(others[stratified(strata[others], size, seeds("selection"))])
    return Parts(rest=np.setdiff1d(others, selection), selection=selection, test=test)


def selection_size(n, protocol, training_cap):
    """Rows of the selection split among `n` rows: its share, plus its part of the excess over the cap.

    The excess is split between validation and selection in proportion to their shares, .16 : .20 (D11).
    """
    share = protocol.selection_share
    validation = (1 - share) * protocol.validation.share
    excess = max(0.0, (1 - share - validation) * n - training_cap)
    return round(share * n + excess * share / (share + validation))


@dataclass(frozen=True)
class HoldOut:
    """One fold; `share` of the rows validate (D1)."""

    share: Annotated[float, Range(gt=0, lt=1)]
    folds = 1

    def cut(self, y, rng):
        """Validation rows of each fold, of rows with classes y (n,)."""
        return [stratified(y, round(self.share * len(y)), rng)]


@dataclass(frozen=True)
class KFold:
    """`folds` folds; every row validates once."""

    folds: Annotated[int, Range(ge=2)]

    @property
    def share(self):
        """Share of the rows that validate in one fold."""
        return 1 / self.folds

    def cut(self, y, rng):
        """Validation rows of each fold, of rows with classes y (n,): every class is dealt round-robin (D36).

        Raises: UserError when there are more folds than rows.
        """
        if self.folds > len(y):
            raise UserError(f"validation.folds={self.folds} must be at most {len(y)}, the rows that they divide")
        order = by_class(y, rng)
        return [order[fold :: self.folds] for fold in range(self.folds)]


@dataclass(frozen=True)
class Fixed:
    """The same training and validation rows in every round."""

    def draw(self, round_):
        """The draw that `round_` uses."""
        return 0


@dataclass(frozen=True)
class Reshuffled:
    """New training and validation rows in every round (thesis, 3.2.1)."""

    def draw(self, round_):
        """The draw that `round_` uses."""
        return round_


@dataclass(frozen=True)
class Protocol:
    """How configurations are validated: validation (HoldOut | KFold), splits (Fixed | Reshuffled), selection share."""

    validation: HoldOut | KFold
    splits: Fixed | Reshuffled
    selection_share: Annotated[float, Range(ge=0, lt=1)]

    def folds(self, parts, y, draw, seeds, *, training_cap):
        """Folds of one draw (splits.draw(round)), from parts.rest without replacement.

        Training rows above `training_cap` join the validation rows of their fold (thesis, 3.3; D11).
        """
        rng, rows = seeds("split", draw), parts.rest
        cuts = self.validation.cut(y[rows], rng)
        return [_fold(rows, rows[cut], y, rng, training_cap) for cut in cuts]


def _fold(rows, validation, y, rng, training_cap):
    train = cap(np.setdiff1d(rows, validation), y, training_cap, rng)
    return Fold(train=train, validation=np.setdiff1d(rows, train))


def cap(rows, y, size, rng):
    """At most `size` of the rows, in their order: all of them, or a stratified draw."""
    if len(rows) <= size:
        return rows
    return rows[np.sort(stratified(y[rows], size, rng))]


def _rows_by_class(y):
    return [np.flatnonzero(y == label) for label in np.unique(y)]

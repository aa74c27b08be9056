"""Splits: test and selection once per repetition, training and validation per round; hold-out and k-fold."""

from dataclasses import dataclass

import numpy as np


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


def stratified_order(y, rng):
    """Order (n,) of the rows in which every stretch holds each class in its share, within one row.

    The i-th of the n_c rows of a class (in random order) stands at (i + u) / n_c with u uniform, as in systematic
    sampling; so the rows of a class smaller than the number of folds go to different folds (D36).
    """
    place = np.empty(len(y))
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        place[rng.permutation(rows)] = (np.arange(len(rows)) + rng.random()) / len(rows)
    return np.argsort(place, kind="stable")


def test_rows(y, percent, rng):
    """Rows of a drawn test part: ceil(percent / 100 * n_c) of each class, in integer arithmetic (D3, D7)."""
    chosen = [rng.permutation(rows)[: -(-percent * len(rows) // 100)] for rows in _rows_by_class(y)]
    return np.sort(np.concatenate(chosen))


def draw_parts(data, protocol, seeds, *, test_percent, training_cap):
    """Parts of one repetition.

    The given test part is used as it is (thesis, 3.3); else `test_percent` of each class is drawn. The selection split
    has protocol.selection_share of the other rows, and its share of the training rows above `training_cap` (D11).
    """
    test = data.given_test
    if not len(test):
        test = test_rows(data.y, test_percent, seeds("test"))
    others = np.setdiff1d(np.arange(len(data.y)), test)
    size = selection_size(len(others), protocol, training_cap)
    order = others[stratified_order(data.y[others], seeds("selection"))]
    return Parts(rest=np.sort(order[size:]), selection=np.sort(order[:size]), test=test)


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

    share: float
    folds = 1

    def cut(self, order):
        """Validation rows of each fold, cut from the rows in stratified order."""
        return [order[: round(self.share * len(order))]]


@dataclass(frozen=True)
class KFold:
    """`folds` folds; every row validates once."""

    folds: int

    @property
    def share(self):
        """Share of the rows that validate in one fold."""
        return 1 / self.folds

    def cut(self, order):
        """Validation rows of each fold, cut from the rows in stratified order."""
        return np.array_split(order, self.folds)


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

    validation: object
    splits: object
    selection_share: float

    def folds(self, parts, y, draw, seeds, *, training_cap):
        """Folds of one draw (splits.draw(round)), from parts.rest without replacement.

        Training rows above `training_cap` join the validation rows of their fold (thesis, 3.3; D11).
        """
        rng = seeds("split", draw)
        order = parts.rest[stratified_order(y[parts.rest], rng)]
        return [_fold(order, validation, y, rng, training_cap) for validation in self.validation.cut(order)]


def _fold(order, validation, y, rng, training_cap):
    train = order[~np.isin(order, validation)]
    kept = cap(train, y, training_cap, rng)
    excess = train[~np.isin(train, kept)]
    return Fold(train=kept, validation=np.concatenate([validation, excess]))


def cap(rows, y, size, rng):
    """At most `size` of the rows: all of them, or a stratified draw."""
    if len(rows) <= size:
        return rows
    return rows[stratified_order(y[rows], rng)[:size]]


def _rows_by_class(y):
    return [np.flatnonzero(y == label) for label in np.unique(y)]

"""Splits: test part and selection split once per repetition, training and validation rows once per round.

Splits hold row numbers. Strata (classes) y (n,) are integers from 0.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import Range
from bayes_hpo.errors import UserError
from bayes_hpo.seeds import Seeds

EVERY_ROW = 10**9


@dataclass(frozen=True)
class Parts:
    """Disjoint row numbers of one repetition.

    rest (n_rest,): training and validation rows of all folds.
    selection (n_selection,): rows of the selection split; may be empty.
    test (n_test,): rows of the test part.
    """

    rest: NDArray
    selection: NDArray
    test: NDArray

    @property
    def visible(self) -> NDArray:
        """Rows (n,) that the final model may be trained on: all but the test part."""
        return np.sort(np.concatenate([self.rest, self.selection]))


@dataclass(frozen=True)
class Fold:
    """Row numbers on which one model is trained (n_train,) and validated (n_validation,)."""

    train: NDArray
    validation: NDArray


def by_class(y: NDArray, rng: Generator) -> NDArray:
    """Random order (n,) of the rows of classes y (n,), sorted by class and shuffled within each class."""
    order = rng.permutation(len(y))
    return order[np.argsort(y[order], kind="stable")]


def stratified(y: NDArray, size: int, rng: Generator) -> NDArray:
    """Draw `size` row numbers, stratified by the classes y (n,).

    Each class gets its proportional share, rounded up or down.
    """
    # systematic sampling: every (n / size)-th row in class order from a random start, in integer arithmetic
    n = len(y)
    ticks = (np.arange(n + 1) * size + rng.integers(n)) // n
    return by_class(y, rng)[np.diff(ticks) > 0]


def test_rows(y: NDArray, percent: int, rng: Generator) -> NDArray:
    """Draw the rows (n_test,) of a test part, given the classes y (n,) of all rows (D3)."""
    # ceil(percent n_c / 100) rows of each class c, in integer arithmetic
    by_stratum = [np.flatnonzero(y == label) for label in np.unique(y)]
    chosen = [rng.permutation(rows)[: -(-percent * len(rows) // 100)] for rows in by_stratum]
    return np.sort(np.concatenate(chosen))


@dataclass(frozen=True)
class OfRepetition:
    """A test part is drawn in each repetition."""

    def rng(self, seeds: Seeds) -> Generator:
        """Generator of the test part, given the seeds of a repetition."""
        return seeds("test")


@dataclass(frozen=True)
class OfDataset:
    """One test part, shared by all repetitions of a data set (Shen et al. 2022, 4.1)."""

    def rng(self, seeds: Seeds) -> Generator:
        """Generator of the test part, given the seeds of a repetition."""
        return seeds.of_dataset("test")


def draw_parts(
    strata: NDArray,
    protocol: "Protocol",
    seeds: Seeds,
    *,
    given_test: NDArray,
    test_percent: int,
    training_cap: int,
    most_rows: int = EVERY_ROW,
    test_draw: OfRepetition | OfDataset = OfRepetition(),
) -> Parts:
    """Draw the parts of one repetition of a data set.

    strata (n,): stratum of each row, its class or a single one for all rows.
    given_test (n_test,): test part that comes with the data, used as is (thesis, 3.3); may be empty.
    test_percent, %: share of each stratum that is drawn if no test part is given.
    training_cap: maximum number of training rows of a model; the selection split gets its share of the excess (D11).
    most_rows: maximum number of rows outside a given test part; beyond it, one stratified draw for the data set.
    test_draw: whether the test part is drawn per repetition or per data set.
    """
    rows = np.setdiff1d(np.arange(len(strata)), given_test)
    if len(rows) > most_rows:
        rows = cap(rows, strata, most_rows, seeds.of_dataset("rows"))
    test = given_test if len(given_test) else rows[test_rows(strata[rows], test_percent, test_draw.rng(seeds))]
    others = np.setdiff1d(rows, test)
    size = selection_size(len(others), protocol, training_cap)
    selection = np.sort(others[stratified(strata[others], size, seeds("selection"))])
    return Parts(rest=np.setdiff1d(others, selection), selection=selection, test=test)


def selection_size(n: int, protocol: "Protocol", training_cap: int) -> int:
    """Size of the selection split of `n` rows: its share of them, plus its part of the excess over the training cap.

    The excess is divided between validation and selection in proportion to their shares, .16 : .20 (D11).
    """
    # s n + s / (s + v) max(0, (1 - s - v) n - cap), s and v: the shares of selection and validation
    share = protocol.selection_share
    validation = (1 - share) * protocol.validation.share
    excess = max(0.0, (1 - share - validation) * n - training_cap)
    return round(share * n + excess * share / (share + validation))


class ExcessValidates:
    """A validation in which rows above the training cap join the validation rows of their fold (thesis, 3.3; D11)."""

    def validated(self, others: NDArray, cut: NDArray) -> NDArray:
        """Validation rows. others (n,): all but the fold's training rows; cut (n_cut,): those chosen by `cut`."""
        return others


@dataclass(frozen=True)
class HoldOut(ExcessValidates):
    """One fold; the fraction `share` of the rows validates (D1)."""

    share: Annotated[float, Range(gt=0, lt=1)]
    folds = 1

    def cut(self, y: NDArray, rng: Generator) -> list[NDArray]:
        """Validation rows (n_validation,) of each fold, given the classes y (n,) of the rows."""
        return [stratified(y, round(self.share * len(y)), rng)]


@dataclass(frozen=True)
class WholeHoldOut(HoldOut):
    """One fold; the fraction `share` of the rows validates; rows above the training cap are unused (divbo2022: D32)."""

    def validated(self, others: NDArray, cut: NDArray) -> NDArray:
        return np.sort(cut)


@dataclass(frozen=True)
class KFold(ExcessValidates):
    """`folds` folds; `cut` assigns every row to the validation rows of exactly one."""

    folds: Annotated[int, Range(ge=2)]

    @property
    def share(self) -> float:
        """Fraction of the rows that validates in one fold."""
        return 1 / self.folds

    def cut(self, y: NDArray, rng: Generator) -> list[NDArray]:
        """Validation rows (n_validation,) of each fold: the rows of each class in y (n,) are dealt round-robin (D36).

        Raises: UserError if there are more folds than rows.
        """
        if self.folds > len(y):
            raise UserError(f"validation.folds={self.folds} must be at most {len(y)}, the rows that they divide")
        order = by_class(y, rng)
        return [order[fold :: self.folds] for fold in range(self.folds)]


@dataclass(frozen=True)
class Last(ExcessValidates):
    """One fold; the last fraction `share` of the rows validates, in file order, whatever the draw (thesis, 4.4.3)."""

    share: Annotated[float, Range(gt=0, lt=1)]
    folds = 1

    def cut(self, y: NDArray, rng: Generator) -> list[NDArray]:
        """Validation rows (n_validation,) of the fold: the last ones, whatever the classes y (n,) of the rows."""
        return [np.arange(len(y))[len(y) - round(self.share * len(y)) :]]


@dataclass(frozen=True)
class Fixed:
    """The same training and validation rows in every round."""

    def draw(self, round_: int) -> int:
        """Index of the draw that `round_` uses: always 0."""
        return 0


@dataclass(frozen=True)
class Reshuffled:
    """New training and validation rows in every round (thesis, 3.2.1)."""

    def draw(self, round_: int) -> int:
        """Index of the draw that `round_` uses: the round itself."""
        return round_


@dataclass(frozen=True)
class Protocol:
    """How configurations are validated.

    validation: how the rows are divided into folds.
    splits: whether the folds change from round to round.
    selection_share: fraction of the rows outside the test part that forms the selection split; 0 for none.
    """

    validation: HoldOut | KFold | Last
    splits: Fixed | Reshuffled
    selection_share: Annotated[float, Range(ge=0, lt=1)]

    def folds(self, parts: Parts, y: NDArray, draw: int, seeds: Seeds, *, training_cap: int) -> list[Fold]:
        """Folds of one draw from parts.rest, without replacement.

        y (n,): strata of all rows of the data set.
        draw: index of the draw (`splits.draw`).
        training_cap: maximum number of training rows; `validation.validated` decides what becomes of the excess.
        """
        rng, rows = seeds("split", draw), parts.rest
        cuts = [rows[cut] for cut in self.validation.cut(y[rows], rng)]
        trains = [cap(np.setdiff1d(rows, cut), y, training_cap, rng) for cut in cuts]
        others = [np.setdiff1d(rows, train) for train in trains]
        return [Fold(*fold) for fold in zip(trains, map(self.validation.validated, others, cuts), strict=True)]


def cap(rows: NDArray, y: NDArray, size: int, rng: Generator) -> NDArray:
    """At most `size` of the rows (m,), in their order: all of them, or a draw stratified by y (n,)."""
    if len(rows) <= size:
        return rows
    return rows[np.sort(stratified(y[rows], size, rng))]

"""The parts of a claim, one per study and validation or contrast of validations, and the columns that each compares."""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.claims.claim import Claim, check_known
from bayes_hpo.claims.identities import IDENTITIES
from bayes_hpo.claims.measure import EACH_TWO, LEADS, PAIRS, Measure, Side
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.sample import Sample
from bayes_hpo.configuration.options import options
from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import UserError

NAME = re.compile(r"(?:(?P<study>\w+)/)?(?P<method>\w+|\*)(?:@(?P<validation>\w+))?")
TABLES = ("T3_1", "T3_5")
ACROSS = "across"


class Column(NamedTuple):
    """One method under one validation in one study."""

    study: str
    validation: str
    method: str


@dataclass(frozen=True)
class Part:
    """What a claim compares in one study under one validation, or between two.

    claim: the Claim.
    study: name of the study.
    validation: as written in the claim.
    printed: the printed value, NaN if the claim has none.
    columns: the columns of the scores that it needs.
    sides: positions in the columns; one side, or two with opposite signs.
    """

    claim: Claim
    study: str
    validation: str
    printed: float
    columns: tuple[Column, ...]
    sides: tuple[Side, ...]

    @property
    def label(self) -> str:
        """The part in words, such as hold-out or hold-out > 5-fold, with its study if the claim has several."""
        words = " > ".join(VALIDATIONS.get(name, name) for name in self.validation.split(">"))
        return f"{words}, {self.study}" if len(self.claim.studies) > 1 else words

    @property
    def measure(self) -> Measure:
        """The Measure of the claim."""
        return (IDENTITIES if self.claim.is_identity else MEASURES)[self.claim.measure]

    @property
    def one_dataset(self) -> bool:
        """Whether the claim is about one data set, so that the units are its repetitions."""
        return len(self.claim.datasets) == 1

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Positions (a, b) of the columns that each component compares; empty if they do not compare two methods."""
        if len(self.sides) != 1 or not self.measure.components:
            return []
        a, b = self.sides[0].a, self.sides[0].b
        if self.measure.components == LEADS:
            return list(itertools.product(a, b))
        if self.measure.components == EACH_TWO:
            return list(itertools.combinations(a + b, 2))
        return list(zip(*np.broadcast_arrays(a, b), strict=True))

    def component(self, number: int, name: Callable[[Column], str]) -> str:
        """The two methods that a component compares, named by `name`; empty if it is the only one."""
        if len(self.pairs) < 2 or number >= len(self.pairs):
            return ""
        return " over ".join(name(self.columns[position]) for position in self.pairs[number])

    @property
    def terms(self) -> Callable | None:
        """Function of a sample that returns its signed terms (`Measure.terms`).

        None if the measure has none, if there are two sides, or if the limit is not 0.
        """
        terms = self.measure.terms
        if terms is None or len(self.sides) > 1 or self.claim.limit != 0:
            return None
        return lambda sample: terms(sample, self.sides[0])

    def value(self, sample: Sample) -> NDArray:
        """The measure of a sample with this part's columns: (..., k), a value per component."""
        return sum(side.sign * self.measure.function(sample, side) for side in self.sides)


def parts(claim: Claim) -> list[Part]:
    """The Parts of a claim (list).

    Raises: UserError for an unknown method, study or validation, and for a comparison that the measure cannot evaluate.
    """
    if claim.is_identity:
        return [Part(claim, claim.study, claim.validations[0], np.nan, (), ())]
    try:
        names = list(itertools.product(claim.studies, claim.validations))
        printed = claim.printed or [np.nan] * len(names)
        return [_part(claim, *name, value) for name, value in zip(names, printed, strict=True)]
    except ValueError as problem:
        raise UserError(f"claim {claim.claim}: {problem}") from problem


def _compared(measure, a, b):
    """The pairs that a measure compares: pair by pair, or each of a with each of b."""
    by_pairs = measure in MEASURES and MEASURES[measure].components == PAIRS and len(a) == len(b)
    return zip(a, b, strict=True) if by_pairs else itertools.product(a, b)


def _part(claim, study, validation, printed):
    names = validation.split(">")
    if len(names) > 2 or not {*names} <= {*VALIDATIONS, ACROSS}:
        check_known("validations", validation, [*VALIDATIONS, "holdout>kfold", ACROSS])
    compared = [_columns(claim, study, "" if name == ACROSS else name) for name in names]
    columns = tuple(dict.fromkeys(column for side in compared for group in side for column in group))
    sides = tuple(
        Side(*(tuple(columns.index(column) for column in group) for group in side), sign=sign)
        for side, sign in zip(compared, (1, -1), strict=False)
    )
    if twice := [one.method for a, b, _ in compared for one, other in _compared(claim.measure, a, b) if one == other]:
        raise ValueError(f"{twice[0]} is compared with itself")
    part = Part(claim, study, validation, printed, columns, sides)
    _check_value(part)
    return part


def _check_value(part):
    """Evaluate the measure on random errors.

    Raises: ValueError when it has no value for the part's columns.
    """
    errors = np.random.default_rng(0).random((3, len(part.columns)))
    try:
        value = part.value(Sample(dict.fromkeys(part.measure.quantities, errors), np.array([10, 100, 1000])))
    except (ValueError, IndexError, TypeError) as problem:
        why = f"{type(problem).__name__}: {problem}"
        raise ValueError(f"measure={part.claim.measure} cannot be taken of these a, b and field ({why})") from problem
    if not np.size(value) or not np.isfinite(value).all():
        raise ValueError(f"measure={part.claim.measure} has no value of these a, b and field")


def _columns(claim, study, validation):
    """(a, b, field) as tuples of Columns. study, validation: defaults for methods named without them."""
    field = _field(claim)
    a, b = (
        tuple(column for name in names for column in _named(name, field, other, study, validation))
        for names, other in ((claim.a, claim.b), (claim.b, claim.a))
    )
    return a, b, tuple(Column(study, validation, method) for method in field if validation)


def _field(claim):
    """The methods of a claim's field, with tables replaced by their methods."""
    methods = [method for name in claim.field for method in (published.methods(name) if name in TABLES else [name])]
    for method in methods:
        check_known("method", method, [*options("method"), *TABLES])
    return methods


def _named(text, field, other, study, validation):
    """The Columns (list) for one name of a or b. other: the names on the other side."""
    match = NAME.fullmatch(text)
    if not match:
        raise ValueError(f"{text} is not of the form [study/]method[@validation]")
    study, validation = match["study"] or study, match["validation"] or validation
    methods = [match["method"]]
    if match["method"] == "*":
        methods = [method for method in field if method not in other]
    check_known("study", study, options("study"))
    check_known("validation", validation, VALIDATIONS)
    for method in methods:
        check_known("method", method, options("method"))
    return [Column(study, validation, method) for method in methods]

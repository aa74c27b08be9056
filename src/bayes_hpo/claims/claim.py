"""The claims of conf/claims.csv, one row per published claim, read and validated."""

import re
from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayes_hpo.claims.identities import IDENTITIES
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.options import CONF, options, written
from bayes_hpo.data.registry import find
from bayes_hpo.errors import UserError
from bayes_hpo.storage.rows import read_rows

NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)")
LEVELS = {  # kind of claim -> confidence level of the interval that decides it
    "direction": 0.95,
    "equality": 0.9,
    "closeness": 0.9,
    "identity": float("nan"),
}
TIERS = ("primary", "secondary", "exploratory", "ours")


@dataclass(frozen=True)
class Claim:
    """One row: the claim, and which measure of which methods decides it.

    claim: identifier.
    also: other published claims that are constant multiples of this one, so that it covers their places too.
    tier: primary (one per chapter), secondary, exploratory (limit or measure chosen after runs were seen) or ours.
    document, place, text: where it is printed, and what it says.
    study: the study whose scores it needs; several, separated by spaces, are parts of the claim.
    measure: name of the measure.
    a, b: what is compared, each `[study/]method[@validation]` or `*[@validation]` for all methods of the field that the
        other side does not name.
    field: methods that are ranked together, or the name of a table for all its methods.
    datasets: names, if the claim is about some data sets only.
    repetitions: the printed number, if the study has more, else 0.
    validations: a part for each (of each study); `holdout>kfold` is the difference of two, `across` means that a and b
        name them.
    kind: direction (the measure exceeds limit), closeness (it lies within +-limit), equality (closeness, and no test
        finds a difference; an empty limit is the study's margin) or identity (a statement about kernels or losses in
        `claims.identities`; its validations are `exact`).
    printed: printed values of the parts, for claims without published cells; the smallest of several components.
    """

    claim: str
    also: tuple[str, ...]
    tier: str
    document: str
    place: str
    text: str
    study: str
    measure: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    field: tuple[str, ...]
    datasets: tuple[str, ...]
    repetitions: int
    validations: tuple[str, ...]
    kind: str
    limit: float
    printed: tuple[float, ...]
    note: str

    @property
    def studies(self) -> list[str]:
        """The studies whose scores it needs."""
        return self.study.split()

    @property
    def is_direction(self) -> bool:
        """Whether it claims a direction, not equality."""
        return self.kind == "direction"

    @property
    def is_identity(self) -> bool:
        """Whether it is a statement about kernels or losses, without data sets."""
        return self.kind == "identity"

    @property
    def level(self) -> float:
        """Confidence level of the interval."""
        return LEVELS[self.kind]

    def distances(self, estimates: ArrayLike) -> NDArray:
        """Distances (..., k) of estimates (..., k) from the claim's limit; positive on the claim's side."""
        estimates = np.asarray(estimates)
        return estimates - self.limit if self.is_direction else self.limit - np.abs(estimates)


COLUMNS = [field.name for field in fields(Claim)]


def read(path: str | Path | None = None) -> list[Claim]:
    """All claims of conf/claims.csv, or of `path`, in order.

    Raises: UserError when the file is missing, a row is malformed or a claim occurs twice.
    """
    path = Path(path or CONF / "claims.csv")
    claims = read_rows(path, COLUMNS, _claim)
    if not claims:
        raise UserError(f"{path} holds no claims; restore it with: git checkout -- {path}")
    return list(claims.values())


def _claim(values):
    """The Claim of a row (dict, column -> cell). Raises: ValueError or UserError, with the reason, if malformed."""
    if not values["claim"]:
        raise ValueError("claim is empty; give it a name")
    measures = IDENTITIES if values["kind"] == "identity" else MEASURES
    for name, allowed in {"measure": measures, "kind": LEVELS, "tier": TIERS}.items():
        check_known(name, values[name], allowed)
    studies = values["study"].split()
    for name in studies or [""]:
        check_known("study", name, options("study"))
    for name in ("also", "a", "b", "field", "datasets", "validations", "printed"):
        values[name] = tuple(values[name].split())
    for name in values["datasets"]:
        find(name)
    if not values["validations"]:
        raise ValueError("validations is empty; give for example holdout")
    values["repetitions"] = int(_number("repetitions", values["repetitions"] or "0"))
    values["limit"] = _number("limit", values["limit"] or _limit(values["kind"], studies[0]))
    values["printed"] = tuple(_number("printed", value) for value in values["printed"])
    if values["kind"] in ("equality", "closeness") and values["limit"] <= 0:
        raise ValueError(f"limit={values['limit']:g} is not a margin; give a number above 0")
    if len(values["printed"]) not in (0, len(studies) * len(values["validations"])):
        raise ValueError("printed needs a number for each of validations (and studies), or none at all")
    return Claim(**values)


def check_known(kind: str, name: str, allowed: Collection[str]) -> None:
    """Check that a name is allowed. Raises: ValueError with the allowed names when it is not."""
    if name not in allowed:
        raise ValueError(unknown(kind, name, allowed))


def _limit(kind, study):
    """The default of an empty limit (text). Raises: ValueError when the study has no margin."""
    if kind not in ("equality", "closeness"):
        return "0"
    margin = written("study", study).get("margin")
    if margin is None:
        raise ValueError(f"study {study} has no margin; give a limit here, or a margin in conf/study/{study}.yaml")
    return str(margin)


def _number(name, text):
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{name}={text} is not a number")
    return float(text)

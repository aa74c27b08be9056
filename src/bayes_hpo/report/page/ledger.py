"""The ledger on the page: claims grouped by document and chapter, each with its parts."""

import re
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from bayes_hpo.documents.names import COUNTED, DIFFERENT, PRIMARY, VERDICTS
from bayes_hpo.errors import RunError

TEXTS = ["claim", "part", "document", "place", "text", "verdict", "part_verdict", "unit", "published_on", "kind"]
TEXTS += ["tier", "also", "data_sets", "repetitions", "scale", "command", "note"]  # shown as text, even numbers
NUMBERS = ["estimate", "low", "high", "published", "level", "limit", "core_hours"]
NUMBERS += ["power", "power_so_far", "best_power"]
MARGINS = ("verdict_at_15", "verdict_at_30", "verdict_at_50")
TESTS = {"p": "p = {:.2g}", "p_adjusted": "adjusted {:.2g}", "p_test": "the document's test p = {:.2g}"}
WITHIN = ("equality", "closeness")  # kinds of claims whose limit is a margin
FOLDED = VERDICTS[5:]  # undecidable by design, not run
EDGE = 6  # margin at both ends of the line on which an interval is drawn, of 100


@dataclass(frozen=True)
class Claim:
    """One claim of the ledger.

    row: its first row, for what all its rows share.
    parts: its rows (dicts), each with a "drawing" and "tests".
    """

    row: dict
    parts: list[dict]

    @property
    def chapter(self) -> str:
        """Chapter or appendix of the thesis in its place; empty for other documents."""
        match = re.search(r"\b(\d+|[A-Z])\.\d", self.row["place"]) if self.row["document"] == "thesis" else None
        return match[1] if match else ""


def claims(path: Path, scale: str, command: str) -> list[Claim] | None:
    """The claims of a ledger (list of Claim), in its order; None if there is no ledger yet.

    command: command that makes the ledger, for error messages.
    Raises: RunError when the file is damaged, or the ledger of another scale.
    """
    if not Path(path).is_file():
        return None
    remake = f"delete it and run: {command}"
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        numbers = {name: pd.to_numeric(frame[TEXTS + NUMBERS][name]) for name in NUMBERS}
    except (OSError, ValueError, KeyError) as problem:
        raise RunError(f"{path} is not a ledger ({' '.join(str(problem).split())}); {remake}") from problem
    if other := sorted(set(frame["scale"]) - {scale}):
        raise RunError(f"{path} is a ledger of scale {', '.join(other)}, not of {scale}; {remake}")
    by_claim = frame.assign(**numbers).groupby("claim", sort=False)
    every = [part.to_dict("records") for _, part in by_claim]
    return [Claim(rows[0], [row | {"drawing": _drawing(row), "tests": _tests(row)} for row in rows]) for rows in every]


def counts(claims: list[Claim]) -> list[tuple[str, int]]:
    """(verdict, number of primary and secondary claims), VERDICTS first; verdicts without any claim are left out."""
    every = {claim.row["verdict"] for claim in claims}
    verdicts = [claim.row["verdict"] for claim in claims if claim.row["tier"] in COUNTED]
    names = [*VERDICTS, *sorted(every - set(VERDICTS))]
    return [(name, verdicts.count(name)) for name in names if name in every]


def notes(claims: list[Claim]) -> str:
    """Sentence on the primary and secondary claims that are identities or interim; empty if there are none."""
    counted = [claim.row for claim in claims if claim.row["tier"] in COUNTED]
    identities = sum(row["kind"] == "identity" for row in counted)
    interim = sum(row["interim"] == "True" for row in counted)
    note = f"Of these {identities} are identities, which need a toy measure and no data set, and {interim} are interim."
    return note if identities or interim else ""


Group = tuple[tuple[str, str], list[Claim]]  # ((document, chapter) or (heading, ""), claims)


@dataclass(frozen=True)
class Arranged:
    """The claims in the order of the page.

    first: two groups, the primary claims that were run, and the others that did not reproduce as published.
    others: the remaining claims that were run, as `groups`.
    folded: pairs (verdict, `groups` of its claims) for FOLDED.
    waiting: the primary claims among the folded ones.
    """

    first: list[Group]
    others: list[Group]
    folded: list[tuple[str, list[Group]]]
    waiting: list[Claim]


def arranged(claims: list[Claim]) -> Arranged:
    """The claims of a ledger, arranged; the lists other than `waiting` contain each claim once."""
    run = [claim for claim in claims if claim.row["verdict"] not in FOLDED]
    primary = [claim for claim in run if claim.row["tier"] == PRIMARY]
    different = [claim for claim in run if claim.row["tier"] != PRIMARY and claim.row["verdict"] in DIFFERENT]
    folded = {name: [claim for claim in claims if claim.row["verdict"] == name] for name in FOLDED}
    return Arranged(
        [(("primary claims", ""), primary), (("not reproduced, or of another size", ""), different)],
        groups([claim for claim in run if claim not in primary + different]),
        [(name, groups(members)) for name, members in folded.items() if members],
        [claim for members in folded.values() for claim in members if claim.row["tier"] == PRIMARY],
    )


def groups(claims: list[Claim]) -> list[Group]:
    """((document, chapter), claims) for each chapter, in the order of the claims."""
    chapters: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        chapters.setdefault((claim.row["document"], claim.chapter), []).append(claim)
    return list(chapters.items())


def _tests(row):
    """Phrase on the test results in a row; empty if there are none."""
    decided = [f"decided by {row['decided_by']}"] if row["decided_by"] else []
    p_values = [TESTS[name].format(float(row[name])) for name in TESTS if row[name]]
    return ", ".join(
        [
            *decided,
            *p_values,
            *(f"with a margin of .{name[-2:]} points {row[name]}" for name in MARGINS if row[name]),
        ]
    )


def _drawing(row):
    """Positions of the numbers of one row (`drawing`)."""
    limits = [-row["limit"], row["limit"]] if row["kind"] in WITHIN else [row["limit"]]
    return drawing(row["estimate"], row["low"], row["high"], row["published"], limits)


def drawing(estimate: float, low: float, high: float, published: float, limits: list[float]) -> dict[str, Any]:
    """Positions on a line of 100: low, estimate, high and published if finite, limits (list); {} without an estimate.

    limits: what the estimate is compared with: one threshold, or both ends of a margin.
    """
    values = {"low": low, "estimate": estimate, "high": high, "published": published}
    values = {name: value for name, value in values.items() if isfinite(value)}
    if "estimate" not in values:
        return {}
    first, last = min(*values.values(), *limits), max(*values.values(), *limits)
    scale = (100 - 2 * EDGE) / (last - first) if last > first else 0.0
    positions: dict[str, Any] = {name: EDGE + (value - first) * scale for name, value in values.items()}
    return positions | {"limits": [EDGE + (value - first) * scale for value in limits]}

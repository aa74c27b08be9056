"""The ledger: every published claim with the verdict that the runs of one scale give it."""

import numpy as np
import pandas as pd

from bayes_hpo.claims import verdict
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import weigh
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.remarks import remarks
from bayes_hpo.claims.runs import runs
from bayes_hpo.claims.study import core_hours, wide

OWN, PRINT = "own data sets", "print"  # what the published value rests on
WITHOUT = [f"{name}_without_flagged" for name in ("verdict", "data_sets", "estimate", "low", "high")]


def ledger(studies, rows, scale, path=None):
    """Frame with one row per part of a claim, in the order of conf/claims.csv or of `path`.

    studies: dict, name -> Study of those that have the scale. rows: the registry, dict, data set -> row.
    The columns are those of `_row`; core_hours: estimated, of the searches behind the part on every data set.
    Raises: UserError for a malformed claim.
    """
    every = [part for one in read(path) for part in parts(one)]
    printed = {(name, where): both for name, study in studies.items() for where, both in study.printed.items()}
    tables = wide(studies, rows)
    evidence = _weighed(every, tables, rows, printed)
    flagged = {one for study in studies.values() for one in study.flagged}
    unflagged = {name: table.drop(index=flagged, level="dataset", errors="ignore") for name, table in tables.items()}
    rest = _weighed([part for part in every if _has_flagged(part, studies)], unflagged, rows, printed)
    frame = pd.DataFrame(_row(part, evidence[part], rest.get(part), studies, scale) for part in every)
    return frame.assign(verdict=frame.groupby("claim")["part_verdict"].transform(verdict.of_claim))


def _has_flagged(part, studies):
    """Whether a study of the part flags data sets."""
    return any(studies[column.study].flagged for column in part.columns if column.study in studies)


def _weighed(every, tables, rows, printed):
    """dict, Part -> Evidence or None; parts that rest on the same runs are weighed together. printed: as of `weigh`."""
    groups = {}
    for part in every:
        groups.setdefault((part.columns, part.measure.quantities, part.claim.datasets), []).append(part)
    found = {}
    for same in groups.values():
        rest_on = runs(same[0], tables, rows)
        found |= zip(same, weigh(same, rest_on, printed) if rest_on else [None] * len(same), strict=True)
    return found


def _row(part, evidence, rest, studies, scale):
    """The row of a part (dict); `verdict`, that of the whole claim, is still open.

    rest: the Evidence of the data sets that are not flagged, or None.
    """
    found = verdict.of_part(part.claim, evidence, scale)
    return {
        "claim": part.claim.claim,
        "part": part.label,
        "document": part.claim.document,
        "place": part.claim.place,
        "text": part.claim.text,
        "verdict": None,
        "part_verdict": found,
        "kind": part.claim.kind,
        "limit": part.claim.limit,
        **_sizes(part, evidence),
        **_counts(part, evidence),
        **_without_flagged(part, evidence, rest, scale),
        "scale": scale,
        "core_hours": core_hours(part.columns, studies),
        "command": _command(part, studies, scale),
        "note": "; ".join(filter(None, [part.claim.note, *remarks(part, evidence, found, studies, scale)])),
    }


def _sizes(part, evidence):
    """Ours and the published value, in the unit of the measure."""
    published = np.nan if evidence is None else evidence.published
    on = OWN if np.isfinite(published) else PRINT if np.isfinite(part.printed) else ""
    return {
        **{name: getattr(evidence, name, np.nan) for name in ("estimate", "low", "high")},
        "level": part.claim.level,
        "unit": part.measure.unit,
        "published": part.printed if on == PRINT else published,
        "published_on": on,
        "power": getattr(evidence, "power", np.nan),
    }


def _without_flagged(part, evidence, rest, scale):
    """The verdict without the flagged data sets and what it rests on; empty where the part rests on none of them."""
    if evidence is None or rest is None or rest.units == evidence.units:
        return dict.fromkeys(WITHOUT, np.nan) | {WITHOUT[0]: ""}
    sizes = rest.units, rest.estimate, rest.low, rest.high
    return dict(zip(WITHOUT, (verdict.of_part(part.claim, rest, scale), *sizes), strict=True))


def _counts(part, evidence):
    """How many data sets and repetitions are behind it."""
    if evidence is None:
        return {"data_sets": 0, "repetitions": ""}
    if part.one_dataset:
        return {"data_sets": 1, "repetitions": str(evidence.units)}
    least, most = min(evidence.repetitions), max(evidence.repetitions)
    return {"data_sets": evidence.units, "repetitions": f"{least}" if least == most else f"{least} to {most}"}


def _command(part, studies, scale):
    """What makes the scores of the part at this scale; empty when one of its studies does not have it."""
    wanted = dict.fromkeys(column.study for column in part.columns)
    if not set(wanted) <= set(studies):
        return ""
    return " ".join(["snakemake --cores 64", *(f"{scale}_{name}" for name in wanted)])

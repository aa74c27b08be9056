"""The ledger: every published claim, with its verdict from the runs of one scale."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import join

import numpy as np
import pandas as pd

from bayes_hpo.claims import power, verdict
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import evaluate, exact, printed_cells
from bayes_hpo.claims.measure import POINTS
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.notes import notes
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.power import UNKNOWN
from bayes_hpo.claims.runs import runs
from bayes_hpo.claims.study import Design, Study, core_hours, wide
from bayes_hpo.data.registry import Row
from bayes_hpo.documents import names
from bayes_hpo.documents.names import COUNTED, EVIDENCE, PRINT, SAME_SETS
from bayes_hpo.outcomes.kinds import PERCENT
from bayes_hpo.stats.bootstrap import DRAWS, SEED
from bayes_hpo.stats.multiplicity import benjamini_yekutieli

WITHOUT = [f"{name}_without_flagged" for name in ("verdict", "data_sets", "estimate", "low", "high")]
MARGINS = {"verdict_at_15": 0.15, "verdict_at_30": 0.3, "verdict_at_50": 0.5}  # points


def ledger(
    studies: dict[str, Study],
    rows: dict[str, Row],
    scale: str,
    path: Path | None = None,
    seed: int = SEED,
    skip: str | None = None,
) -> pd.DataFrame:
    """Frame with one row per part of a claim, in the order of conf/claims.csv or of `path`.

    Its columns are those of `_row`; core_hours is the estimate for the searches behind the part.
    studies: those that have the scale, by name.
    rows: the registry, by data set.
    seed: that of the resamples and of the power simulations.
    skip: folder of the released scores that the studies were read from; commands skip their repetitions.
    Raises: UserError for a malformed claim.
    """
    every = [part for claim in read(path) for part in parts(claim)]
    printed = {(name, where): both for name, study in studies.items() for where, both in study.printed.items()}
    repetitions = {name: study.printed_repetitions for name, study in studies.items()}
    behind = {(name, where): count for name, counts in repetitions.items() for where, count in counts.items()}
    tables, units = wide(studies, rows), {name: study.unit for name, study in studies.items()}
    flagged = {name for study in studies.values() for name in study.flagged}
    unflagged = {name: table.drop(index=flagged, level="dataset", errors="ignore") for name, table in tables.items()}
    on_all, on_rest = (partial(runs, tables=of, rows=rows, units=units) for of in (tables, unflagged))
    evaluated = partial(evaluate, printed=printed, behind=behind, seed=seed)
    evidence = _evaluated([part for part in every if not part.claim.is_identity], on_all, evaluated)
    identities = [part for part in every if part.claim.is_identity]
    evidence |= {part: exact(part, studies.get(part.study, Study()).toys) for part in identities}
    flagging = {name for name, study in studies.items() if study.flagged}
    doubted = [part for part in every if any(column.study in flagging for column in part.columns)]
    rest = _evaluated(doubted, on_rest, evaluated)
    frame = pd.DataFrame(_row(part, evidence[part], rest.get(part), studies, rows, scale, seed) for part in every)
    frame["command"] = [_command(part, studies, scale, skip) for part in every]
    frame["p_adjusted"] = _adjusted(frame)
    return frame.assign(
        verdict=frame.groupby("claim")["part_verdict"].transform(verdict.of_claim),
        interim=frame.groupby("claim")["part_interim"].transform("any"),
    )


def _adjusted(frame):
    """p adjusted by Benjamini and Yekutieli (2001) over the primary and secondary parts, NaN elsewhere: (n_parts,)."""
    counted = frame["p"].where(frame["tier"].isin(COUNTED)).dropna()
    return pd.Series(benjamini_yekutieli(counted), counted.index, dtype=float).reindex(frame.index)


def _evaluated(every, runs_of, evaluated):
    """dict, Part -> Evidence, or None without runs; parts with the same runs are evaluated together.

    If the resamples leave a verdict open, more of them are drawn.
    runs_of: function, Part -> Runs or None.
    evaluated: `evaluate` with the printed cells.
    """
    groups = {}
    for part in every:
        key = part.columns, part.measure.quantities, part.claim.datasets, part.claim.repetitions
        groups.setdefault(key, []).append(part)
    evidence = dict.fromkeys(every)
    for same in groups.values():
        if rest_on := runs_of(same[0]):
            evidence |= zip(same, evaluated(same, rest_on), strict=True)
        for part in same:
            if verdict.is_open(part.claim, evidence[part]):
                evidence[part] = evaluated([part], rest_on, draws=verdict.MORE_DRAWS * DRAWS)[0]
    return evidence


def _row(part, evidence, rest, studies, rows, scale, seed):
    """The row of a part (dict); columns on the whole claim, and the command, are None and are filled in later.

    rest: the Evidence on the data sets that are not flagged, or None.
    """
    claim, study = part.claim, studies.get(part.study, Study())
    interim = evidence is not None and _is_interim(part, evidence, studies, scale)
    powers = _powers(part, evidence if interim else None, study, rows, scale, seed)
    best = powers["best_power_high"]
    part_verdict = verdict.of_part(claim, evidence, scale, best)
    of_runs = powers["power_so_far" if interim else "power"]
    return {
        "claim": claim.claim,
        "also": " ".join(claim.also),
        "tier": claim.tier,
        "part": part.label,
        "document": claim.document,
        "place": claim.place,
        "text": claim.text,
        **_sizes(part, evidence, studies),
        **_counts(part, evidence),
        **powers,
        "p": getattr(evidence, "p", np.nan),
        "p_adjusted": np.nan,
        "p_test": getattr(evidence, "p_test", np.nan),
        "verdict": None,
        "part_verdict": part_verdict,
        "interim": None,
        "part_interim": interim,
        "kind": claim.kind,
        "limit": claim.limit,
        **_at_margins(part, evidence, scale),
        **_without_flagged(part, evidence, rest, scale, best),
        "scale": scale,
        "core_hours": core_hours(part.columns, studies),
        "command": None,
        "note": "; ".join(filter(None, [claim.note, *notes(part, evidence, part_verdict, of_runs, studies, scale)])),
    }


def _powers(part, run, study, rows, scale, seed):
    """Powers of a part (dict), NaN if unknown: at the scale, at the runs so far, and at the best scale.

    run: the Evidence of an interim verdict, or None. All its data sets count with as many repetitions as the one that
    has the fewest.
    """
    decides = scale in EVIDENCE and not part.claim.is_identity
    powers, so_far = power.at_scales(part, study, rows, seed) if decides else {}, UNKNOWN
    if decides and run is not None:
        fewest = run.units if part.one_dataset else min(run.repetitions)
        design = Design(run.datasets, {column.validation: fewest for column in part.columns})
        so_far = power.of_part(part, design, study, rows, seed)
    best, of_scale = power.best(powers), powers.get(scale, UNKNOWN)
    names = ("power", "power_so_far", "best_power", "best_power_high")
    return dict(zip(names, (of_scale.value, so_far.value, best.value, best.high), strict=True))


def _is_interim(part, evidence, studies, scale):
    """Whether the part rests on fewer data sets, or fewer repetitions of one, than its studies have at this scale."""
    designs = [studies[column.study].designs.get(scale) for column in part.columns]
    if part.claim.is_identity or not all(designs):
        return False
    asked = part.claim.repetitions or np.inf
    offered = [design.repetitions[column.validation] for design, column in zip(designs, part.columns, strict=True)]
    if part.one_dataset:
        return evidence.units < min(asked, *offered)
    wanted = set.intersection(*(set(design.datasets) for design in designs))
    if part.claim.datasets:
        wanted &= set(part.claim.datasets)
    cells = printed_cells(part, [studies[column.study].printed.get(column.validation) for column in part.columns])
    if cells is not None:  # the claim rests on the data sets with published cells
        wanted &= set(cells[0].index)
    return evidence.units < len(wanted) or min(evidence.repetitions) < min(asked, *offered)


def _sizes(part, evidence, studies):
    """Our and the published value, in the unit of the measure."""
    unit = studies.get(part.study, Study()).unit  # unit of errors
    published = np.nan if evidence is None else evidence.published
    on = SAME_SETS if np.isfinite(published) else PRINT if np.isfinite(part.printed) else ""
    return {
        **{name: getattr(evidence, name, np.nan) for name in ("estimate", "low", "high")},
        "level": part.claim.level,
        "unit": unit.name if part.measure.unit == POINTS and unit != PERCENT else part.measure.unit,
        "decided_by": part.component(evidence.deciding, partial(_label, studies)) if evidence else "",
        "published": part.printed if on == PRINT else published,
        "published_on": on,
    }


def _label(studies, column):
    """The printed name of a column's method in its study."""
    return names.printed(column.method, studies[column.study].labels)


def _at_margins(part, evidence, scale):
    """The verdicts at margins other than the study's, for a claim that errors are equal; else empty."""
    if part.claim.kind != "equality" or part.measure is not MEASURES["hodges_lehmann"] or evidence is None:
        return dict.fromkeys(MARGINS, "")
    claims = {name: replace(part.claim, limit=margin) for name, margin in MARGINS.items()}
    return {name: verdict.of_part(claim, replace(evidence, claim=claim), scale) for name, claim in claims.items()}


def _without_flagged(part, evidence, rest, scale, power):
    """The verdict without the flagged data sets, and what it rests on; empty if the part has no flagged ones."""
    if evidence is None or rest is None or rest.units == evidence.units:
        return dict.fromkeys(WITHOUT, np.nan) | {WITHOUT[0]: ""}
    sizes = rest.units, rest.estimate, rest.low, rest.high
    return dict(zip(WITHOUT, (verdict.of_part(part.claim, rest, scale, power), *sizes), strict=True))


def _counts(part, evidence):
    """Numbers of data sets and repetitions behind the part."""
    if evidence is None:
        return {"data_sets": 0, "repetitions": ""}
    if part.one_dataset:
        return {"data_sets": 1, "repetitions": str(evidence.units)}
    least, most = min(evidence.repetitions), max(evidence.repetitions)
    return {"data_sets": evidence.units, "repetitions": f"{least}" if least == most else f"{least} to {most}"}


def _command(part, studies, scale, skip):
    """The command that makes the part's scores, except those in skip; empty if a study lacks the scale."""
    wanted = dict.fromkeys([column.study for column in part.columns] or [part.study])
    if not set(wanted) <= set(studies):
        return ""
    skipped = ["--config", f"skip={skip}"] if skip else []
    return join(["snakemake", "--cores", "64", *(f"{scale}_{name}" for name in wanted), *skipped])

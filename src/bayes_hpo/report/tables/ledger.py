"""The ledger as text, in files and in the README: claims with their verdicts, our and published values, and power."""

from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.documents.names import COUNTED, DIFFERENT, PRIMARY, PRINT, SAME_SETS, VERDICTS
from bayes_hpo.report.caption import Caption
from bayes_hpo.report.tables import table as files
from bayes_hpo.report.tables.markdown import has_place, markdown, put
from bayes_hpo.report.tables.table import NOTHING, Table
from bayes_hpo.storage.layout import ledger_file

TITLE = "Ledger: the published claims and what our runs say of them"
HOW_TO_READ = (
    "ours: estimate, positive where the claim's direction holds, and in brackets its interval over families of data "
    "sets (95 %; 90 % where the claim is that nothing differs), of the pair by which the claim stands or falls; it is "
    "symmetric and may leave the range of its unit.",
    "published: the same measure of the published cells of the same data sets; (print): as printed, over the "
    "document's own data sets.",
    "p: the least level at which the intervals conclude, and that level adjusted over all primary and secondary claims "
    "(Benjamini and Yekutieli); document's p: Wilcoxon's on our means, of wins the one-sided sign test.",
    "power: chance of the published conclusion at this scale, and at the best that is offered, if the print is true; "
    "below .2 at every scale a claim is undecidable by design. interim: a part of the suite only; in parentheses, the "
    "power at that part.",
    "The rules: docs/statistics.md.",
)
INTERIM = " (interim)"

WITHOUT = "without flagged"
WITHOUT_FLAGGED = (
    f"{WITHOUT}: the same verdict without the data sets that a study flags as of doubtful identity or print "
    "(docs/data.md), and on how many; empty where the claim rests on none of them."
)


def write(ledger: pd.DataFrame, scale: str, products_dir: str | Path, caption: Caption) -> None:
    """Write the ledger (frame of claims.ledger) to tables/<scale>/ledger.csv and .tex in `products_dir`, and print it.

    Raises: RunError when a file cannot be written.
    """
    table = ledger_table(ledger)
    sentences = caption.whole(table.notes)
    files.write(table, TITLE, sentences, Path(ledger_file(scale, products_dir)), digits=6)


def ledger_table(ledger: pd.DataFrame) -> Table:
    """The Table of a ledger, row labels (claim, part); the verdict on a claim is shown with its first part."""
    several = ledger["claim"].duplicated(keep=False)
    columns = _columns(ledger)
    cells = {
        "ours": columns["interval"],
        "published": columns["published"] + np.where(ledger["published_on"] == PRINT, " (print)", ""),
        "unit": ledger["unit"],
        "sets x reps": columns["sets"],
        "p, adjusted": columns["p"],
        "document's p": ledger["p_test"].map(_level),
        "power, best": columns["power"] + ", " + ledger["best_power"].map(_number),
        "verdict": ledger["part_verdict"] + np.where(ledger["part_interim"], INTERIM, ""),
        "whole claim": ledger["verdict"].where(several & ~ledger["claim"].duplicated(), ""),
    }
    notes = [f"{counts(ledger)}.", *HOW_TO_READ]
    if ledger["verdict_without_flagged"].any():
        second = zip(ledger["verdict_without_flagged"], ledger["data_sets_without_flagged"], strict=True)
        cells[WITHOUT] = [f"{verdict} ({count:.0f})" if verdict else "" for verdict, count in second]
        notes.append(WITHOUT_FLAGGED)
    labels = pd.MultiIndex.from_frame(ledger[["claim", "part"]])
    return Table(pd.DataFrame(cells).set_axis(labels), ledger, notes)


def update_readme(ledger: pd.DataFrame, scale: str, page: Path) -> None:
    """Write the headlines of a ledger (frame of claims.ledger) to the page, if that has a place for the scale."""
    if has_place(place := f"claims {scale}", page):
        put(place, f"{headlines(ledger)}\n\n{counts(ledger)}.", page)


def headlines(ledger: pd.DataFrame) -> str:
    """Lines of a Markdown table: a row per primary claim, and per secondary claim whose verdict is in DIFFERENT.

    A claim of several parts is represented by the weakest, which decides its verdict.
    """
    rows = ledger[ledger["part_verdict"] == ledger["verdict"]].drop_duplicates("claim")
    several = rows["claim"].isin(ledger.loc[ledger["claim"].duplicated(), "claim"])
    rows = rows.assign(which=np.where(several, "; " + rows["part"], "")).set_index("claim")
    rows = rows[(rows["tier"] == PRIMARY) | (rows["tier"].isin(COUNTED) & rows["verdict"].isin(DIFFERENT))]
    columns = _columns(rows)
    cells = {
        "ours, interval": columns["interval"],
        "published": columns["published"],
        "unit": rows["unit"],
        "sets x repetitions": columns["sets"],
        "p, adjusted": columns["p"],
        "power": columns["power"],
        "verdict": rows["verdict"] + np.where(rows["interim"], INTERIM, ""),
    }
    labels = [
        f"{row.text} ({row.document}, {row.place}{row.which}{'' if row.tier == 'secondary' else '; primary'})"
        for row in rows.itertuples()
    ]
    return markdown("claim", rows.assign(**cells)[list(cells)].set_axis(labels))


def _columns(rows):
    """Texts common to all tables of the ledger: frame, index as `rows`."""
    number = rows[["estimate", "low", "high", "published", "power", "power_so_far"]].map(_number)
    interval = number["estimate"] + " [" + number["low"] + ", " + number["high"] + "]"
    so_far = (" (" + number["power_so_far"] + ")").where(rows["power_so_far"].notna(), "")
    sizes = rows["data_sets"].astype(str) + " x " + rows["repetitions"].astype(str)
    return pd.DataFrame(
        {
            "interval": interval.where(rows["estimate"].notna(), NOTHING),
            "published": number["published"],
            "sets": sizes.where(rows["data_sets"] > 0, NOTHING),
            "p": rows["p"].map(_level) + ", " + rows["p_adjusted"].map(_level),
            "power": number["power"] + so_far,
        }
    )


def counts(ledger: pd.DataFrame) -> str:
    """Numbers of claims by verdict, in words: primary and secondary claims first, then the others."""
    claims = ledger.drop_duplicates("claim").assign(
        without=~ledger["claim"].isin(ledger.loc[ledger["estimate"].notna(), "claim"]),
        excludes=ledger["claim"].isin(ledger.loc[_excludes(ledger), "claim"]),
    )
    counted = claims["tier"].isin(COUNTED)
    groups = ((claims[counted], "primary and secondary claims"), (claims[~counted], "others"))
    return "; ".join(_counts(group, label) for group, label in groups if len(group))


def _excludes(ledger):
    """Whether the interval of each part (n_parts,) excludes the value published for the same data sets."""
    published = ledger["published"].where(ledger["published_on"] == SAME_SETS)
    return (published < ledger["low"]) | (published > ledger["high"])


def _counts(claims, label):
    """Numbers of claims by verdict, in words."""
    verdicts = claims["verdict"].value_counts()
    named = [f"{verdicts[name]} {name}{_note(claims, name)}" for name in VERDICTS if name in verdicts]
    interim = f" ({claims['interim'].sum()} of them interim)" if claims["interim"].any() else ""
    return f"{len(claims)} {label}{interim}: {', '.join(named)}"


def _note(claims, verdict):
    """Qualifications of the claims with a verdict, in parentheses; empty if there are none."""
    of = claims[claims["verdict"] == verdict]
    notes = {
        "of them identities": (of["kind"] == "identity").sum(),
        "of them without any run": of["without"].sum() if verdict != "not run" else 0,
        "with an interval that excludes the published value": of["excludes"].sum() if verdict == "inconclusive" else 0,
    }
    named = [f"{number} {text}" for text, number in notes.items() if number]
    return f" ({', '.join(named)})" if named else ""


def _level(p):
    """A p with two or three decimals, or "< .001"."""
    return NOTHING if pd.isna(p) else "< .001" if p < 0.001 else f"{p:.3f}" if p < 0.01 else f"{p:.2f}"


def _number(value):
    """The value with two decimals, or with one from 10 on."""
    return NOTHING if pd.isna(value) else f"{value:.{1 if abs(value) >= 9.995 else 2}f}"

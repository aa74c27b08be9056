"""The ledger as files and as text: claims with their verdicts, what we found beside what was published, and power."""

from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.documents.names import COUNTED, VERDICTS
from bayes_hpo.report.tables import table as files
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
    "(Benjamini and Yekutieli); Wilcoxon: p of the document's own test on our means.",
    "power: chance of the published conclusion at this scale, and at the best that is offered, if the print is true; "
    "below .2 at every scale a claim is undecidable by design. interim: a part of the suite only.",
    "The rules: docs/statistics.md.",
)
INTERIM = " (interim)"
WITHOUT = "without flagged"
WITHOUT_FLAGGED = (
    f"{WITHOUT}: the same verdict without the data sets that a study flags as of doubtful identity or print "
    "(docs/data.md), and on how many; empty where the claim rests on none of them."
)


def write(ledger, scale, products_dir, caption):
    """Write tables/<scale>/ledger.csv and .tex below `products_dir`, print the ledger (frame of claims.ledger) as text.

    Raises: Fault when a file cannot be written.
    """
    table = ledger_table(ledger)
    sentences = caption.whole(table.notes)
    files.write(table, TITLE, sentences, Path(ledger_file(scale, products_dir)), digits=6)


def ledger_table(ledger):
    """The Table of a ledger, row labels (claim, part); the verdict on a whole claim stands beside its first part."""
    several = ledger["claim"].duplicated(keep=False)
    interim = np.where(ledger["part_interim"], INTERIM, "")
    cells = {
        "ours": [interval(row) for row in ledger.itertuples()],
        "published": ledger["published"].map(number) + np.where(ledger["published_on"] == "print", " (print)", ""),
        "unit": ledger["unit"],
        "sets x reps": [rests_on(row) for row in ledger.itertuples()],
        "p, adjusted": [f"{level(row.p)}, {level(row.p_adjusted)}" for row in ledger.itertuples()],
        "Wilcoxon": ledger["p_test"].map(level),
        "power, best": [f"{number(row.power)}, {number(row.best_power)}" for row in ledger.itertuples()],
        "verdict": ledger["part_verdict"] + interim,
        "whole claim": ledger["verdict"].where(several & ~ledger["claim"].duplicated(), ""),
    }
    notes = [f"{counts(ledger)}.", *HOW_TO_READ]
    if ledger["verdict_without_flagged"].any():
        cells[WITHOUT] = [_without_flagged(row) for row in ledger.itertuples()]
        notes.append(WITHOUT_FLAGGED)
    labels = pd.MultiIndex.from_frame(ledger[["claim", "part"]])
    return Table(pd.DataFrame(cells).set_axis(labels), ledger, notes)


def _without_flagged(row):
    """The second verdict of a row of the ledger, and its data sets."""
    return f"{row.verdict_without_flagged} ({row.data_sets_without_flagged:.0f})" if row.verdict_without_flagged else ""


def counts(ledger):
    """How many claims have each verdict, in words: those that count, primary and secondary, then the others."""
    claims = ledger.drop_duplicates("claim")
    counted = claims["tier"].isin(COUNTED)
    return "; ".join(
        _counts(one, label)
        for one, label in ((claims[counted], "primary and secondary claims"), (claims[~counted], "others"))
        if len(one)
    )


def _counts(claims, label):
    found = claims["verdict"].value_counts()
    exact = claims.loc[claims["kind"] == "identity", "verdict"].value_counts()
    named = [
        f"{found[name]} {name}" + (f" ({exact[name]} of them identities of kernels)" if name in exact else "")
        for name in VERDICTS
        if name in found
    ]
    interim = f" ({claims['interim'].sum()} of them interim)" if claims["interim"].any() else ""
    return f"{len(claims)} {label}{interim}: {', '.join(named)}"


def level(p):
    """A p with two decimals, or how small it is."""
    return NOTHING if pd.isna(p) else "< .001" if p < 0.001 else f"{p:.3f}" if p < 0.01 else f"{p:.2f}"


def rests_on(row):
    """Data sets times repetitions of a row of the ledger."""
    return f"{row.data_sets} x {row.repetitions}" if row.data_sets else NOTHING


def interval(row):
    """Estimate and interval of a row of the ledger."""
    if pd.isna(row.estimate):
        return NOTHING
    return f"{number(row.estimate)} [{number(row.low)}, {number(row.high)}]"


def number(value):
    """The value with two decimals, one from ten on."""
    return NOTHING if pd.isna(value) else f"{value:.{1 if abs(value) >= 9.995 else 2}f}"

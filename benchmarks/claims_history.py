"""When each claim was frozen, when its first data came, and what was changed after that, as the repository tells.

    python -m benchmarks.claims_history      (needs the whole history; puts the table into docs/claims.md)

A claim is what decides it (DECIDING). It is frozen at the last revision of conf/claims.csv, or of its study's margin,
that changed one of these; its first data came with the first ledger of scale small that has an estimate of it. What
was changed in that very revision was changed after data, too: the runs may have been there before.
"""

import argparse
import csv
import hashlib
import io
import subprocess
from pathlib import Path

import pandas as pd
import yaml

from bayes_hpo.claims.claim import read
from bayes_hpo.report.tables.markdown import markdown, put

CLAIMS, LEDGER, PAGE = "conf/claims.csv", "tables/small/ledger.csv", Path(__file__).parents[1] / "docs/claims.md"
DECIDING = ("study", "measure", "a", "b", "field", "datasets", "repetitions", "validations", "kind", "limit")
RENAMED = {  # measures that were called otherwise when they gave their least component only
    "hodges_lehmann_least": "hodges_lehmann",
    "hodges_lehmann_farthest": "hodges_lehmann",
    "rank_gain_least": "rank_gain",
    "median_gain_least": "median_gain",
    "worse_gain_least": "worse_gain",
}
EARLIER_MARGIN = "0.15"  # of every study, before each had its own


def main():
    """Put the table into the page."""
    argparse.ArgumentParser(
        prog="python -m benchmarks.claims_history", description=__doc__.splitlines()[0]
    ).parse_args()
    revisions = _git("rev-list", "--reverse", "HEAD").split()
    first, claims = _first_data(revisions), _claims(revisions)
    rows = {claim.claim: _row(claim, claims[claim.claim], first.get(claim.claim), revisions) for claim in read()}
    table = markdown("claim", pd.DataFrame.from_dict(rows, orient="index"))
    put("history", table, PAGE)
    print(table)


def digest(claim):
    """Digest (8 hex digits) of what decides a Claim."""
    values = {name: getattr(claim, name) for name in DECIDING}
    return hashlib.sha256(repr(values).encode()).hexdigest()[:8]


def _row(claim, changes, first, revisions):
    """Cells of a claim's row. changes: list of (revision, what changed); first: revision of its first data or None."""
    late = [] if first is None else [one for one in changes[1:] if revisions.index(one[0]) >= revisions.index(first)]
    return {
        "tier": claim.tier,
        "first stated": changes[0][0][:7],
        "frozen": changes[-1][0][:7],
        "first data": first[:7] if first else "none yet",
        "changed after data": "; ".join(f"{', '.join(names)} ({revision[:7]})" for revision, names in late),
        "digest": digest(claim),
    }


def _claims(revisions):
    """dict, claim -> list of (revision, names of what decides it that changed there), the first with all of them."""
    found, last = {}, {}
    touched = set(_git("rev-list", "HEAD", "--", CLAIMS, "conf/study").split())
    for revision in [one for one in revisions if one in touched]:
        for row in csv.DictReader(io.StringIO(_show(revision, CLAIMS))):
            now = {name: _value(row, name, revision) for name in DECIDING}
            before = last.get(row["claim"], {})
            if changed := [name for name in DECIDING if now[name] != before.get(name)]:
                found.setdefault(row["claim"], []).append((revision, changed))
            last[row["claim"]] = now
    return found


def _value(row, name, revision):
    """What decides a claim, in today's words."""
    value = row.get(name) or ""
    if name == "measure":
        return RENAMED.get(value, value)
    if name == "limit" and not value and row["kind"] == "equality":
        study = yaml.safe_load(_show(revision, f"conf/study/{row['study']}.yaml") or "{}")
        value = str(study.get("margin", EARLIER_MARGIN))
    return float(value or 0) if name == "limit" else value


def _first_data(revisions):
    """dict, claim -> the first revision whose ledger has an estimate of it."""
    found, touched = {}, set(_git("rev-list", "HEAD", "--", LEDGER).split())
    for revision in [one for one in revisions if one in touched]:
        for row in csv.DictReader(io.StringIO(_show(revision, LEDGER))):
            if row.get("estimate"):
                found.setdefault(row["claim"], revision)
    return found


def _show(revision, path):
    """The text of a file at a revision, empty where it is not there."""
    return _git("show", f"{revision}:{path}", check=False)


def _git(*arguments, check=True):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=check).stdout


if __name__ == "__main__":
    main()

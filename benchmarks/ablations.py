"""What chapter 5's ablations change: paired differences of test errors, from the released scores.

    python -m benchmarks.ablations           (seconds; puts the table into docs/decisions.md)

A variant and what it is compared with have the same splits and draws, so their repetitions are pairs.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.report.tables.markdown import markdown, put
from bayes_hpo.scores import frames
from bayes_hpo.scores.sums import Sums
from bayes_hpo.storage.layout import score_files

PAGE = Path(__file__).parents[1] / "docs/decisions.md"
SCALE = "small"
ROWS = {"GP-matern-noimpute": "gp_matern_noimpute", "GP-matern": "gp_matern"}
VARIANTS = {  # what is varied -> (its study, what its methods' names end in, the study that it is compared with)
    "linear SVM on the dual problem, less today's default": ("conditional_dual", "", "conditional"),
    "AdaBoost of today (SAMME), less SAMME.R": ("conditional_samme", "", "conditional_dual"),
    "lengths up to 2, less up to 100": ("conditional_lengths", "_length_2", "conditional_dual"),
}


def main():
    """Put the table into the page."""
    argparse.ArgumentParser(prog="python -m benchmarks.ablations", description=__doc__.splitlines()[0]).parse_args()
    studies = dict.fromkeys(name for study, _, reference in VARIANTS.values() for name in (study, reference))
    errors = {study: final_errors(study) for study in studies}
    put("ablations", table(errors), PAGE)
    print(table(errors))


def final_errors(study):
    """Test errors of the released ends in percent: frame, index (data set, repetition), a column per method."""
    grid = Grid.of(study, SCALE)
    folder = Sums("released").check(study, SCALE)
    if not score_files(folder, grid.datasets):
        return pd.DataFrame()
    rows = frames.read(folder, study=study, scale=SCALE, datasets=grid.datasets, hint=frames.RESTORE)
    ends = rows[rows["final"]]
    return 100 * ends.pivot(index=["dataset", "repetition"], columns="method", values="test_error")


def table(errors):
    """A row for each variant and row of table 5.2 whose searches are released (markdown).

    errors: dict, study -> frame of `final_errors`.
    """
    found = {}
    for what, (study, suffix, reference) in VARIANTS.items():
        for label, method in ROWS.items():
            if f"{method}{suffix}" in errors[study] and method in errors[reference]:
                found[f"{what}: {label}"] = _cells(errors[study][f"{method}{suffix}"] - errors[reference][method])
    return markdown("points of test error (standard error)", pd.DataFrame.from_dict(found, orient="index"))


def _cells(differences):
    """Mean and standard error by data set, of their average, and the number of pairs (dict); series by pair."""
    by_set = differences.dropna().groupby("dataset").agg(["mean", "sem", "count"])
    cells = {name: f"{row['mean']:.2f} ({row['sem']:.2f})" for name, row in by_set.iterrows()}
    error = np.sqrt((by_set["sem"] ** 2).sum()) / len(by_set)
    return cells | {"average": f"{by_set['mean'].mean():.2f} ({error:.2f})", "pairs": f"{by_set['count'].sum()}"}


if __name__ == "__main__":
    main()

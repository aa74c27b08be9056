"""Rows of conf/costs.csv from the released scores of a study: what its models have cost, and those of each search.

    python -m benchmarks.released_costs divbo      (replace the rows `model` and `factor` of its learner)

A model: CPU seconds of a trial of random search, mean over a data set. A factor: CPU seconds of the trials of another
search, its suggestions apart, divided by those of random search on the same data sets, if there are three or more.
"""

import argparse
import csv
import sys

import pandas as pd

from bayes_hpo.campaign.costs import Costs, learner_name
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.run_costs import sizes
from bayes_hpo.storage.layout import released_folder, score_files, searched
from benchmarks.costs import COLUMNS

RANDOM = "random"
FEWEST = 3  # data sets behind a factor


def main():
    """Write the rows of a study to standard output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.released_costs", description=__doc__.splitlines()[0])
    parser.add_argument("study")
    parser.add_argument("--scale", default="small")
    chosen = parser.parse_args()
    grid = Grid.of(chosen.study, chosen.scale)
    writer = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    writer.writerows(rows(grid, seconds(grid), Costs.read()))


def seconds(grid):
    """Frame, data set x (protocol, searcher): CPU seconds of a search, mean over its repetitions.

    Raises: SystemExit without released scores of random search.
    """
    of_search = {}
    for path in score_files(released_folder(grid.scale, grid.study), grid.datasets):
        search, scores = searched(path), pd.read_parquet(path)
        taken = scores[scores["final"]].groupby("repetition")["seconds"].first().mean()
        of_search[search["dataset"], search["protocol"], search["searcher"]] = taken
    if RANDOM not in {searcher for _, _, searcher in of_search}:
        raise SystemExit(f"{grid.study} has no released scores of random search at scale {grid.scale}; release some")
    return pd.Series(of_search).unstack([1, 2])


def rows(grid, taken, costs):
    """Yield the rows of the models by data set, then those of the searches.

    taken: the frame of `seconds`.
    costs: Costs, for the suggestions.
    """
    learner = learner_name(grid.cfg["study"]["learner"])
    for protocol in taken.columns.levels[0]:
        job = grid.job(protocol, RANDOM)
        of_random = taken[protocol, RANDOM].dropna()
        for name, total in of_random.items():
            row = grid.registered[name]
            folds, train, predicted = sizes(job, row)
            size = {"train": round(train), "predicted": round(predicted), "p": row.p, "measured": job["budget"]}
            yield _row("model", learner, name, total / folds / job["budget"]) | size
        others = taken[protocol].drop(columns=RANDOM).dropna(axis=1, thresh=FEWEST)
        for searcher, of_search in others.items():
            total = of_search.dropna()
            settings = grid.job(protocol, searcher)
            candidates = settings["searcher"].get("candidates", {}).get("size", 0)
            suggesting = settings["budget"] * costs.suggesting(settings["learner"], searcher, candidates)
            factor = (total - suggesting).sum() / of_random[total.index].sum()
            yield _row("factor", learner, searcher, factor) | {"measured": len(total)}


def _row(kind, learner, name, value):
    return {"kind": kind, "learner": learner, "name": name, "seconds": f"{value:.4g}"}


if __name__ == "__main__":
    main()

"""Rows of conf/costs.csv from the pools that a campaign has left: what models, suggestions and refits have cost there.

    python -m benchmarks.pool_costs ensembles_svm [--results FOLDER] [--scale small]      (append what it prints)

A model: CPU seconds of a fit and its predictions on one fold, mean over all trials of the searches on a data set. A
suggestion: mean over data sets of the mean over a whole search. Refits: stored ones per pool.
"""

import argparse
import csv
import sys
from pathlib import Path

import numpy as np

from bayes_hpo.campaign.costs import learner_name
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.storage import npz
from bayes_hpo.storage.layout import pool_folder
from bayes_hpo.storage.pools import read_pool
from benchmarks.costs import COLUMNS

REFITS = "refits 2"  # form of the files


def main():
    """Write the rows of a study to standard output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pool_costs", description=__doc__.splitlines()[0])
    parser.add_argument("study")
    parser.add_argument("--results", default="results", help="folder that holds <scale>/pools")
    parser.add_argument("--scale", default="small")
    chosen = parser.parse_args()
    grid = Grid.of(chosen.study, chosen.scale, chosen.results)
    writer = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    for row in rows(grid):
        writer.writerow(row)


def rows(grid):
    """Yield the rows of all pools of a grid that are there."""
    of_dataset = {}
    for protocol, searcher in grid.pools:
        job = grid.job(protocol, searcher)
        learner = learner_name(job["learner"])
        pools = {name: _pools(grid, name, protocol, searcher) for name in grid.datasets}
        pools = {name: paths for name, paths in pools.items() if paths}
        if not pools:
            continue
        suggesting, refits = [], []
        for name, paths in pools.items():
            read = [read_pool(path) for path in paths]
            trials = [trial for pool in read for trial in pool]
            suggesting.append(np.mean([trial.seconds_proposal for trial in trials]))
            of_dataset.setdefault((learner, protocol, name), []).extend(trial.seconds for trial in trials)
            refits += [_refits(path) for path in paths]
        measured = {"learner": learner, "measured": sum(map(len, pools.values()))}
        size = job["searcher"].get("candidates", {}).get("size", "")
        seconds = {"seconds": f"{np.mean(suggesting):.3g}"}
        yield measured | {"kind": "suggestion", "name": searcher, "candidates": size} | seconds
        if any(refits):
            seconds = {"seconds": f"{np.mean([count for count in refits if count]):.3g}"}
            yield measured | {"kind": "refits", "name": f"{searcher}/{protocol}"} | seconds
    for (learner, protocol, name), of_trials in of_dataset.items():
        yield _model(grid, learner, protocol, name, of_trials)


def _model(grid, learner, protocol, name, of_trials):
    """The row of the models on one data set; of_trials: CPU seconds of its trials."""
    row, job = grid.registered[name], grid.job(protocol, grid.pools[0][1])
    validation = job["protocol"]["validation"]
    folds = validation.get("folds", 1)
    visible = row.rest or round(row.n * (1 - job["test_percent"] / 100))
    predicted = round(visible * validation.get("share", 1 / folds))
    sizes = {"train": min(visible - predicted, job["training_cap"]), "predicted": predicted, "p": row.p}
    seconds = {"seconds": f"{np.mean(of_trials) / folds:.4g}"}
    return {"kind": "model", "learner": learner, "name": name, "measured": len(of_trials)} | sizes | seconds


def _pools(grid, name, protocol, searcher):
    """Paths of the pools of one search on a data set."""
    folder = Path(pool_folder(grid.scale, grid.owner, name, protocol, searcher, grid.results))
    return sorted(folder.glob("rep_[0-9][0-9][0-9].npz"))


def _refits(path):
    """Number of models that were refit for the methods on a pool."""
    stores = path.parent.glob(f"{path.stem}.refits_*.npz")
    return sum(len(npz.to_json(npz.read(store, REFITS)["configurations"])) for store in stores)


if __name__ == "__main__":
    main()

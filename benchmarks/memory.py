"""Measure what `mem_mb` of the workflow is estimated from: the peak memory of one search in a process of its own.

    python -m benchmarks.memory --archive_dir FOLDER > memory.csv && mv memory.csv conf

A search is one repetition of a few trials of a random search, which fits the same models as any other. Its peak is the
largest resident set of its processes (getrusage; Linux, 10^6 bytes): that of the child, which shares its parent's.
The row of Snakemake is kept: the peak (VmHWM of /proc/PID/status) of its process that runs one job on a node of Slurm.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict

from bayes_hpo.campaign.costs import learner_name
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.memory import COLUMNS, MEMORY, WORKFLOW, demand
from bayes_hpo.data.registry import find

RUNS = [
    *[("overfitting", "pilot", "holdout", name, 6) for name in ("fertility", "pima", "semeion", "musk-2")],
    *[("overfitting", "pilot", "holdout", name, 4) for name in ("letter", "adult", "connect-4")],
    *[("overfitting", "pilot", "kfold", name, 4) for name in ("semeion", "connect-4")],
    *[("random_forest", "small", "kfold", name, 3) for name in ("pima", "semeion", "letter", "adult")],
    *[("conditional", "small", "kfold", name, 8) for name in ("pima", "semeion", "spambase", "letter")],
    ("conditional", "small", "kfold", "semeion", 60),
    *[("divbo", "small", "holdout", name, 12) for name in ("sklearn-wine", "sklearn-digits", "spambase")],
]


def peak_mb(study, scale, protocol, name, trials, results):
    """Largest resident set of the processes of one search, 10^6 bytes."""
    settings = {"study": study, "scale": scale, "protocol": protocol, "dataset": name, "searcher": "random"}
    settings |= {"budget": trials, "repetitions": 0, "results_dir": f"{results}/{study}-{protocol}-{name}-{trials}"}
    os.makedirs(settings["results_dir"], exist_ok=True)
    os.symlink(f"{results}/data", f"{settings['results_dir']}/data")
    words = [f"{key}={value}" for key, value in settings.items()]
    process = subprocess.Popen([sys.executable, "-m", "bayes_hpo.stages.search", *words], stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the search failed: {' '.join(words)}")
    return usage.ru_maxrss * 1024 / 1e6


def kept():
    """The rows of conf/memory.csv that are not of a search."""
    with open(MEMORY, newline="", encoding="utf-8") as stream:
        return [row for row in csv.DictReader(stream) if row["learner"] == WORKFLOW]


def main():
    """Print the rows of conf/memory.csv."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive_dir", required=True)
    folder = parser.parse_args().archive_dir
    out = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    out.writeheader()
    out.writerows(kept())
    with tempfile.TemporaryDirectory() as results:
        for study, scale, protocol, name, trials in RUNS:
            settings = [f"dataset={name}", f"data.archive_dir={folder}", f"results_dir={results}"]
            subprocess.run([sys.executable, "-m", "bayes_hpo.stages.data", *settings], check=True, capture_output=True)
            grid = Grid.of(study, scale)
            job = grid.job(protocol, "random") | {"budget": trials}
            megabytes = peak_mb(study, scale, protocol, name, trials, results)
            grows = {key: f"{value:.4g}" for key, value in asdict(demand(job, find(name))).items() if key in COLUMNS}
            learner = learner_name(job["learner"])
            out.writerow({"learner": learner, "name": name, "trials": trials, **grows, "mb": round(megabytes)})
            sys.stdout.flush()


if __name__ == "__main__":
    main()

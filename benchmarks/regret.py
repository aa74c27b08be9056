"""Regret of ours and of other libraries' optimizers on the tasks of `benchmarks.tasks`, one thread, same budgets.

    python -m benchmarks.regret            (hours; goes on where benchmarks/regret.csv ends)
    python -m benchmarks.regret --table    (puts what that file holds into README.md and regret.png)

What is compared, and how: benchmarks/README.md.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import time
from pathlib import Path

import pandas as pd

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.campaign.revision import revision
from benchmarks.comparison import Comparison
from bayes_hpo.report.tables.markdown import put
from benchmarks.page import PAGE
from benchmarks.peers import OPTIMIZERS, OURS
from benchmarks.regret_report import draw, tables
from benchmarks.tasks import TASKS

RESULTS = Path(__file__).with_name("regret.csv")
COLUMNS = ["task", "optimizer", "run", "seconds", "revision", "lowest"]


def main():
    """Make the runs that are missing, one line of the file each, or show them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regret", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--optimizers", nargs="+", choices=OPTIMIZERS, default=list(OPTIMIZERS))
    parser.add_argument("--runs", type=int, default=None, help="at most so many of each task (default: all)")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="make no run, put tables and figure into README.md")
    options = parser.parse_args()
    try:
        if options.table:
            comparison = Comparison.of(read(options.results))
            put("regret", tables(comparison), PAGE)
            draw(comparison, RESULTS.with_suffix(".png"))
        else:
            measure(options)
    except (RunError, UserError) as problem:
        parser.exit(2, f"error: {problem}\n")


def measure(options):
    """Append a row for every run that the file lacks, all optimizers of an instance after each other."""
    done = set(read(options.results)[COLUMNS[:3]].itertuples(index=False, name=None))
    made_by = revision()  # of what is loaded now: files may change while this runs
    most = max(TASKS[name].runs for name in options.tasks)
    for run in range(most if options.runs is None else options.runs):
        for name in options.tasks:
            for optimizer in options.optimizers:
                if run < TASKS[name].runs and (name, optimizer, run) not in done:
                    lowest, seconds = minimise(TASKS[name], optimizer, run)
                    append(options.results, [name, optimizer, run, float(f"{seconds:.4g}"), made_by, lowest])
                    print(name, optimizer, run, f"{seconds:.3g} s a suggestion", flush=True)


def minimise(task, optimizer, run):
    """("trial:loss ..." wherever a loss was the lowest so far, CPU seconds per suggestion) of one run."""
    loss, lowest, found, spent = task.instance(run), float("inf"), [], 0.0
    start = time.process_time()
    one = OPTIMIZERS[optimizer](task.d, budget=task.budget, seed=run, **(task.ours if optimizer in OURS else {}))
    spent += time.process_time() - start
    for trial in range(1, task.budget + 1):
        start = time.process_time()
        point = one.ask()
        spent += time.process_time() - start
        value = loss(point)
        if value < lowest:
            lowest = value
            found.append(f"{trial}:{value:.9g}")
        start = time.process_time()
        one.tell(value)
        spent += time.process_time() - start
    return " ".join(found), spent / task.budget


def read(path):
    """The file's rows, a frame; none where there is no file yet."""
    return pd.read_csv(path, dtype={"revision": str}) if path.exists() else pd.DataFrame(columns=COLUMNS)


def append(path, row, columns=COLUMNS):
    """Write one row, in one piece, behind the others."""
    with open(path, "a") as stream:
        pd.DataFrame([row], columns=columns).to_csv(stream, index=False, header=stream.tell() == 0)


if __name__ == "__main__":
    main()

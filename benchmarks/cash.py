"""Chapter 5's space on real data: ours and other libraries' optimizers, 200 trials, in time and in error.

    python -m bayes_hpo.stages.data suite=cash_benchmark data.archive_dir=FOLDER     (the five data sets)
    python -m benchmarks.cash            (hours; goes on where benchmarks/cash.csv ends)
    python -m benchmarks.cash --table    (puts what that file holds into README.md)

A run is a repetition of the study `conditional` on one data set: its test part and its five folds.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import suite
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.campaign.revision import revision
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.storage.layout import data_file
from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.pool import Proposal
from bayes_hpo.repetition import Repetition
from bayes_hpo.report.tables.markdown import markdown, put
from bayes_hpo.scoring.refit import Refit
from bayes_hpo.stats.ranks import ranks
from benchmarks.cash_optimizers import CASH_OPTIMIZERS
from benchmarks.page import PAGE
from benchmarks.regret import append, read

RESULTS = Path(__file__).with_name("cash.csv")
SUITE, RUNS, BUDGET, LATE = "cash_benchmark", 5, 200, 20
COLUMNS = ["task", "optimizer", "run", "seconds", "late_seconds", "revision", "validation_loss", "test_error"]


def main():
    """Make the runs that are missing, one line of the file each, or show them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cash", description=__doc__.splitlines()[0])
    parser.add_argument("--optimizers", nargs="+", choices=CASH_OPTIMIZERS, default=list(CASH_OPTIMIZERS))
    parser.add_argument("--runs", nargs="+", type=int, choices=range(RUNS), default=range(RUNS))
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="make no run, put the tables into README.md")
    options = parser.parse_args()
    try:
        if options.table:
            put("cash", tables(read(options.results)), PAGE)
        else:
            measure(options.optimizers, options.runs, options.results)
    except (UserError, RunError) as problem:
        parser.exit(2 if isinstance(problem, UserError) else 1, f"error: {problem}\n")


def measure(optimizers, runs, results):
    """Append a row for every run that the file lacks, all optimizers of an instance after each other."""
    done = set(read(results)[COLUMNS[:3]].itertuples(index=False, name=None))
    made_by, job = revision(), Grid.of("conditional", "small").job("kfold", "random")
    space = build(job["space"], "space")
    for run in runs:
        for dataset in suite(SUITE):
            repetition = Repetition.of(job, Data.load(data_file(dataset)), run)
            for optimizer in optimizers:
                if (dataset, optimizer, run) not in done:
                    found = minimise(repetition, space, optimizer, run)
                    append(results, [dataset, optimizer, run, *found[:2], made_by, *found[2:]], COLUMNS)
                    print(dataset, optimizer, run, *found, flush=True)


def minimise(repetition, space, optimizer, run):
    """(CPU seconds per suggestion, of the last ones, lowest validation loss, its refit's test error) of one run."""
    evaluate, spent, best = Evaluation(repetition), [], (np.inf, None)
    one = CASH_OPTIMIZERS[optimizer](space, budget=BUDGET, seed=run)
    for trial in range(BUDGET):
        start = time.process_time()
        configuration = one.ask()
        asking = time.process_time() - start
        loss = evaluate(Proposal(configuration, trial)).loss
        best = min(best, (loss, configuration), key=lambda pair: pair[0])
        start = time.process_time()
        one.tell(loss)
        spent.append(asking + time.process_time() - start)
    with tempfile.TemporaryDirectory() as folder:
        refit = Refit(repetition, most=len(repetition.data.y), store=Path(folder, "refits.npz"), fingerprint="")
        test_error = (refit(Member(best[1])) != repetition.data.y[repetition.parts.test]).mean()
    return [float(f"{number:.4g}") for number in (np.mean(spent), np.mean(spent[-LATE:]), best[0], test_error)]


def tables(rows):
    """Seconds, errors and ranks of the optimizers, on the runs that all have made."""
    values = ["late_seconds", "validation_loss", "test_error"]
    wide = rows.pivot(index=["task", "run"], columns="optimizer", values=values)
    wide = wide.reindex(columns=pd.MultiIndex.from_product([values, list(CASH_OPTIMIZERS)])).dropna()
    if wide.empty:
        raise UserError("no data set has a run of every optimizer yet; make them with python -m benchmarks.cash")
    shown = {
        "s a suggestion, n > 180": wide["late_seconds"].mean().map("{:.2g}".format),
        **{
            f"{label} error, {part}": f(wide[column]).map("{:.2f}".format)
            for column, label in (("validation_loss", "validation"), ("test_error", "test"))
            for part, f in (("mean %", lambda x: 100 * x.mean()), ("mean rank", lambda x: ranks(x).mean()))
        },
    }
    counted = wide.groupby("task").size()
    runs = ", ".join(f"{task} {count} of {RUNS}" for task, count in counted.items())
    made_by = ", ".join(sorted(set(rows["revision"])))
    return f"{markdown('', pd.DataFrame(shown))}\n\nRuns: {runs}. Revision {made_by}."


if __name__ == "__main__":
    main()

"""CPU seconds of a suggestion, ours and of other libraries' optimizers, in one run and on one thread.

    python -m benchmarks.suggest            (half an hour; --dimensions 2 for a part)
    python -m benchmarks.suggest --table    (puts what benchmarks/suggest.csv holds into README.md and suggest.png)

All are told the same points, half of them spread over the cube, half around the optimum of a smooth, noisy loss. The
n-th point is the optimizer's own, so that ours goes on from the chain that it has, as in a search. Asking for it is not
counted, nor is anything before; telling its loss and asking for the next point is. Rounds of all optimizers alternate;
the median and the least of an optimizer's rounds are kept in benchmarks/suggest.csv.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import gc
import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.storage.files import atomic
from bayes_hpo.campaign.revision import revision
from bayes_hpo.report.tables.markdown import put
from benchmarks.page import PAGE
from benchmarks.peers import OPTIMIZERS
from benchmarks.suggest_report import draw, table

RESULTS = Path(__file__).with_name("suggest.csv")
CELL = ["d", "n", "optimizer"]
COLUMNS = [*CELL, "median", "least", "suggestions", "start", "version", "machine", "revision"]
ORDER = {name: place for place, name in enumerate(OPTIMIZERS)}
SIZES, DIMENSIONS = (10, 25, 50, 100, 200), (2, 6, 14)
OPTIMUM, AROUND, NOISE = 0.37, 0.05, 0.01
LEAST, MOST = 3, 15  # suggestions of a cell
TOO_LONG = 20  # seconds of a suggestion after which its cell is left out


def main():
    """Measure cell by cell and keep each in the file, or show them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suggest", description=__doc__.splitlines()[0])
    parser.add_argument("--optimizers", nargs="+", choices=OPTIMIZERS, default=list(OPTIMIZERS))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="numbers of observations")
    parser.add_argument("--dimensions", nargs="+", type=int, default=DIMENSIONS)
    parser.add_argument("--seconds", type=float, default=10, help="of CPU for a cell of one optimizer, about")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true", help="measure nothing, put tables and figure into README.md")
    options = parser.parse_args()
    try:
        if options.table:
            rows = read(options.results)
            put("suggest", table(rows), PAGE)
            draw(rows, RESULTS.with_suffix(".png"))
        else:
            measure(options)
            print(table(read(options.results)))
    except (RunError, UserError) as problem:
        parser.exit(2, f"error: {problem}\n")


def measure(options):
    """Put the rows of every cell that was asked for into the file. Raises: UserError when a library is missing."""
    for name in options.optimizers:
        suggestion(name, 12, 2, 0)  # whatever a library does once only
    starts = {name: start(name) for name in options.optimizers}
    about = {"machine": machine(), "revision": revision()}
    for d in options.dimensions:
        for n in options.sizes:
            for name, seconds in cell(options.optimizers, n, d, options.seconds).items():
                values = {"median": float(f"{np.median(seconds):.3g}"), "least": float(f"{min(seconds):.3g}")}
                row = {"d": d, "n": n, "optimizer": name, "suggestions": len(seconds), "start": round(starts[name], 2)}
                keep(options.results, row | values | about | {"version": released(name)})


def cell(names, n, d, budget):
    """CPU seconds of suggestions at n observations of d dimensions: dict, name -> list; without what takes too long."""
    seconds, spent = {name: [] for name in names}, dict.fromkeys(names, 0.0)
    for turn in range(MOST):
        for name in [name for name in seconds if turn < LEAST or spent[name] < budget]:
            begin = time.process_time()
            seconds[name].append(suggestion(name, n, d, turn))
            spent[name] += time.process_time() - begin
            if seconds[name][-1] > TOO_LONG:
                print(f"{name}, n={n}, d={d}: left out, one suggestion took {seconds.pop(name)[-1]:.0f} s", flush=True)
    return seconds


def suggestion(name, n, d, turn):
    """CPU seconds to tell the n-th observation and to ask for the next point."""
    points, losses, loss = history(n - 1, d, turn)
    one = OPTIMIZERS[name](d, budget=2 * n, seed=turn)
    one.remember(points, losses)
    value = loss(one.ask())
    gc.collect()  # what others have left behind is not this one's to clear
    begin = time.process_time()
    one.tell(value)
    one.ask()
    return time.process_time() - begin


def history(n, d, turn):
    """Points (n, d), their losses (n,), and the loss of any point (d,): a smooth error with noise."""
    rng = np.random.default_rng([n, d, turn])
    spread, near = rng.random((n - n // 2, d)), OPTIMUM + AROUND * rng.standard_normal((n // 2, d))
    weights = rng.dirichlet(np.ones(d))  # some dimensions matter more

    def loss(point):
        away = weights @ (point - OPTIMUM) ** 2
        return float(0.1 + 0.5 * away / (0.05 + away) + NOISE * rng.standard_normal())

    points = np.clip(np.concatenate([spread, near]), 0, 1)
    return points, [loss(point) for point in points], loss


def start(name):
    """CPU seconds of a new process that loads what the optimizer needs and makes its first suggestions."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = f"from benchmarks.suggest import suggestion; suggestion({name!r}, 12, 2, 0)"
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def released(name):
    """The library of an optimizer and its version."""
    library = getattr(OPTIMIZERS[name], "func", OPTIMIZERS[name]).library
    return f"{library} {version(library)}"


def machine():
    """The processor's name and the number of cores."""
    described = Path("/proc/cpuinfo")  # of Linux
    lines = described.read_text().splitlines() if described.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def read(path):
    """The file's rows, a frame. Raises: UserError where there is no file yet."""
    if not path.exists():
        raise UserError(f"there is no {path}; measure first: python -m benchmarks.suggest")
    return pd.read_csv(path)


def keep(path, row):
    """Put a row (dict) into the file in place of an older one of the same cell."""
    old = [pd.read_csv(path)] if path.exists() else []
    rows = pd.concat([*old, pd.DataFrame([row], columns=COLUMNS)]).drop_duplicates(CELL, keep="last")
    rows = rows.sort_values(CELL, key=lambda values: values.map(ORDER.get) if values.name == "optimizer" else values)
    with atomic(path) as part:
        rows.to_csv(part, index=False)


if __name__ == "__main__":
    main()

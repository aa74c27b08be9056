"""How far pools and scores differ between processors: the same cells with other kernels of BLAS and of numpy.

    python -m benchmarks.machines                                   # cells of scale smoke under four processors
    python -m benchmarks.machines --released --archive_dir FOLDER   # released cells of scale small, made again here

OpenBLAS chooses its kernels by the processor, numpy its vector instructions; both can be told to take an older one's.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

PROCESSORS = {
    "own": {},
    "haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "prescott, numpy without AVX2": {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"},
}
CELLS = [  # study, data set, protocol, searcher
    ("overfitting", "sklearn-wine", "holdout", "random"),
    ("overfitting", "sklearn-wine", "holdout", "cma"),
    ("overfitting", "sklearn-wine", "holdout", "gp"),
    ("overfitting", "sklearn-breast-cancer", "kfold_r", "gp"),
    ("conditional", "sklearn-wine", "kfold", "gp_matern"),
    ("random_forest", "sklearn-breast-cancer", "kfold", "gp"),
]
RELEASED = [
    *[("overfitting", name, "holdout", "random") for name in ("fertility", "zoo", "hepatitis", "iris")],
    *[("overfitting", name, "holdout", "grid") for name in ("fertility", "breast-tissue", "iris", "lung-cancer")],
    *[("overfitting", name, "holdout", "cma") for name in ("fertility", "zoo")],
    *[("overfitting", name, "holdout_r", "cma") for name in ("iris", "lung-cancer")],
    ("overfitting", "libras", "kfold_r", "gp"),
    *[("overfitting", name, "holdout", "gp") for name in ("lung-cancer", "zoo")],  # whose chain moved otherwise
]
KEYS = ["repetition", "method", "iteration"]


def run(stage, cell, scale, results, settings, *more):
    """One stage on a cell, in a process with the settings (environment)."""
    names = ("study", "dataset", "protocol", "searcher")
    words = [f"{name}={value}" for name, value in zip(names, cell, strict=True)] if stage != "data" else []
    words += [f"scale={scale}"] if stage != "data" else [f"dataset={cell[1]}"]
    command = [sys.executable, "-m", f"bayes_hpo.stages.{stage}", *words, f"results_dir={results}", *more]
    subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)


def pools(cell, scale, results):
    """The arrays of each pool of a cell: list of dict."""
    study, dataset, protocol, searcher = cell
    folder = Path(results, scale, "pools", study, dataset, protocol, searcher)
    return [dict(np.load(path)) for path in sorted(folder.glob("rep_???.npz"))]


def scores(path):
    """Scores by repetition, method and iteration."""
    return pd.read_parquet(path).set_index(KEYS)


def compared_scores(ours, theirs):
    """(rows compared, rows with the same test error, largest difference, difference of the means at the end)."""
    both = ours[["test_error"]].join(theirs["test_error"].rename("test_error_other"), how="inner")
    gap = (both["test_error"] - both["test_error_other"]).abs()
    last = both.groupby(["repetition", "method"]).tail(1).groupby("method").mean()
    means = (last["test_error"] - last["test_error_other"]).abs().max()
    return len(both), int((gap == 0).sum()), gap.max(), means


def compared_pools(ours, theirs):
    """(pools, pools with equal configurations, largest relative difference of a number there, pools with equal losses).

    A relative difference is infinite where a name or the number of trials differs.
    """
    pairs = list(zip(ours, theirs, strict=True))
    gaps = [gap(configurations(one), configurations(other)) for one, other in pairs]
    equal = [np.array_equal(one["losses"], other["losses"]) for one, other in pairs]
    return len(pairs), gaps.count(0.0), max(gaps), sum(equal)


def configurations(pool):
    """The configurations of a pool's trials: list of dict."""
    return json.loads(pool["configurations"].tobytes())


def gap(ours, theirs):
    """The largest relative difference of a number between two lists of configurations."""
    if [list(one) for one in ours] != [list(other) for other in theirs]:
        return math.inf
    pairs = [(one[name], other[name]) for one, other in zip(ours, theirs, strict=True) for name in one]
    numbers = [pair for pair in pairs if all(isinstance(value, int | float) for value in pair)]
    if any(one != other for one, other in set(pairs) - set(numbers)):
        return math.inf
    return max((abs(one - other) / max(abs(one), abs(other)) for one, other in numbers if one != other), default=0.0)


def processors():
    """Print how far the cells of scale smoke differ from those with the processor's own kernels."""
    print("processor, cell: (pools, equal configurations, largest relative difference, equal losses); (scores)")
    with tempfile.TemporaryDirectory() as top:
        for name, settings in PROCESSORS.items():
            for cell in CELLS:
                results, own = f"{top}/{name.split(',')[0]}", f"{top}/own"
                for stage in ("data", "search", "score"):
                    run(stage, cell, "smoke", results, settings)
                if name != "own":
                    place = "smoke/scores/" + "/".join(cell) + ".parquet"
                    found = compared_pools(pools(cell, "smoke", results), pools(cell, "smoke", own))
                    scored = compared_scores(scores(f"{results}/{place}"), scores(f"{own}/{place}"))
                    print(f"{name:30} {'/'.join(cell)}: {found}; {scored}", flush=True)


def released(archive, cells):
    """Print how far released cells differ from the same cells made on this machine."""
    print("cell: rows, rows with the same test error, largest difference, difference of a method's mean at the end")
    with tempfile.TemporaryDirectory() as results:
        for cell in cells:
            study, dataset, protocol, searcher = cell
            path = Path("released", study, "small", dataset, protocol, f"{searcher}.parquet")
            if not path.is_file():
                print(f"{'/'.join(cell)}: not released")
                continue
            run("data", cell, "small", results, {}, f"data.archive_dir={archive}")
            for stage in ("search", "score"):
                run(stage, cell, "small", results, {})
            ours = scores(f"{results}/small/scores/{'/'.join(cell)}.parquet")
            print(f"{'/'.join(cell)}: {compared_scores(ours, scores(path))}", flush=True)


def main():
    """Print one of the two comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--released", action="store_true")
    parser.add_argument("--archive_dir")
    every = ["/".join(cell) for cell in RELEASED]
    parser.add_argument("--cells", nargs="+", default=every, help="released: study/data set/protocol/searcher")
    arguments = parser.parse_args()
    if arguments.released:
        released(arguments.archive_dir, [tuple(cell.split("/")) for cell in arguments.cells])
    else:
        processors()


if __name__ == "__main__":
    main()

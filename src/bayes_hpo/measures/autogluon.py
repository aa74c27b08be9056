"""The test error of AutoGluon Tabular, a subprocess in a separate environment (Shen et al. 2022, table 12; D26)."""

import itertools
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveFloat
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import RunError
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.repetition import Repetition
from bayes_hpo.storage.layout import data_file

COLUMNS = ["dataset", "repetition", "validation", "method", "quantity", "value"]
# AutoGluon itself stops after about its time limit. A run counts as hanging after STRETCH times the limit, which leaves
# time to complete models and predict, plus ALLOWANCE seconds for imports from a slow file system.
STRETCH, ALLOWANCE = 3, 600.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class AutoGluon:
    """One run per data set, on all rows but the test part of the searches that it is compared with.

    If the measure is made again for searches of other repetitions, their rows are those of another run.

    methods: methods whose searches it is compared with.
    python, script: paths of the interpreter and the script that it runs (benchmarks/autogluon).
    seconds: wall-clock time limit of a run, the only kind that AutoGluon has; None: the mean CPU time of the searches
        on the data set. The two are comparable only on an otherwise idle machine.
    """

    methods: list[str]
    python: str
    script: str
    seconds: PositiveFloat | None = None

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame with columns dataset, repetition, validation, method, quantity and value, equal for all repetitions.

        quantity: autogluon_error, percent; autogluon_seconds, the time limit.
        The frame is empty if the interpreter does not exist.
        Raises: RunError when a pool is missing, or the subprocess fails or hangs.
        """
        if shutil.which(self.python) is None:
            log.warning("there is no %s: AutoGluon is not run (benchmarks/autogluon/README.md)", self.python)
            return pd.DataFrame(columns=COLUMNS)
        by_dataset = itertools.groupby(searches(grid, self.methods), lambda search: search.key["dataset"])
        rows = (
            search.key | {"quantity": quantity, "value": value}
            for name, found in by_dataset
            for search, run in self._runs(list(found), Data.load(data_file(name, grid.results)))
            for quantity, value in run.items()
        )
        return pd.DataFrame(rows, columns=COLUMNS)

    def _runs(self, found: list[Search], data: Data) -> list[tuple[Search, dict[str, float]]]:
        """Each search on one data set, with the quantities of the AutoGluon run on it."""
        seconds = self.seconds or float(np.mean([_seconds(search) for search in found]))
        repetition = Repetition.of(found[0].pool.provenance["job"], data, found[0].seeds.repetition)
        X, y, parts = repetition.data.X, repetition.data.y, repetition.parts
        labels = self._labels({"X": X[parts.visible], "y": y[parts.visible], "X_test": X[parts.test]}, seconds)
        run = {"autogluon_error": 100 * float(np.mean(labels != y[parts.test])), "autogluon_seconds": seconds}
        return [(search, run) for search in found]

    def _labels(self, rows: Mapping[str, Any], seconds: float) -> NDArray:
        """Class numbers (n_test,) predicted by the subprocess. Raises: RunError when it fails or hangs."""
        longest = STRETCH * seconds + ALLOWANCE
        with tempfile.TemporaryDirectory() as folder:
            given, predicted = Path(folder, "rows.npz"), Path(folder, "labels.npz")
            np.savez(given, **rows)
            files = [str(given), str(predicted)]
            command = [self.python, "-I", self.script, *files, f"{seconds:.2f}"]  # -I: isolated from our environment
            place = os.environ | {"TMPDIR": folder}  # so that a stopped run leaves no files behind
            try:
                subprocess.run(command, check=True, capture_output=True, text=True, timeout=longest, env=place)
            except subprocess.TimeoutExpired as problem:
                raise RunError(
                    f"{self.python} {self.script} was stopped after {longest:.0f} seconds, though its time limit was "
                    f"{seconds:.0f}; run the measure again on a machine without other work"
                ) from problem
            except (OSError, subprocess.CalledProcessError) as problem:
                lines = (getattr(problem, "stderr", None) or str(problem)).strip().splitlines()
                raise RunError(
                    f"{self.python} {self.script} failed ({lines[-1]}); its environment is made as "
                    "benchmarks/autogluon/README.md says"
                ) from problem
            with np.load(predicted) as stored:
                return stored["labels"]


def _seconds(search: Search) -> float:
    """CPU time of a search."""
    return sum(trial.seconds + trial.seconds_proposal for trial in search.pool.trials)

"""The failed trials of searches, as their scores count them."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset

from bayes_hpo.errors import RunError
from bayes_hpo.scores.frames import FILE
from bayes_hpo.storage import parquet
from bayes_hpo.storage.layout import searched

FIELDS = [("repetition", pa.int64()), ("iteration", pa.int64()), ("final", pa.bool_()), ("failures", pa.string())]


@dataclass(frozen=True)
class Failures:
    """Failed trials of some searches.

    trials: number of trials.
    reasons: reason -> number of failed trials (`scoring.score.failures`).
    unknown: number of searches scored by older versions, which did not count failures; excluded from the other counts.
    """

    trials: int
    reasons: Counter
    unknown: int


def failures(paths: Sequence[str] | Sequence[Path], hint: str) -> dict[str, Failures]:
    """The Failures of the searches with a final score in these files: dict, searcher -> Failures, by name.

    hint: what the error message advises.
    Raises: RunError when a file is damaged.
    """
    # searcher -> (file, repetition) -> (number of trials, failures); the methods of a search share it
    searches: dict[str, dict[tuple, tuple[int, Counter | None]]] = {searched(path)["searcher"]: {} for path in paths}
    try:
        files = parquet.dataset(paths, pa.schema(FIELDS))
        table = files.to_table(columns=[FILE, *files.schema.names], filter=pyarrow.dataset.field("final"))
        for row in table.to_pylist():
            search, of_searcher = (row[FILE], row["repetition"]), searches[searched(row[FILE])["searcher"]]
            if row["failures"] is None:
                of_searcher.setdefault(search, (row["iteration"], None))
            else:
                of_searcher[search] = row["iteration"], Counter(json.loads(row["failures"]))
    except (*parquet.DAMAGE, TypeError) as problem:
        raise RunError(f"failures cannot be read from scores ({str(problem).splitlines()[0]}); {hint}") from problem
    return {searcher: _summed(of_searcher.values()) for searcher, of_searcher in sorted(searches.items())}


def _summed(searches):
    """The Failures of some searches, each as (number of trials, failures or None)."""
    known = [(trials, counts) for trials, counts in searches if counts is not None]
    reasons = sum((counts for _, counts in known), Counter())
    return Failures(sum(trials for trials, _ in known), reasons, len(searches) - len(known))

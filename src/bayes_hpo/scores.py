"""The scores of one study at one scale, read from their parquet files into one tidy frame and checked."""

import json
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from bayes_hpo.errors import Fault
from bayes_hpo.layout import SCORES_SCHEMA, score_files
from bayes_hpo.names import VALIDATIONS

KEYS = ["dataset", "repetition", "validation", "method", "iteration"]
COLUMNS = [*KEYS, "final", "validation_loss", "test_error"]
CHECKED = ["study", "scale", "schema"]
RESTORE = "restore them with: git checkout -- released"  # the remedy for released scores


def read(folder, *, study, scale, datasets, remedy=None):
    """Frame of COLUMNS, one row per KEYS; losses and errors are fractions, repetitions count from 0.

    folder: where <dataset>/<protocol>/<searcher>.parquet lie. datasets: names of the study's suite; scores of other
    data sets that lie there are not read. remedy: what to do when they cannot be used; None: to make them again.
    Raises: Fault when there are none, when a file is damaged or foreign, when a row is there twice or has no test
    error, and for a validation that the report does not know.
    """
    return _read(folder, study, scale, datasets, remake(study, scale, remedy), columns=COLUMNS + CHECKED)[COLUMNS]


def configurations(folder, *, study, scale, datasets, remedy=None):
    """Frame of KEYS and configuration, a JSON list of the members' ones: of the final scores that `read` reads.

    Raises: Fault as `read` does.
    """
    what = {"columns": [*COLUMNS, *CHECKED, "configuration"], "filter": pyarrow.dataset.field("final")}
    return _read(folder, study, scale, datasets, remake(study, scale, remedy), **what)[[*KEYS, "configuration"]]


@cache
def finished(path, methods):
    """Repetitions (set of int) of which a score file holds the last row of every one of `methods` (tuple of names).

    Empty without the file. Raises: Fault when it is damaged.
    """
    if not Path(path).is_file():
        return set()
    try:
        rows = pyarrow.parquet.read_table(path, columns=["repetition", "method", "final"]).to_pylist()
    except (pa.ArrowException, OSError) as problem:
        raise Fault(f"{path} cannot be read ({str(problem).splitlines()[0]}); {RESTORE}") from problem
    ends = {(row["method"], row["repetition"]) for row in rows if row["final"]}
    return {number for _, number in ends if all((method, number) in ends for method in methods)}


def outdated(folder, datasets, expected):
    """Score files (list of Path) of `datasets` below `folder` that other code or settings have made.

    expected: dict, (protocol, searcher) -> what the scores of that pool depend on now (`fingerprint.score_depends`).
    """
    paths = score_files(folder, datasets)
    wanted = {path: expected.get((path.parent.name, path.stem), "no pool of the study") for path in paths}
    return [path for path in paths if _depends(path) != wanted[path]]


def remake(study, scale, remedy=None):
    """What to do without the scores of a study at a scale, if it is no other remedy."""
    return remedy or f"make them with: snakemake --cores 2 {scale}_{study}"


def _read(folder, study, scale, datasets, remedy, **what):
    """The checked frame of all score files of the data sets. what: columns, and of which rows, as pyarrow has them."""
    frame = _frame(folder, study, datasets, remedy, **what)
    for column, expected in {"study": study, "scale": scale, "schema": SCORES_SCHEMA}.items():
        found = sorted(map(str, frame[column].unique()))
        if found != [str(expected)]:
            raise Fault(f"{folder} holds scores of {column} {', '.join(found)}, not only {expected}; {remedy}")
    _check_rows(frame, folder, remedy)
    return frame


def _frame(folder, study, datasets, remedy, **what):
    """The unchecked rows of all score files of the data sets. Raises: Fault without a file or for a damaged one."""
    files = list(map(str, score_files(folder, datasets)))
    if not files:
        raise Fault(f"{folder} holds no scores of the {len(datasets)} data sets of {study}; {remedy}")
    try:
        return pyarrow.dataset.dataset(files).to_table(**what).to_pandas()
    except (pa.ArrowException, OSError) as problem:
        reason = str(problem).splitlines()[0]
        raise Fault(f"scores below {folder} cannot be read ({reason}); delete the file and {remedy}") from problem


def _depends(path):
    return json.loads((pyarrow.parquet.read_schema(path).metadata or {}).get(b"depends", b"null"))


def _check_rows(frame, folder, remedy):
    """Raises: Fault for rows that no mean may be taken of."""
    if unknown := sorted(set(frame["validation"].map(str)) - set(VALIDATIONS)):
        known = ", ".join(VALIDATIONS)
        raise Fault(
            f"{folder} holds scores of validation {', '.join(unknown)}, of which the report knows only {known}; "
            "name it in VALIDATIONS of names.py"
        )
    twice = frame[frame.duplicated(KEYS)]
    if len(twice):
        row = " ".join(str(value) for value in twice[KEYS].iloc[0])
        raise Fault(f"{folder} holds {len(twice)} scores twice, one of {row}; delete the folder and {remedy}")
    empty = frame[frame["test_error"].isna()]
    if len(empty):
        row = " ".join(str(value) for value in empty[KEYS].iloc[0])
        raise Fault(
            f"{folder} holds {len(empty)} scores without a test error, one of {row}; delete its file and {remedy}"
        )

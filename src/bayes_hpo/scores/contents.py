"""The description of a score or measure file: its kind, study, columns, number of rows and origin."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute

from bayes_hpo.configuration.overrides import word
from bayes_hpo.errors import RunError
from bayes_hpo.scores import frames
from bayes_hpo.storage import measured, parquet, provenance
from bayes_hpo.storage.layout import score_file, searched

UNKNOWN = "unknown"
OF_SEARCH = ("dataset", "protocol", "searcher")


def contents(path: str | Path) -> dict[str, Any]:
    """The description of the parquet file at `path`: dict, name -> text, number, list or dict of texts.

    Its entry `columns` maps names to types, with the value if all rows have the same. That of scores has the mean test
    error of each method at the end of its searches, in the unit of the file (fractions in classification).
    Raises: RunError when the file is missing, damaged, or contains neither scores nor a measure.
    """
    try:
        table = parquet.read(path)
        metadata = table.schema.metadata or {}
        owner = provenance.owner(metadata) or {}
    except FileNotFoundError as problem:
        raise RunError(f"there is no file {path}") from problem
    except parquet.DAMAGE as problem:
        reason = str(problem).splitlines()[0]
        raise RunError(f"{path} cannot be read ({reason}); restore it, or delete it and make it again") from problem
    if set(frames.COLUMNS) <= set(table.column_names):
        kind = _of_scores(table, owner or _searched(path))
    elif measured.KEY in metadata:
        kind = _of_measure({"name": Path(path).stem} | _placed(path) | owner)
    else:
        raise RunError(f"{path} holds neither scores nor a measure; give a file of results or of released scores")
    return kind | {"rows": table.num_rows, "columns": {name: _column(table[name]) for name in table.column_names}}


def _searched(path):
    """Data set, protocol and searcher of scores from their path, for files that do not record them."""
    is_placed = len(Path(path).parts) > len(OF_SEARCH)
    return searched(path) if is_placed else dict.fromkeys(OF_SEARCH, UNKNOWN)


def _of_scores(table, owner):
    """Kind, study and origin of scores, given their data set, protocol and searcher."""
    study, scale = (", ".join(_values(table, name)) for name in ("study", "scale"))
    made = {
        "revision": _values(table, "revision"),
        "command": f"snakemake --cores 2 {score_file(scale, study, **owner)}",
    }
    ends = {"mean test error at the end": _errors(table.filter(table["final"]))}
    return {"kind": "scores", "study": study, "scale": scale, **owner, **ends, "made by": made}


def _errors(ends):
    """dict, method -> mean test error over its searches, and their number, from rows of ends of searches."""
    by_method = ends.group_by("method").aggregate([("test_error", "mean"), ("test_error", "count")])
    return {
        row["method"]: f"{row['test_error_mean']:.4f} ({row['test_error_count']} searches)"
        for row in by_method.sort_by("method").to_pylist()
    }


def _of_measure(owner):
    """Kind, study and origin of a measure, given its name, study and scale."""
    words = [word(key, owner[name]) for key, name in {"study": "study", "measure": "name", "scale": "scale"}.items()]
    command = " ".join(["python -m bayes_hpo.stages.measure", *words])
    return {"kind": "measure", **owner, "made by": {"command": command}}


def _placed(path):
    """The study and scale of a measure from its path in results or released, for older files without them."""
    first, second, third = [UNKNOWN, UNKNOWN, *Path(path).resolve().parts][-4:-1]
    if third == "measures":
        return {"study": first, "scale": second}
    return {"study": third, "scale": first} if second == "measures" else {"study": UNKNOWN, "scale": UNKNOWN}


def _values(table, name):
    """The distinct values (list of str) of a column; empty if the column is missing."""
    column = table[name] if name in table.column_names else pa.chunked_array([[]], pa.string())
    return sorted(map(str, pa.compute.unique(column).to_pylist()))


def _column(column):
    """The type of a column, with its value if all rows have the same."""
    values = pa.compute.unique(column).to_pylist()
    return f"{column.type}, always {values[0]}" if len(values) == 1 and len(column) > 1 else str(column.type)

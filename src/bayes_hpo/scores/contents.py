"""What a file of scores or of a measure holds: its kind, study, columns and rows, and what made it."""

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
    """What the parquet file at `path` is, dict, name -> text, number, list or dict of texts.

    columns: dict, name -> type, and the value where all rows have the same.
    Raises: RunError when it is missing, damaged or neither of scores nor of a measure.
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
    """Data set, protocol and searcher of scores by their path, where the file does not say them."""
    is_placed = len(Path(path).parts) > len(OF_SEARCH)
    return searched(path) if is_placed else dict.fromkeys(OF_SEARCH, UNKNOWN)


def _of_scores(table, owner):
    """Kind, study and origin of scores; owner: their data set, protocol and searcher."""
    study, scale = (", ".join(_values(table, name)) for name in ("study", "scale"))
    made = {
        "revision": _values(table, "revision"),
        "command": f"snakemake --cores 2 {score_file(scale, study, **owner)}",
    }
    return {"kind": "scores", "study": study, "scale": scale, **owner, "made by": made}


def _of_measure(owner):
    """Kind, study and origin of a measure; owner: its name, study and scale."""
    words = [word(key, owner[name]) for key, name in {"study": "study", "measure": "name", "scale": "scale"}.items()]
    command = " ".join(["python -m bayes_hpo.stages.measure", *words])
    return {"kind": "measure", **owner, "made by": {"command": command}}


def _placed(path):
    """The study and scale of a measure by its path, below results or released, where older files do not say them."""
    first, second, third = [UNKNOWN, UNKNOWN, *Path(path).resolve().parts][-4:-1]
    if third == "measures":
        return {"study": first, "scale": second}
    return {"study": third, "scale": first} if second == "measures" else {"study": UNKNOWN, "scale": UNKNOWN}


def _values(table, name):
    """The different values (list of str) of a column, none of one that is not there."""
    column = table[name] if name in table.column_names else pa.chunked_array([[]], pa.string())
    return sorted(map(str, pa.compute.unique(column).to_pylist()))


def _column(column):
    """The type of a column, with its value where all rows have the same."""
    values = pa.compute.unique(column).to_pylist()
    return f"{column.type}, always {values[0]}" if len(values) == 1 and len(column) > 1 else str(column.type)

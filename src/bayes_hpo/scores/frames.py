"""Reads the scores of one study at one scale from their parquet files into one tidy, checked frame."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.dataset

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import MissingResultsError, RunError
from bayes_hpo.storage import parquet, provenance
from bayes_hpo.storage.layout import SCORES_SCHEMA, score_files, searched

KEYS = ["dataset", "repetition", "validation", "method", "iteration"]
COLUMNS = [*KEYS, "final", "validation_loss", "test_error"]
OPTIONAL = ("validation_loss", "test_error", "configuration")  # may be empty; the last two are checked elsewhere
RATE = 1.0  # worst loss of an error rate
FILE = "__filename"  # pyarrow's column with the file of each row
CHECKED = ["study", "scale", "schema"]
TYPES = {  # column -> allowed types; other columns may have any type
    **dict.fromkeys(["dataset", "validation", "method", "study", "scale"], ("string", "large_string")),
    **dict.fromkeys(["repetition", "iteration"], ("int64", "int32")),
    **dict.fromkeys(["validation_loss", "test_error"], ("double",)),
    "final": ("bool",),
}
RESTORE = "if they were released, restore them with: git checkout -- released"  # hint for released scores


def read(
    folder: str | Path,
    *,
    study: str,
    scale: str,
    datasets: Sequence[str],
    hint: str | None = None,
    worst_loss: float = RATE,
    columns: Sequence[str] = COLUMNS,
    rows: pyarrow.dataset.Expression | None = None,
) -> pd.DataFrame:
    """Frame with one row per KEYS; losses and errors are mean losses, repetitions count from 0.

    folder: folder of the files <dataset>/<protocol>/<searcher>.parquet.
    datasets: data sets in the study's suite; scores of other data sets are not read.
    hint: what error messages advise if scores cannot be used; None: to compute them again.
    worst_loss: highest possible loss of the study's task.
    columns: columns of the frame.
    rows: filter of the rows to read; None: all rows.
    Raises: MissingResultsError when there are no scores; RunError for a file that is damaged or belongs elsewhere, for
    duplicate rows, empty or impossible values, and an unknown validation.
    """
    hint = remake(study, scale, hint)
    checked = list(dict.fromkeys([*COLUMNS, *CHECKED, *columns]))
    files = score_files(folder, datasets)
    if not files:
        raise MissingResultsError(f"{folder} holds no scores of the {len(datasets)} data sets of {study}; {hint}")
    what = {"columns": checked, "worst_loss": worst_loss, "filter": rows}
    return _checked(files, folder, study, scale, hint, **what)[list(columns)]


def configurations(folder: str | Path, **which: Any) -> pd.DataFrame:
    """Frame of KEYS and configuration (a JSON list, one per member) of the final scores. which: keywords of `read`.

    Raises: RunError as `read` does.
    """
    return read(folder, columns=[*KEYS, "configuration"], rows=pyarrow.dataset.field("final"), **which)


def check_owner(path: str | Path, metadata: Mapping[bytes, bytes] | None, hint: str) -> None:
    """Compare the search in a score file's metadata, absent in released files, with its path. Raises: RunError."""
    owner = provenance.owner(metadata)
    if owner not in (None, searched(path)):
        raise RunError(f"{path} holds scores of {' '.join(map(str, owner.values()))}; delete it and {hint}")


@cache
def finished(
    path: str | Path, methods: tuple[str, ...], *, study: str, scale: str, worst_loss: float = RATE
) -> set[int]:
    """Repetitions for which a score file contains the final scores of all `methods`; empty if there is no file.

    worst_loss: highest possible loss of the study's task.
    Raises: RunError as `read` does.
    """
    if not Path(path).is_file():
        return set()
    frame = _checked([path], path, study, scale, RESTORE, columns=COLUMNS + CHECKED, worst_loss=worst_loss)
    ends = set(frame.loc[frame["final"], ["method", "repetition"]].itertuples(index=False, name=None))
    return {number for _, number in ends if all((method, number) in ends for method in methods)}


def outdated(folder: str | Path, datasets: Collection[str], expected: dict[tuple[str, str], dict]) -> list[Path]:
    """Score files of `datasets` in `folder` that were written by other code or with other settings.

    expected: (protocol, searcher) -> what the scores of that pool depend on now (`fingerprint.score_depends`).
    """
    paths = score_files(folder, datasets)
    wanted = {path: expected.get((path.parent.name, path.stem), {}) for path in paths}  # {}: not a pool of the study
    return [path for path in paths if not provenance.is_current(path, wanted[path])]


def remake(study: str, scale: str, hint: str | None = None) -> str:
    """The hint in error messages on how to compute the scores of a study at a scale, unless another one is given."""
    return hint or f"make them with: snakemake --cores 2 {scale}_{study}"


def _checked(files, place, study, scale, hint, columns, worst_loss=RATE, **what):
    """The checked frame of the files in `place`. Raises: RunError, see `read`."""
    frame = _frame(files, place, hint, columns=[*columns, FILE], **what)
    for column, expected in {"study": study, "scale": scale, "schema": SCORES_SCHEMA}.items():
        if strange := sorted(set(map(str, frame[column].unique())) - {str(expected)}):
            raise RunError(f"{place} holds scores of {column} {', '.join(strange)}, not only {expected}; {hint}")
    for path, dataset in frame[[FILE, "dataset"]].drop_duplicates().itertuples(index=False, name=None):
        if dataset != Path(path).parts[-3]:
            raise RunError(f"{path} holds scores of dataset {dataset}; delete it and {hint}")
    _check_rows(frame, place, hint, worst_loss)
    return frame[columns]


def _frame(files, place, hint, **what):
    """The rows of the files. Raises: RunError for a file that is damaged or has missing or mistyped columns."""
    try:
        source = parquet.dataset(files)
        for fragment in source.get_fragments():
            types = {field.name: str(field.type) for field in fragment.physical_schema}
            check_owner(fragment.path, fragment.physical_schema.metadata, hint)
            if lacking := sorted(set(what["columns"]) - {*types, FILE}):
                raise RunError(f"{fragment.path} lacks {', '.join(lacking)}; delete it and {hint}")
            if wrong := [name for name, allowed in TYPES.items() if types[name] not in allowed]:
                kind = types[wrong[0]]
                raise RunError(f"{fragment.path} holds its {wrong[0]} as {kind}; delete it and {hint}")
        return source.to_table(**what).to_pandas()
    except parquet.DAMAGE as problem:
        reason = str(problem).splitlines()[0]
        raise RunError(f"scores below {place} cannot be read ({reason}); delete the file and {hint}") from problem


def _check_rows(frame, folder, hint, worst_loss):
    """Check the rows. Raises: RunError for empty or impossible values, duplicate rows and unknown validations."""
    if empty := [name for name in frame if name not in OPTIONAL and frame[name].isna().any()]:
        raise RunError(f"{folder} holds scores with an empty {empty[0]}; delete the file and {hint}")
    if unknown := sorted(set(map(str, frame["validation"].unique())) - set(VALIDATIONS)):
        known = ", ".join(VALIDATIONS)
        raise RunError(
            f"{folder} holds scores of validation {', '.join(unknown)}, of which the report knows only {known}; "
            "name it in VALIDATIONS of documents/names.py"
        )
    duplicates = frame[frame.duplicated(KEYS, keep=False)]
    if len(duplicates):
        files = dict.fromkeys(duplicates.loc[(duplicates[KEYS] == duplicates[KEYS].iloc[0]).all(axis=1), FILE])
        row = _first_key(duplicates)
        raise RunError(f"the score of {row} occurs twice, in {' and '.join(files)}; delete the wrong one and {hint}")
    possible = frame["test_error"].between(0, worst_loss) & frame["validation_loss"].fillna(0).between(0, worst_loss)
    if len(impossible := frame[~possible]):
        scores = f"{len(impossible)} scores outside [0, {worst_loss:g}], such as that of {_first_key(impossible)}"
        raise RunError(f"{folder} holds {scores}; delete {impossible[FILE].iloc[0]} and {hint}")


def _first_key(rows):
    """The key of the first row as text."""
    return " ".join(str(value) for value in rows[KEYS].iloc[0])

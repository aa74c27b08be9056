"""The catalog of the documents, published/<document>.yaml: their titles, printed tables and artifacts."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import bayes_hpo
from bayes_hpo.errors import RunError, UserError

FOLDER = Path(bayes_hpo.__file__).resolve().parents[2] / "published"


@dataclass(frozen=True)
class Precision:
    """How the cells of a table were computed and printed.

    repetitions: number behind a printed mean.
    decimals: of means and standard deviations.
    ddof: standard deviations over n repetitions have the divisor n - ddof.
    """

    repetitions: int
    decimals: int
    ddof: int = 0


def documents() -> list[str]:
    """Names of the documents, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@functools.cache
def document(name: str) -> dict:
    """The catalog entry of a document, from published/<name>.yaml. The dict is cached: do not change it.

    title, about: title on the page, and what the document is.
    tables: dict, table -> dict of `file`, the CSV file with its numbers, and for a table of errors `repetitions`,
        `decimals`, `ddof` (0 if not given; all three as in Precision) and `datasets`, the column of conf/datasets.csv
        with the names that the table prints for data sets.
    decisions: dict, chapter -> section of docs/decisions.md.
    artifacts: dict, name -> fields of the artifact (`report.artifact.Artifact`).
    Raises: RunError when the file cannot be read.
    """
    empty: dict[str, dict] = {key: {} for key in ("tables", "artifacts", "decisions")}
    return empty | read(f"{name}.yaml", lambda path: dict(yaml.safe_load(path.read_bytes())))


def read(name: str, parse: Callable[[Path], Any]) -> Any:
    """The file published/<name>, parsed by `parse`. Raises: RunError when it cannot be read."""
    path = FOLDER / name
    try:
        return parse(path)
    except (OSError, ValueError, TypeError, yaml.YAMLError) as problem:
        reason = " ".join(str(problem).split())
        raise RunError(f"{path} cannot be read ({reason}); restore it with: git checkout -- published") from problem


def source(name: str, table: str) -> dict:
    """The catalog entry of a table, such as "T4_4" of "thesis": its file and precision (`document`).

    Raises: UserError for a table whose numbers are not in published/.
    """
    every = {(other, label): row for other in documents() for label, row in document(other)["tables"].items()}
    if (name, table) not in every:
        known = [f"{label} of {other}" for other, label in every]
        raise UserError(f"published/ holds no numbers of {table} of {name}; allowed: {', '.join(known)}")
    return every[name, table]


def precision(name: str, table: str) -> Precision:
    """The Precision of a table of errors."""
    row = source(name, table)
    return Precision(row["repetitions"], row["decimals"], row.get("ddof", 0))

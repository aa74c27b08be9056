"""The documents by name: published/<document>.yaml has their titles, where tables lie and which artifacts are made."""

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
    """Number of repetitions behind a printed mean, and of the decimals it is printed with."""

    repetitions: int
    decimals: int


def documents() -> list[str]:
    """Names of the documents, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@functools.cache
def document(name: str) -> dict:
    """What published/<name>.yaml says of a document; the dict is cached: do not change it.

    title, about: how the page calls it, and what it is.
    tables: dict, table -> dict of file, the CSV that holds it, and of a table of errors repetitions, decimals and
    datasets, the column of conf/datasets.csv with its names of data sets.
    decisions: dict, chapter -> the section of docs/decisions.md on it.
    artifacts: dict, name -> its row (`report.artifact.Artifact`).
    Raises: RunError when it cannot be read.
    """
    empty: dict[str, dict] = {key: {} for key in ("tables", "artifacts", "decisions")}
    return empty | read(f"{name}.yaml", lambda path: dict(yaml.safe_load(path.read_bytes())))


def read(name: str, parse: Callable[[Path], Any]) -> Any:
    """What `parse` returns of the file published/<name>. Raises: RunError when the file cannot be read."""
    path = FOLDER / name
    try:
        return parse(path)
    except (OSError, ValueError, TypeError, yaml.YAMLError) as problem:
        reason = " ".join(str(problem).split())
        raise RunError(f"{path} cannot be read ({reason}); restore it with: git checkout -- published") from problem


def source(name: str, table: str) -> dict:
    """Where a table, such as "T4_4" of "thesis", lies and how precise it is: its row in `document`.

    Raises: UserError for a table whose numbers published/ does not hold.
    """
    every = {(other, label): row for other in documents() for label, row in document(other)["tables"].items()}
    if (name, table) not in every:
        known = [f"{label} of {other}" for other, label in every]
        raise UserError(f"published/ holds no numbers of {table} of {name}; allowed: {', '.join(known)}")
    return every[name, table]


def precision(name: str, table: str) -> Precision:
    """The Precision of a table of errors."""
    row = source(name, table)
    return Precision(row["repetitions"], row["decimals"])

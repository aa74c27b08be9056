"""Two runs of the same targets: pools compared bit for bit, scores by value; what a run made twice or left behind."""

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
PARTS = ("Snakefile", "workflow", "profiles", "conf", "published", "src")
UNEQUAL = ("seconds", "provenance", "digest")  # arrays of a pool that no two runs share
NOT_OF_SCORES = ["seconds", "revision"]  # columns, likewise
LEFT = ("*.part", "*.journal", "*.stale", "*.tmp")  # files that a run has to take away itself


def checkout(folder: Path) -> Path:
    """A copy of this checkout, without results."""
    folder.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / part, **_links(source))
    return folder


def _links(source):
    """Links are copied as such."""
    return {"symlinks": True} if source.is_dir() else {}


def pools(folder: Path) -> dict[Path, Path]:
    """The pools of a run, by their path below its folder."""
    return {path.relative_to(folder): path for path in (folder / "results").rglob("rep_???.npz")}


def differences(folder: Path, other: Path) -> tuple[list[str], int]:
    """Pools of one run that the other lacks, or whose arrays differ; and the number of pools."""
    ours, theirs = pools(folder), pools(other)
    wrong = {
        name for name in set(ours) | set(theirs) if not (name in ours and name in theirs and _same(name, ours, theirs))
    }
    return sorted(map(str, wrong)), len(ours)


def _same(name, ours, theirs):
    with np.load(ours[name]) as one, np.load(theirs[name]) as other:
        names = [array for array in one.files if not array.startswith(UNEQUAL)]
        return one.files == other.files and all(one[array].tobytes() == other[array].tobytes() for array in names)


def unequal_scores(folder: Path, other: Path) -> tuple[list[str], int]:
    """Score files of one run that the other lacks, or whose values differ; and the number of score files."""
    ours, theirs = (
        {path.relative_to(top): _frame(path) for path in top.glob("results/*/scores/**/*.parquet")}
        for top in (folder, other)
    )
    wrong = set(ours) ^ set(theirs) | {name for name in set(ours) & set(theirs) if not ours[name].equals(theirs[name])}
    return sorted(map(str, wrong)), len(ours)


def _frame(path):
    return pd.read_parquet(path).drop(columns=NOT_OF_SCORES, errors="ignore")


def digests(folder: Path) -> dict[Path, str]:
    """The digest of the whole file of each pool, its times among it: another one means that it was made again."""
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in pools(folder).items()}


def left(folder: Path) -> list[str]:
    """Files of unfinished work among the results."""
    return sorted(str(path.relative_to(folder)) for name in LEFT for path in (folder / "results").rglob(name))

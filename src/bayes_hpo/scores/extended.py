"""A measure's frame beside the rows of other searches that its file holds, whose pools may be gone."""

from pathlib import Path

import pandas as pd

from bayes_hpo.storage import measured, provenance

SEARCH = ["dataset", "repetition", "validation", "method"]  # columns that say which search a row is of


def extended(
    frame: pd.DataFrame, depends: dict, path: str | Path, remake: str, *, study: str, scale: str
) -> tuple[pd.DataFrame, dict]:
    """(frame, depends): a measure's frame with the rows of other searches that the file at `path` holds.

    depends: what it depends on. Rows that depend on something else stay, and leave it empty: such a file is outdated.
    A frame that has other columns than the file's, or no row of a search, comes back as it is.
    remake: as in `measured.read`. Raises: RunError, see there.
    """
    if not Path(path).is_file():
        return frame, depends
    held, key = measured.read(path, remake, study=study, scale=scale), [name for name in SEARCH if name in frame]
    if not key or list(held) != list(frame):
        return frame, depends
    others = held[~pd.MultiIndex.from_frame(held[key]).isin(pd.MultiIndex.from_frame(frame[key]))]
    if others.empty:
        return frame, depends
    same = provenance.is_current(path, depends)
    return pd.concat([others, frame]).sort_values(key, kind="stable", ignore_index=True), depends if same else {}

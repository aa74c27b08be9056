"""The merge of a measure's frame with rows of other searches in its file, whose pools may no longer exist."""

from pathlib import Path

import pandas as pd

from bayes_hpo.storage import measured, provenance

SEARCH = ["dataset", "repetition", "validation", "method"]  # columns that identify the search of a row


def extended(
    frame: pd.DataFrame, depends: dict, path: str | Path, remake: str, *, study: str, scale: str
) -> tuple[pd.DataFrame, dict]:
    """(frame, depends): a measure's frame, extended by the rows of other searches in the file at `path`.

    The frame is returned unchanged if its columns differ from those of the file, or do not identify searches.
    depends: what the frame depends on; returned empty if the other rows depend on something else, so that the file
        counts as outdated.
    remake: as in `measured.read`.
    Raises: RunError as `measured.read`.
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

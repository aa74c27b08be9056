"""Traits: what measures and choices say of each search beside its errors, for the claims that rest on it."""

from pathlib import Path

import pandas as pd

from bayes_hpo.storage import measured

REMAKE = "make it again (python -m bayes_hpo.stages.measure)"
COLUMNS = ["dataset", "repetition", "validation", "method", "quantity", "value"]


def frame(folder, measure, study, scale):
    """The frame of one measure of a study, None when it is not there. Raises: Fault as `read` does."""
    path = Path(folder, f"{measure}.parquet")
    return measured.read(path, REMAKE, study=study, scale=scale) if path.is_file() else None


def read(folder, study, scale, others=()):
    """The rows of all measures of a study that have COLUMNS, and of other such frames, as one; empty without any.

    quantity: one of `sample.TRAITS`; value: in its unit. Raises: Fault when a measure is damaged or outdated.
    """
    paths = sorted(Path(folder).glob("*.parquet"))
    frames = [measured.read(path, REMAKE, study=study, scale=scale) for path in paths]
    found = [frame[COLUMNS] for frame in [*frames, *others] if set(COLUMNS) <= set(frame)]
    return pd.concat(found) if found else pd.DataFrame(columns=COLUMNS)

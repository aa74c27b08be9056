"""Traits: what measures say of each search beside its scores, for the claims that rest on it."""

from pathlib import Path

import pandas as pd

from bayes_hpo.errors import Fault

COLUMNS = ["dataset", "repetition", "validation", "method", "quantity", "value"]


def read(folder):
    """The rows of all measures in a folder that have COLUMNS, as one frame; empty when none has.

    quantity: one of `sample.TRAITS`; value: in its unit. Raises: Fault when a measure is damaged.
    """
    frames = []
    for path in sorted(Path(folder).glob("*.parquet")):
        try:
            frame = pd.read_parquet(path)
        except (OSError, ValueError) as problem:  # pyarrow's errors of damage are ValueErrors
            reason = str(problem).splitlines()[0]
            raise Fault(f"the measure {path} cannot be read ({reason}); delete it and make it again") from problem
        if set(COLUMNS) <= set(frame):
            frames.append(frame[COLUMNS])
    return pd.concat(frames) if frames else pd.DataFrame(columns=COLUMNS)

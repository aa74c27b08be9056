"""The loss on every test row behind each score, for statistical tests that compare methods row by row."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import RunError
from bayes_hpo.storage import npz
from bayes_hpo.storage.files import atomic

FORM = "row losses 1"
KEYS = ("repetition", "method", "iteration")


def row_losses_file(scores: str | Path) -> Path:
    """Path of the row losses that belong to a score file."""
    return Path(scores).with_suffix(".losses.npz")


def write_row_losses(rows: list[tuple[dict, NDArray]], scores: str | Path, depends: dict) -> None:
    """Write the row losses of a score file.

    rows: pairs (row of scores, losses (n_test,)).
    scores: path of the score file.
    depends: what the scores depend on (`campaign.fingerprint.score_depends`).
    """
    columns = {name: np.array([row[name] for row, _ in rows]) for name in KEYS}
    columns["losses"] = np.array([losses for _, losses in rows])  # (n_rows, n_test)
    columns["fingerprint"] = np.array(depends.get("fingerprint", ""))
    with atomic(row_losses_file(scores)) as temporary:
        npz.write(temporary, FORM, columns)


def has_row_losses(scores: str | Path, depends: dict) -> bool:
    """Whether the row losses of a score file exist, are complete and have the same fingerprint."""
    try:
        return str(npz.read(row_losses_file(scores), FORM)["fingerprint"]) == depends.get("fingerprint", "")
    except (OSError, ValueError):
        return False


def read_row_losses(scores: str | Path) -> dict[tuple, NDArray]:
    """(repetition, method, iteration) -> losses (n_test,). Raises: RunError when they are missing or damaged."""
    path = row_losses_file(scores)
    try:
        stored = npz.read(path, FORM)
    except (OSError, ValueError) as problem:
        raise RunError(f"{path} cannot be read ({problem}); delete {scores} and score again") from problem
    keys = zip(*(stored[name].tolist() for name in KEYS), strict=True)
    return dict(zip(keys, stored["losses"], strict=True))

"""The released scores as a frame, for comparisons with a user's method."""

from pathlib import Path

import pandas as pd

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.options import PACKAGED, written
from bayes_hpo.errors import UserError

MEASURES = "measures"  # folder next to those of the data sets


def load_scores(study: str, scale: str = "small", released: str | Path | None = None) -> pd.DataFrame:
    """The released scores of a study, one row per (data set, repetition, validation, method, iteration).

    Further columns: `final`, whether the search ended at this iteration; `validation_loss` and `test_error`, mean
    losses of the study's task (for classification, error rates in [0, 1]).
    released: folder of the scores; None: that of the checkout from which the package was installed.
    Raises: UserError outside a checkout, and for a study or scale without released scores; RunError when a file is
    damaged.
    """
    from bayes_hpo.scores import frames  # imports pyarrow, which an optimizer does not need
    from bayes_hpo.scores.sums import Sums

    folder = Path(released or PACKAGED.resolve().parent / "released")
    if not folder.is_dir():
        raise UserError(
            "the released scores are not in the package but in a checkout of its repository; clone it and install it "
            "from there with pip install -e ., or give its folder: load_scores(..., released=FOLDER)"
        )
    known = {f"{path.parts[-5]} at {path.parts[-4]}" for path in folder.glob("*/*/*/*/*.parquet")}
    if (name := f"{study} at {scale}") not in known:
        raise UserError(unknown("scores", name, sorted(known)))
    below = Sums(folder).check(study, scale)
    datasets = sorted(path.name for path in below.iterdir() if path.is_dir() and path.name != MEASURES)
    worst_loss = written("study", study, conf=PACKAGED)["task"]["worst_loss"]
    which = {"study": study, "scale": scale, "datasets": datasets, "worst_loss": worst_loss}
    return frames.read(below, hint=frames.RESTORE, **which)

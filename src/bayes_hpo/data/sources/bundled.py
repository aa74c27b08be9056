"""Data sets of scikit-learn on the scale of the archive; the offline default."""

import numpy as np
from sklearn import datasets

from bayes_hpo.data.archive_scale import archive_scale
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError
from bayes_hpo.outcomes.kinds import REGRESSION

LOADERS = {
    "sklearn-iris": datasets.load_iris,
    "sklearn-wine": datasets.load_wine,
    "sklearn-breast-cancer": datasets.load_breast_cancer,
    "sklearn-digits": datasets.load_digits,
    "sklearn-diabetes": datasets.load_diabetes,
}


def lacking(row: Row, settings: Settings) -> str:
    """Why the data set cannot be read; empty if it can."""
    return "" if row.name in LOADERS else f"scikit-learn has only {', '.join(LOADERS)}"


def read(row: Row, settings: Settings) -> Data:
    """The Data of a bundled data set, standardized over the whole file as in the archive (docs/data.md).

    Raises: RunError when scikit-learn has no such data set.
    """
    if reason := lacking(row, settings):
        raise RunError(f"{row.name} is unavailable: {reason}")
    bunch = LOADERS[row.name]()
    header = row.header({}, True, [str(name) for name in bunch.get("target_names", ())])
    y = bunch.target.astype(np.float64 if row.task == REGRESSION else np.int64)
    return Data(archive_scale(bunch.data), y, np.empty(0, np.int64), False, header)

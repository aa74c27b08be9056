"""AutoGluon Tabular on the rows of a file, without its neural networks; runs in an environment of its own (README.md).

    python fit.py ROWS.npz LABELS.npz SECONDS

ROWS.npz: X (n, p), y (n,) class numbers, X_test (n_test, p). LABELS.npz: labels (n_test,) class numbers.
"""

import sys
import tempfile

import numpy as np
import pandas as pd
from autogluon.tabular import TabularPredictor

NETWORKS = ["NN_TORCH", "FASTAI"]
LABEL = "class"


def labels(X, y, X_test, seconds):
    """Class numbers (n_test,) that AutoGluon's default preset predicts, by accuracy, after about so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        predictor = TabularPredictor(LABEL, eval_metric="accuracy", path=folder, verbosity=1)
        predictor.fit(
            pd.DataFrame(X).add_prefix("x").assign(**{LABEL: y}),
            time_limit=seconds,
            excluded_model_types=NETWORKS,
            num_cpus=1,
            num_gpus=0,
        )
        return predictor.predict(pd.DataFrame(X_test).add_prefix("x")).to_numpy()


if __name__ == "__main__":
    rows, target, limit = sys.argv[1:]
    with np.load(rows) as stored:
        np.savez(target, labels=labels(stored["X"], stored["y"], stored["X_test"], float(limit)))

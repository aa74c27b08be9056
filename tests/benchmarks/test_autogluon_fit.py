"""AutoGluon is fitted as D26 of DivBO says: by accuracy, without networks, on one core, for the given seconds."""

import runpy
import sys
from types import ModuleType
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest


class Recorder:
    """In place of AutoGluon's predictor: keeps what it is given, and predicts the class of the first row."""

    calls: ClassVar[dict] = {}

    def __init__(self, label, **settings):
        self.label, Recorder.calls = label, {"predictor": settings}

    def fit(self, frame, **settings):
        Recorder.calls |= {"rows": frame, "fit": settings}

    def predict(self, frame):
        Recorder.calls["tested"] = frame
        return pd.Series([Recorder.calls["rows"][self.label].iloc[0]] * len(frame))


@pytest.fixture
def labels(monkeypatch):
    """The function of benchmarks/autogluon/fit.py, with a recorder for the library."""
    library = ModuleType("autogluon.tabular")
    library.TabularPredictor = Recorder
    monkeypatch.setitem(sys.modules, "autogluon", ModuleType("autogluon"))
    monkeypatch.setitem(sys.modules, "autogluon.tabular", library)
    return runpy.run_path("benchmarks/autogluon/fit.py")["labels"]


def test_it_is_given_all_rows_its_own_split_the_seconds_and_no_networks(labels):
    X, y, X_test = np.arange(12.0).reshape(6, 2), np.array([1, 0, 1, 0, 1, 0]), np.ones((3, 2))
    assert labels(X, y, X_test, 60.0).tolist() == [1, 1, 1]
    calls = Recorder.calls
    assert calls["predictor"]["eval_metric"] == "accuracy"
    assert calls["fit"].pop("excluded_model_types") == ["NN_TORCH", "FASTAI"]
    assert calls["fit"] == {"time_limit": 60.0, "num_cpus": 1, "num_gpus": 0}  # no preset, no tuning data
    np.testing.assert_array_equal(calls["rows"].drop(columns="class"), X)
    assert calls["rows"]["class"].tolist() == y.tolist()
    np.testing.assert_array_equal(calls["tested"], X_test)

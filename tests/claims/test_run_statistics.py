"""Run statistics are what measures with their columns hold; other measures are left alone, damaged ones are named."""

import pandas as pd
import pytest

from bayes_hpo.claims.study import STATISTIC_COLUMNS, run_statistics
from bayes_hpo.errors import RunError
from bayes_hpo.storage import measured

STUDY = {"study": "overfitting", "scale": "toy"}
NAMES = ["one", "two", "curve"]
ROW = {"dataset": "iris", "repetition": 0, "validation": "holdout", "method": "gp", "quantity": "length", "value": 1.5}


def test_the_rows_of_all_measures_of_searches_are_run_statistics(tmp_path):
    measured.write(pd.DataFrame([ROW]), tmp_path / "one.parquet", {}, **STUDY)
    measured.write(pd.DataFrame([ROW | {"value": 2.5, "more": "x"}]), tmp_path / "two.parquet", {}, **STUDY)
    measured.write(pd.DataFrame([{"x": 1}]), tmp_path / "curve.parquet", {}, **STUDY)
    found = run_statistics(tmp_path, NAMES, **STUDY)
    assert list(found) == STATISTIC_COLUMNS
    assert found["value"].tolist() == [1.5, 2.5]


def test_a_measure_that_the_study_no_longer_lists_is_left_alone(tmp_path):
    for name in ("one", "under_its_former_name"):
        measured.write(pd.DataFrame([ROW]), tmp_path / f"{name}.parquet", {}, **STUDY)
    assert len(run_statistics(tmp_path, NAMES, **STUDY)) == 1


def test_a_study_without_measures_has_none(tmp_path):
    assert run_statistics(tmp_path / "nowhere", NAMES, **STUDY).empty


def test_a_damaged_measure_is_one_sentence(tmp_path):
    measured.write(pd.DataFrame([ROW]), tmp_path / "one.parquet", {}, **STUDY)
    whole = (tmp_path / "one.parquet").read_bytes()
    (tmp_path / "one.parquet").write_bytes(whole[:-100])
    with pytest.raises(RunError, match=r"the measure .*one\.parquet cannot be read .*; delete it and make it again"):
        run_statistics(tmp_path, NAMES, **STUDY)

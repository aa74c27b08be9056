"""Failed trials are counted once per search, by searcher."""

import json

import pandas as pd
import pytest
from score_rows import rows, write

from bayes_hpo.errors import RunError
from bayes_hpo.scores.failures import Failures, failures
from bayes_hpo.storage.layout import score_files

DATASETS = {"iris": "iris", "wine": "wine"}
REMAKE = "make them again"


def some_rows(**changes):
    return rows(lambda *_: 0.1, datasets=DATASETS, methods=["rs", "gp"]).assign(**changes)


def test_failures_are_those_of_searches_that_tell_of_them(tmp_path):
    frame = some_rows()
    told = json.dumps({"ValueError": 3, "timed out": 1})
    frame = frame.assign(failures=[told if repetition else "{}" for repetition in frame["repetition"]])
    frame.loc[frame["method"] == "gp", "failures"] = None  # scored by older code; rs tells
    folder = write(tmp_path, frame)
    old = folder / "wine/kfold/searcher.parquet"
    pd.read_parquet(old).drop(columns="failures").astype({"iteration": "int32"}).to_parquet(old)
    paths = score_files(folder, DATASETS)
    found = failures(paths, REMAKE)
    # of four files with two repetitions each, one is of older code
    assert found == {"searcher": Failures(6 * 12, {"ValueError": 9, "timed out": 3}, 2)}
    assert failures(paths[::-1], REMAKE) == found
    assert failures([], REMAKE) == {}


def test_each_searcher_has_its_own_failures(tmp_path):
    folder = write(tmp_path, some_rows(failures='{"timed out": 1}'))
    other = folder / "wine/kfold/other.parquet"
    (folder / "wine/kfold/searcher.parquet").rename(other)
    pd.read_parquet(other).assign(failures='{"ValueError": 5}').to_parquet(other)
    assert failures(score_files(folder, DATASETS), REMAKE) == {
        "other": Failures(2 * 12, {"ValueError": 10}, 0),
        "searcher": Failures(6 * 12, {"timed out": 6}, 0),
    }


@pytest.mark.parametrize("content", ["{", "3", None])
def test_failures_that_cannot_be_read_are_one_sentence(tmp_path, content):
    folder = write(tmp_path, some_rows(failures=content))
    path = folder / "iris/holdout/searcher.parquet"
    if content is None:
        path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(RunError, match=f"failures cannot be read from scores .*; {REMAKE}"):
        failures([path], REMAKE)

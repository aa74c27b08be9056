"""The frame of a measure beside the rows of other searches that its file holds."""

import pandas as pd
import pytest

from bayes_hpo.scores.extended import extended
from bayes_hpo.storage import measured, provenance

NAMES = {"study": "svm_width", "scale": "toy"}
NOW, BEFORE = {"fingerprint": "now"}, {"fingerprint": "before"}


def rows(*searches, value=1.0):
    """A frame with two rows for each search, (dataset, repetition, method)."""
    keys = ["dataset", "repetition", "method", "iteration"]
    return pd.DataFrame([(*search, t) for search in searches for t in (2, 1)], columns=keys).assign(value=value)


HELD = [("iris", 0, "gp"), ("iris", 1, "gp"), ("wine", 0, "gp")]


@pytest.fixture
def extend(tmp_path):
    """Function: a frame beside the file of HELD, which depends on `held`."""
    path = tmp_path / "gaps.parquet"

    def make(frame, held=NOW):
        measured.write(rows(*HELD), path, held, **NAMES)
        return extended(frame, NOW, path, "make it", **NAMES)

    return make


def test_rows_of_other_searches_stay_and_those_of_the_same_are_replaced_whole(extend):
    new = [("iris", 1, "gp"), ("iris", 1, "rs")]
    frame, depends = extend(rows(*new, value=2.0))
    found = {key: part["value"].tolist() for key, part in frame.groupby(["dataset", "repetition", "method"])}
    assert found == {HELD[0]: [1, 1], new[0]: [2, 2], new[1]: [2, 2], HELD[2]: [1, 1]}
    assert depends == NOW


def test_the_rows_of_a_search_keep_their_order(extend):
    frame, _ = extend(rows(("iris", 1, "gp")))
    assert frame["iteration"].tolist() == [2, 1] * 3


def test_rows_of_other_code_make_the_whole_outdated_until_all_are_replaced(extend, tmp_path):
    frame, depends = extend(rows(HELD[0]), held=BEFORE)
    measured.write(frame, tmp_path / "gaps.parquet", depends, **NAMES)
    assert not provenance.is_current(tmp_path / "gaps.parquet", NOW)
    assert not provenance.is_current(tmp_path / "gaps.parquet", BEFORE)
    assert extend(rows(*HELD), held=BEFORE)[1] == NOW


@pytest.mark.parametrize("frame", [pd.DataFrame({"x": [1.0]}), rows(("wine", 1, "gp")).drop(columns="value")])
def test_a_frame_of_no_search_or_with_other_columns_replaces_the_file(extend, frame):
    assert extend(frame, held=BEFORE) == (frame, NOW)


def test_without_a_file_a_frame_stands_alone(tmp_path):
    frame = rows(*HELD)
    assert extended(frame, NOW, tmp_path / "gaps.parquet", "make it", **NAMES) == (frame, NOW)

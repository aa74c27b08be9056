"""Fixtures of the report's tests: rows of scores, and what an artifact is made from."""

import pytest
from score_rows import DATASETS, METHODS, as_printed, rows, write

from bayes_hpo.report.sources import Sources


@pytest.fixture(scope="session")
def printed_rows():
    """Rows whose final errors are the published ones."""
    return rows(as_printed)


@pytest.fixture
def sources(tmp_path):
    """Function: rows -> the Sources of an artifact made from them."""

    def from_rows(frame, datasets=tuple(DATASETS), **changes):
        folder = write(tmp_path / "scores", frame)
        given = {"study": "overfitting", "scale": "toy", "methods": METHODS, "datasets": datasets, "scores_dir": folder}
        return Sources(**{**given, **changes})

    return from_rows

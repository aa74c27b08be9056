"""Fixtures of the report's tests: rows of scores, and what an artifact is made from."""

import pytest
from score_rows import DATASETS, METHODS, as_printed, rows, write

from bayes_hpo.report.artifact_input import ArtifactInput


@pytest.fixture(scope="session")
def printed_rows():
    """Rows whose final errors are the published ones."""
    return rows(as_printed)


@pytest.fixture
def given(tmp_path):
    """Function: (rows, data sets with their published names) -> the ArtifactInput made from them."""

    def from_rows(frame, datasets=DATASETS, **changes):
        folder = write(tmp_path / "scores", frame)
        fields = {
            "study": "overfitting",
            "scale": "toy",
            "methods": METHODS,
            "datasets": tuple(datasets),
            "scores_dir": folder,
            "published_names": datasets,
            "copies": (),
        }
        return ArtifactInput(**{**fields, **changes})

    return from_rows

"""What an artifact is made from is there and whole, or a sentence says how to make it."""

from dataclasses import replace

import pandas as pd
import pytest

from bayes_hpo import measured
from bayes_hpo.errors import Fault
from bayes_hpo.report.artifact_input import ArtifactInput

FRAME = pd.DataFrame({"kind": ["truth", "mean"], "x": [0.0, 1.0]})
REMAKE = "make it with: python -m bayes_hpo.stages.measure study=overfitting measure=toy scale=smoke"


@pytest.fixture
def given(tmp_path):
    """Of the study overfitting at smoke scale, with the folder of its measures alone."""
    names = {
        "study": "overfitting",
        "scale": "smoke",
        "setting": "tiny",
        "methods": (),
        "datasets": (),
        "printed": {},
    }
    return ArtifactInput(**names, copies=(), scores_dir=tmp_path / "scores", measures_dir=tmp_path)


def test_a_measure_comes_back_as_it_was_written(given, tmp_path):
    measured.write(FRAME, tmp_path / "toy.parquet", {})
    assert given.measure("toy").equals(FRAME)


def test_a_missing_measure_names_the_command_that_makes_it(given, tmp_path):
    with pytest.raises(Fault, match=f"there is no measure {tmp_path}/toy.parquet; {REMAKE}"):
        given.measure("toy")


@pytest.mark.parametrize("keep", [0, 3, 100, -20])
def test_a_damaged_measure_is_named(given, tmp_path, keep):
    path = tmp_path / "toy.parquet"
    measured.write(FRAME, path, {})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(Fault, match=rf"the measure {path} cannot be read \(.+\); delete it and {REMAKE}"):
        given.measure("toy")


def test_a_measure_of_another_form_is_named(given, tmp_path):
    FRAME.to_parquet(tmp_path / "toy.parquet")
    with pytest.raises(Fault, match=f"was made by other code, whose form has changed; {REMAKE}"):
        given.measure("toy")


def test_a_released_measure_is_made_again_and_released_again(given):
    with pytest.raises(Fault, match=f"{REMAKE}, then bring it here: .*stages.release"):
        replace(given, released="released").measure("toy")


def test_a_foreign_file_is_named(given, tmp_path):
    (tmp_path / "toy.parquet").write_text("kind,x,y")
    with pytest.raises(Fault, match=r"toy\.parquet cannot be read \(.+\); delete it"):
        given.measure("toy")

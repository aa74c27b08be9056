"""What a file of scores or of a measure is said to hold is what was written into it, wherever it lies."""

import shlex
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.scores.contents import contents
from bayes_hpo.storage import measured, parquet, provenance
from bayes_hpo.storage.layout import measure_file, released_file, score_file, searched

JOB = {"dataset": "ecoli", "protocol": "holdout", "searcher": "gp"}


@pytest.fixture
def scores(score_rows):
    """A frame of scores of the study overfitting at scale small."""
    return pd.DataFrame(score_rows).assign(study="overfitting", scale="small", revision="0123abc")


@pytest.fixture
def score_rows():
    ends = {"iteration": 100, "final": True, "validation_loss": 0.1, "test_error": 0.2}
    return [
        {"dataset": "ecoli", "repetition": number, "validation": "holdout", "method": method, **ends}
        for number in range(3)
        for method in ("gp", "gp_pm")
    ]


def written(path, frame, footer=None):
    Path(path).parent.mkdir(parents=True)
    parquet.write(pa.Table.from_pandas(frame, preserve_index=False), path, footer)
    return path


@pytest.mark.parametrize("place", [score_file, released_file])
def test_scores_say_their_study_search_and_revision(tmp_path, scores, place):
    path = written(place("small", "overfitting", **JOB, **{_root(place): str(tmp_path)}), scores)
    found = contents(path)
    assert found["kind"] == "scores"
    assert JOB | {"study": "overfitting", "scale": "small", "rows": len(scores)} == {
        name: found[name] for name in (*JOB, "study", "scale", "rows")
    }
    assert list(found["columns"]) == list(scores)
    assert found["columns"]["dataset"].endswith("always ecoli")
    assert "always" not in found["columns"]["method"]
    assert found["made by"]["revision"] == ["0123abc"]
    target = shlex.split(found["made by"]["command"])[-1]
    assert target == score_file("small", "overfitting", **JOB)


def test_scores_say_the_mean_error_of_each_method_at_the_end_of_its_searches(tmp_path, scores):
    scores["test_error"] = scores["repetition"] / 10 + scores["method"].eq("gp_pm") / 2
    both = pd.concat([scores.assign(final=False, iteration=50, test_error=9.0), scores])
    found = contents(written(tmp_path / "a/b.parquet", both))["mean test error at the end"]
    assert found == {"gp": "0.1000 (3 searches)", "gp_pm": "0.6000 (3 searches)"}


def _root(place):
    return "results" if place is score_file else "released"


def test_of_scores_without_a_footer_in_the_working_folder_the_search_is_unknown(tmp_path, scores, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    written(tmp_path / "there/gp.parquet", scores).rename("gp.parquet")
    assert {name: contents("gp.parquet")[name] for name in JOB} == dict.fromkeys(JOB, "unknown")


def test_the_footer_is_believed_and_not_the_path(tmp_path, scores):
    footer = provenance.footer({}, searched("ecoli/holdout/gp.parquet"))
    path = written(tmp_path / "copy/of/it.parquet", scores, footer)
    assert {name: contents(path)[name] for name in JOB} == JOB


@pytest.mark.parametrize("older", [False, True])
def test_a_measure_says_its_name_study_and_scale(tmp_path, older):
    path, frame = measure_file("small", "svm_width", "splits", str(tmp_path)), pd.DataFrame({"x": [1.0, 2.0]})
    if older:  # without an owner in the footer
        written(path, frame, {measured.KEY: measured.SCHEMA.encode()})
    else:
        Path(path).parent.mkdir(parents=True)
        measured.write(frame, path, {}, study="svm_width", scale="small")
    found = contents(path)
    assert [found[name] for name in ("kind", "name", "study", "scale", "rows")] == [
        "measure",
        "splits",
        "svm_width",
        "small",
        2,
    ]
    assert {"study=svm_width", "measure=splits", "scale=small"} < set(shlex.split(found["made by"]["command"]))


def test_of_every_released_file_the_study_is_that_of_its_folder():
    for path in sorted(Path("released").glob("*/*/*/*.parquet")) + sorted(
        Path("released").glob("*/small/e*/*/*.parquet")
    ):
        found = contents(path)
        assert (found["study"], found["scale"]) == path.parts[1:3]


def test_damage_and_other_files_are_one_sentence(tmp_path, scores):
    path = Path(written(tmp_path / "a/gp.parquet", scores))
    other = written(tmp_path / "b/gp.parquet", pd.DataFrame({"x": [1]}))
    with pytest.raises(RunError, match="holds neither scores nor a measure; "):
        contents(other)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(RunError, match=r"gp\.parquet cannot be read \(.*\); restore it"):
        contents(path)
    with pytest.raises(RunError, match="there is no file"):
        contents(tmp_path / "gp.parquet")

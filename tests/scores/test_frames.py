"""Scores are read whole and of one kind, or not at all."""

import pandas as pd
import pyarrow.parquet as pq
import pytest
from score_rows import rows, write

from bayes_hpo.errors import RunError
from bayes_hpo.scores import frames
from bayes_hpo.storage import parquet
from bayes_hpo.storage.layout import searched
from bayes_hpo.storage.provenance import footer

STUDY = {"study": "overfitting", "scale": "toy"}
DATASETS = {"iris": "iris", "wine": "wine"}
REMAKE = "make them with: snakemake --cores 2 toy_overfitting"


def some_rows(**changes):
    return rows(lambda *_: 0.1, datasets=DATASETS, methods=["rs", "gp"]).assign(**changes)


def read(folder):
    return frames.read(folder, **STUDY, datasets=tuple(DATASETS))


def test_every_row_comes_back_once(tmp_path):
    frame = read(write(tmp_path, some_rows()))
    assert len(frame) == len(some_rows()) == 2 * 2 * 2 * 2 * 2
    assert not frame.duplicated(frames.KEYS).any()


def test_data_sets_outside_the_suite_are_not_read(tmp_path):
    frame = frames.read(write(tmp_path, some_rows()), **STUDY, datasets=("wine",))
    assert set(frame["dataset"]) == {"wine"}


def test_temporary_files_of_running_jobs_are_not_read(tmp_path):
    folder = write(tmp_path, some_rows())
    (folder / "iris" / "holdout" / ".searcher.parquet.1a2b.part").write_bytes(b"half")
    assert len(read(folder)) == len(some_rows())


def test_an_empty_folder_names_the_command_that_fills_it(tmp_path):
    with pytest.raises(RunError, match=f"holds no scores of the 2 data sets of overfitting; {REMAKE}"):
        read(tmp_path)


def test_a_missing_folder_is_an_empty_one(tmp_path):
    with pytest.raises(RunError, match="holds no scores"):
        read(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": 2}, "scores of schema 2, not only 1"),
        ({"study": "ensembles_svm"}, "scores of study ensembles_svm, not only overfitting"),
        ({"scale": "paper"}, "scores of scale paper, not only toy"),
    ],
)
def test_scores_of_two_kinds_are_not_mixed(tmp_path, changes, said):
    frame = some_rows()
    write(tmp_path, frame[frame["dataset"] == "iris"].assign(**changes))
    write(tmp_path, frame[frame["dataset"] == "wine"])
    with pytest.raises(RunError, match=f"{said}; {REMAKE}"):
        read(tmp_path)


def test_a_file_of_another_schema_alone_is_refused(tmp_path):
    with pytest.raises(RunError, match="scores of schema 2, not only 1"):
        read(write(tmp_path, some_rows(schema=2)))


def test_a_row_that_is_there_twice_is_refused(tmp_path):
    folder = write(tmp_path, some_rows())
    (folder / "iris/holdout/renamed.parquet").write_bytes((folder / "iris/holdout/searcher.parquet").read_bytes())
    both = f"{folder}/iris/holdout/renamed.parquet and {folder}/iris/holdout/searcher.parquet"
    with pytest.raises(RunError, match=f"score of iris 0 holdout rs 6 occurs twice, in {both}; delete the wrong one"):
        read(folder)


def test_a_validation_that_the_report_does_not_know_is_refused(tmp_path):
    frame = some_rows()
    third = frame[frame["validation"] == "kfold"].assign(protocol="loo", validation="loo")
    with pytest.raises(RunError, match=r"scores of validation loo, .* only holdout, kfold; name it in VALIDATIONS"):
        read(write(tmp_path, pd.concat([frame, third])))


def test_a_score_without_a_test_error_is_refused(tmp_path):
    frame = some_rows()
    frame.loc[(frame["dataset"] == "wine") & (frame["method"] == "gp"), "test_error"] = float("nan")
    said = "8 scores outside \\[0, 1\\], such as that of wine 0 holdout gp 6; delete .*wine/holdout/searcher"
    with pytest.raises(RunError, match=f"{said}.*{REMAKE}"):
        read(write(tmp_path, frame))


@pytest.mark.parametrize("keep", [0, 100, -20])
def test_a_truncated_file_is_named(tmp_path, keep):
    path = write(tmp_path, some_rows()) / "wine" / "kfold" / "searcher.parquet"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(RunError, match=rf"wine/kfold/searcher\.parquet.*{REMAKE}"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["iris/kfold/searcher", "iris/holdout/other"])
def test_a_renamed_file_is_told(tmp_path, name):
    path = write(tmp_path, some_rows()) / "iris/holdout/searcher.parquet"
    parquet.write(pq.read_table(path), path, footer({}, searched(path)))
    assert len(read(tmp_path))  # where it belongs
    path.rename(tmp_path / f"{name}.parquet")
    with pytest.raises(RunError, match=f"{name}.parquet holds scores of iris holdout searcher; delete it and {REMAKE}"):
        read(tmp_path)


def test_a_foreign_file_is_refused(tmp_path):
    with pytest.raises(RunError, match=f"lacks test_error; .*{REMAKE}"):
        read(write(tmp_path, some_rows().drop(columns="test_error")))


@pytest.mark.parametrize("column", ["validation_loss", "final", "schema"])
def test_a_column_that_one_file_lacks_is_named(tmp_path, column):
    write(tmp_path, some_rows())
    path = tmp_path / "wine/kfold/searcher.parquet"
    pd.read_parquet(path).drop(columns=column).to_parquet(path)
    with pytest.raises(RunError, match=rf"wine/kfold/searcher\.parquet lacks {column}; .*{REMAKE}"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"test_error": float("inf")}, "32 scores outside \\[0, 1\\]"),
        ({"test_error": -0.5}, "32 scores outside \\[0, 1\\]"),
        ({"test_error": 7.0}, "32 scores outside \\[0, 1\\]"),
        ({"validation_loss": float("inf")}, "32 scores outside \\[0, 1\\]"),
        ({"method": ["rs", None] * 16}, "scores with an empty method"),
        ({"method": [["rs"]] * 32}, "its method as list"),
        ({"repetition": None}, "its repetition as null"),
        ({"repetition": 0.5}, "its repetition as double"),
        ({"iteration": "6"}, "its iteration as large_string|its iteration as string"),
        ({"test_error": "x"}, "its test_error as large_string|its test_error as string"),
        ({"validation_loss": None}, "its validation_loss as null"),
        ({"final": 1}, "its final as int64"),
        ({"dataset": "wine"}, "iris/holdout/searcher.parquet holds scores of dataset wine; delete it"),
    ],
)
def test_rows_that_say_nothing_or_something_foreign_are_refused(tmp_path, changes, said):
    write(tmp_path, some_rows())
    for path in tmp_path.glob("*/*/searcher.parquet"):
        frame = pd.read_parquet(path)
        whole = {name: value[: len(frame)] if isinstance(value, list) else value for name, value in changes.items()}
        frame.assign(**whole).to_parquet(path)
    with pytest.raises(RunError, match=rf"({said}).*{REMAKE}"):
        read(tmp_path)


def test_a_method_that_reports_no_validation_loss_is_read(tmp_path):
    assert len(read(write(tmp_path, some_rows(validation_loss=float("nan"))))) == len(some_rows())

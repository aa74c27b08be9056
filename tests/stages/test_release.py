"""Released scores: equal to what was released, added to and never deleted from, refused when damaged or foreign."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from score_rows import METHODS, as_printed, rows, write

from bayes_hpo.scores import frames
from bayes_hpo.scores.released import COLUMNS
from bayes_hpo.scores.sums import NAME, Sums
from bayes_hpo.storage import measured

pytestmark = pytest.mark.slow  # every test runs stages

IRIS = {"sklearn-iris": "iris"}
READ = {"study": "overfitting", "scale": "toy", "datasets": list(IRIS)}
MEASURES = ("results/toy/measures/overfitting", "released/overfitting/toy/measures")
FILE = "overfitting/toy/sklearn-iris/holdout/searcher.parquet"


@pytest.fixture
def finish(tmp_path):
    """Function: write rows as the finished scores of the toy scale below results, instead of those there."""

    def put(frame):
        folder = tmp_path / "results/toy/scores/overfitting"
        shutil.rmtree(folder, ignore_errors=True)
        return write(folder, frame)

    return put


@pytest.fixture
def release(command, tmp_path):
    """Function: run the stage."""
    places = (f"results_dir={tmp_path / 'results'}", f"released_dir={tmp_path / 'released'}")
    return lambda *overrides: command("release", "study=overfitting", "scale=toy", *places, *overrides)


@pytest.fixture
def report(command, tmp_path):
    """Function: run the report of the toy scale."""
    places = (f"results_dir={tmp_path / 'results'}", f"products_dir={tmp_path / 'products'}")
    return lambda *overrides: command("report", "scale=toy", *places, *overrides)


@pytest.fixture
def list_anew(tmp_path):
    """Function: bring the list of sums up to date with whatever was released."""

    def put():
        (tmp_path / "released" / NAME).unlink()
        Sums(tmp_path / "released").add("overfitting", "toy")

    return put


def iris(repetitions=(0, 1), methods=("rs", "gp", "gp_pm"), **changes):
    """Rows of one data set under two protocols."""
    return rows(as_printed, IRIS, methods, repetitions).assign(**changes)


def stored(tmp_path):
    """The released rows of the file FILE by (repetition, method, iteration)."""
    return pd.read_parquet(tmp_path / "released" / FILE).set_index(["repetition", "method", "iteration"])


def test_what_is_released_is_what_was_finished(finish, release, tmp_path):
    frame = iris(seconds=12.345678)
    frame.loc[frame["method"] == "gp_pm", "validation_loss"] = None
    folder = finish(frame)
    done = release()
    assert done.returncode == 0, done.stderr
    added, written, outdated = done.stdout.splitlines()
    assert added == "sklearn-iris: 12 cells added, 0 replaced"
    assert written == f"{tmp_path}/released/overfitting/toy: 2 files written"
    assert outdated.startswith("Outdated: 2 score files of overfitting, made by other code or settings (")
    both = (frames.read(path, **READ) for path in (folder, tmp_path / "released/overfitting/toy"))
    pd.testing.assert_frame_equal(
        *(part.sort_values(frames.KEYS, ignore_index=True) for part in both), check_exact=True
    )
    assert set(stored(tmp_path).reset_index()) == set(COLUMNS)
    assert stored(tmp_path)["seconds"].unique().tolist() == [np.float32(12.3)]


def test_failures_are_released_and_unknown_of_older_code(finish, release, tmp_path):
    finish(iris(repetitions=(0,)))
    release()
    finish(iris(failures='{"ValueError": 1}').query("repetition == 1"))
    release()
    found = stored(tmp_path)["failures"]
    assert found.loc[0].isna().all()
    assert set(found.loc[1]) == {'{"ValueError": 1}'}


def test_a_second_release_writes_nothing(finish, release, contents, tmp_path):
    finish(iris())
    release()
    before = {path: path.stat().st_mtime_ns for path in contents(tmp_path / "released")}
    assert release().stdout.startswith(f"{tmp_path}/released/overfitting/toy: 0 files written\nOutdated: 2 score files")
    assert {path: path.stat().st_mtime_ns for path in contents(tmp_path / "released")} == before


def test_the_same_scores_of_a_later_run_keep_their_revision(finish, release, tmp_path):
    finish(iris())
    release()
    finish(iris(repetitions=(0, 1, 2), revision="later", seconds=9.0))
    assert "sklearn-iris: 6 cells added, 0 replaced" in release().stdout
    revisions = stored(tmp_path)["revision"].groupby("repetition").unique().map(list).to_dict()
    assert revisions == {0: ["abc"], 1: ["abc"], 2: ["later"]}


def test_only_what_has_changed_is_replaced_as_a_whole(finish, release, tmp_path):
    finish(iris())
    release()
    frame = iris(revision="later").query("protocol == 'holdout' and repetition == 1")
    frame.loc[frame["method"] == "gp", "test_error"] = 0.5
    finish(frame[(frame["method"] != "rs") | (frame["iteration"] == 12)])  # rs has lost a step
    assert "sklearn-iris: 0 cells added, 2 replaced" in release().stdout
    found = stored(tmp_path)
    assert found.loc[(1, "gp")]["test_error"].to_dict() == {6: 0.5, 12: 0.5}
    assert list(found.loc[(1, "rs")].index) == [12]
    replaced = found[found["revision"] == "later"].index.droplevel("iteration").unique()
    assert sorted(replaced) == [(1, "gp"), (1, "rs")]


def test_nothing_that_is_only_released_is_deleted(finish, release, tmp_path):
    finish(iris())
    release()
    before = stored(tmp_path)
    finish(iris(repetitions=(1,)).query("protocol == 'holdout' and method != 'gp'"))
    assert "0 files written" in release().stdout
    pd.testing.assert_frame_equal(stored(tmp_path), before)
    assert (tmp_path / "released" / FILE.replace("holdout", "kfold")).is_file()


def test_measures_are_copied_once(finish, release, tmp_path):
    finish(iris())
    measure = tmp_path / "results/toy/measures/overfitting/splits.parquet"
    measured.write(pd.DataFrame({"x": [1.0]}), measure, {}, study="overfitting", scale="toy")
    assert "measure splits: copied" in release().stdout
    assert (tmp_path / "released/overfitting/toy/measures/splits.parquet").read_bytes() == measure.read_bytes()
    again = release().stdout.splitlines()
    assert again[0] == f"{tmp_path}/released/overfitting/toy: 0 files written"
    assert again[-1].startswith("Outdated: 1 measure (splits) of overfitting, made by other code or settings (")


def test_rows_of_a_measure_whose_pools_are_gone_stay(finish, release, tmp_path):
    finish(iris())
    here, there = (tmp_path / f"{folder}/splits.parquet" for folder in MEASURES)
    first, second = (pd.DataFrame({"dataset": ["iris"], "repetition": [number], "x": [1.0]}) for number in (0, 1))
    for frame in (first, second):
        measured.write(frame, here, {"fingerprint": "a"}, study="overfitting", scale="toy")
        assert "measure splits: copied" in release().stdout
    assert "0 files written" in release().stdout
    assert pd.read_parquet(there).equals(pd.concat([first, second], ignore_index=True))


def test_products_of_released_scores_are_those_of_the_finished(finish, release, report, tmp_path):
    finish(iris(methods=METHODS))
    release()
    wanted = ("study=overfitting", "study.artifacts.thesis=[T3_1,TB_1]")
    made = []
    for source in ((), (f"scores={tmp_path / 'released'}",)):
        assert report(*wanted, *source).returncode == 0
        made.append({path.name: pd.read_csv(path) for path in sorted(tmp_path.glob("products/**/*.csv"))})
        assert {path.name for path in tmp_path.glob("products/**/*.*")} >= {"T3_1.tex", "index.html"}
        shutil.rmtree(tmp_path / ("products" if source else "results"))
    assert list(made[0]) == list(made[1]) == ["T3_1.csv", "TB_1.csv"]
    for name, values in made[0].items():
        pd.testing.assert_frame_equal(values.drop(columns="command"), made[1][name].drop(columns="command"))
        assert made[1][name]["command"][0].endswith(f"scores={tmp_path / 'released'}")


def test_what_released_scores_do_not_hold_is_left_in_one_paragraph_and_no_failure(finish, release, report, tmp_path):
    finish(iris())
    release()
    wanted = ("study=overfitting", "study.artifacts.thesis=[TB_1,T3_4,F3_2]", f"scores={tmp_path / 'released'}")
    done = report(*wanted)
    assert (done.returncode, done.stderr) == (0, "")
    (paragraph,) = (line for line in done.stdout.splitlines() if line.startswith("Left: "))
    assert paragraph.startswith("Left: thesis/T3_4, thesis/F3_2, whose scores or measures ")
    assert (tmp_path / "products/tables/toy/thesis/TB_1.csv").is_file()
    page = (tmp_path / "products/report/toy/index.html").read_text(encoding="utf-8")
    assert "snakemake --cores 2 toy_overfitting --config skip=" in page
    assert "python -m bayes_hpo.stages.release study=overfitting scale=toy" in page
    alone = report("study=overfitting", "artifact=T3_4", f"scores={tmp_path / 'released'}")
    assert (alone.returncode, "T3_4: no data set has" in alone.stderr) == (1, True)
    own = report(*wanted[:2])
    assert (own.returncode, "T3_4: no data set has" in own.stderr) == (1, True)


def test_a_damaged_released_score_is_a_failure(finish, release, report, list_anew, tmp_path):
    finish(iris())
    release()
    path = tmp_path / "released" / FILE
    path.write_bytes(path.read_bytes()[:100])
    list_anew()
    done = report("study=overfitting", "study.artifacts.thesis=[TB_1,T3_2]", f"scores={tmp_path / 'released'}")
    assert (done.returncode, "cannot be read" in done.stderr) == (1, True)


def test_losses_without_a_bound_are_released(release, tmp_path):
    frame = rows(lambda *_: 3000.0, {"sklearn-diabetes": ""}, ("rs", "ers"), validations=("holdout",))
    write(tmp_path / "results/toy/scores/esmbo_svr", frame.assign(study="esmbo_svr"))
    words = ("study=esmbo_svr", "study.methods=[rs,ers]", "study.curves=[rs]")
    for cells in ("4 cells added, 0 replaced", "0 files written"):
        done = release(*words)
        assert done.returncode == 0, done.stderr
        assert cells in done.stdout


def test_the_page_of_released_scores_says_how_close_they_are_to_the_print(finish, release, report, tmp_path):
    finish(iris())
    page, place = tmp_path / "released/README.md", "<!-- fidelity overfitting toy -->\n{}\n<!-- end -->\n"
    page.parent.mkdir(exist_ok=True)
    page.write_text(place.format("old"), encoding="utf-8")
    report("study=overfitting", "study.artifacts.thesis=[]", f"scores={tmp_path / 'released'}")
    assert page.read_text(encoding="utf-8") == place.format("old")
    assert release().returncode == 0
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line.split(" | ")[0] for line in lines[1:-1]] == [
        "| method", "| :--", "| rs, hold-out", "| gp, hold-out", "| rs, 5-fold", "| gp, 5-fold",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["study", "scale"])
def test_released_scores_of_another_are_refused(finish, release, report, sentence, contents, list_anew, tmp_path, name):
    finish(iris())
    release()
    path = tmp_path / "released" / FILE
    pd.read_parquet(path).assign(**{name: "other"}).to_parquet(path, index=False)
    list_anew()
    before = contents(tmp_path)
    words = f"holds scores of {name} other, "
    assert words in sentence(release(), 1)
    assert words in sentence(report("study=overfitting", "artifact=T3_1", f"scores={tmp_path / 'released'}"), 1)
    assert contents(tmp_path) == before


def test_scores_of_two_schemas_are_refused(finish, release, sentence, tmp_path):
    finish(iris(schema=[1, 2] * (len(iris()) // 2)))
    assert "holds scores of schema 2, not only 1" in sentence(release(), 1)
    assert not (tmp_path / "released").exists()


def test_scores_that_were_never_released_are_named_with_those_that_were(finish, release, report, sentence, tmp_path):
    finish(iris())
    release()
    (tmp_path / "released/README.md").write_text("")
    other = ("study=overfitting", "scale=smoke", "artifact=T3_1", f"scores={tmp_path / 'released'}")
    assert "holds none of overfitting at scale smoke, but overfitting at toy; leave" in sentence(report(*other), 2)
    (tmp_path / "none").mkdir()
    assert "but no study at all; leave" in sentence(report("study=overfitting", f"scores={tmp_path / 'none'}"), 2)


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("results/toy/scores/overfitting/sklearn-iris/holdout/searcher.parquet", "cannot be read"),
        (f"released/{FILE}", f"is not the file that {{released}}/{NAME} lists; restore it with: git checkout -- "),
    ],
)
@pytest.mark.parametrize("hurt", [lambda whole: whole[: len(whole) // 2], lambda whole: b"PAR1" * 99])
def test_a_damaged_file_is_one_sentence_and_nothing_is_written(
    finish, release, sentence, contents, tmp_path, side, words, hurt
):
    finish(iris())
    release()
    finish(iris(repetitions=(0, 1, 2)))
    path = tmp_path / side
    path.write_bytes(hurt(path.read_bytes()))
    before = contents(tmp_path)
    assert words.format(released=tmp_path / "released") in sentence(release(), 1)
    assert contents(tmp_path) == before


def test_a_flipped_bit_is_told_by_every_stage_that_reads_released_files(
    finish, release, report, command, sentence, tmp_path
):
    finish(iris())
    release()
    given, path = f"scores={tmp_path / 'released'}", tmp_path / "released" / FILE
    products = f"products_dir={tmp_path / 'products'}"
    whole = path.read_bytes()
    path.write_bytes(whole[:300] + bytes([whole[300] ^ 1]) + whole[301:])
    for done in (
        report("study=overfitting", "artifact=T3_1", given),
        command("statistics", "scale=toy", given, products),
        release(),
    ):
        assert f"{path} is not the file that {tmp_path}/released/{NAME} lists" in sentence(done, 1)
    path.unlink()
    assert f"{path} is not the file that " in sentence(report("study=overfitting", "artifact=T3_1", given), 1)


def test_files_that_were_brought_by_hand_are_listed_without_any_results(finish, release, report, sentence, tmp_path):
    finish(iris())
    release()
    shutil.rmtree(tmp_path / "results")
    new, given = tmp_path / "released" / FILE.replace("searcher", "brought"), f"scores={tmp_path / 'released'}"
    pd.read_parquet(tmp_path / "released" / FILE).query("method == 'rs'").assign(method="new").to_parquet(
        new, index=False
    )
    told = sentence(report("study=overfitting", "artifact=T3_1", given), 1)
    assert f"{new} is not listed in " in told
    assert "list it with: python -m bayes_hpo.stages.release study=overfitting scale=toy" in told
    before = (tmp_path / "released" / NAME).read_text()
    assert release().returncode == 0
    assert set(before.splitlines()) < set((tmp_path / "released" / NAME).read_text().splitlines())
    assert "is not listed" not in report("study=overfitting", "artifact=T3_1", given).stderr


@pytest.mark.parametrize("side", ["results", "released"])
@pytest.mark.parametrize("column", ["seconds", "revision"])
def test_a_file_without_a_column_is_one_sentence(
    finish, release, sentence, contents, list_anew, tmp_path, side, column
):
    folder = finish(iris())
    release()
    finish(iris(repetitions=(0, 1, 2)))
    path = folder / "sklearn-iris/holdout/searcher.parquet" if side == "results" else tmp_path / "released" / FILE
    pd.read_parquet(path).drop(columns=column).to_parquet(path, index=False)
    list_anew()
    before = contents(tmp_path)
    assert f"{path} lacks {column}; delete it, or restore it" in sentence(release(), 1)
    assert contents(tmp_path) == before


def test_without_scores_there_is_nothing_to_release(release, sentence, tmp_path):
    assert "holds no scores of the 1 data sets of overfitting" in sentence(release(), 1)
    assert not (tmp_path / "released").exists()


def test_a_file_of_twenty_repetitions_of_three_methods_is_small(finish, release, tmp_path):
    draw = np.random.default_rng(0)
    frame = rows(
        lambda *_: draw.integers(40) / 117,
        IRIS,
        ("cma_pv", "cma_bw", "cma_gv"),
        range(20),
        range(6, 103, 6),
        ["holdout"],
    )
    seconds = {key: draw.uniform(0, 60) for key, _ in frame.groupby(["repetition", "iteration"])}
    finish(frame.assign(seconds=[seconds[key] for key in zip(frame["repetition"], frame["iteration"], strict=True)]))
    release()
    assert (tmp_path / "released" / FILE).stat().st_size < 6000  # errors here are noise, real ones repeat


def test_no_space_is_one_sentence_and_the_same_command_goes_on(finish, release, stage, sentence, contents, tmp_path):
    finish(iris())
    release()
    before = contents(tmp_path / "released")
    finish(iris(repetitions=(0, 1, 2)))
    places = (f"results_dir={tmp_path / 'results'}", f"released_dir={tmp_path / 'released'}")
    done = stage("release", "study=overfitting", "scale=toy", *places, file_size=1000)
    assert "could not be written" in sentence(done, 1)
    assert contents(tmp_path / "released") == before
    assert "2 files written" in release().stdout


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["artifact=T3_1"], "artifact=T3_1 needs a study; allowed: "),
        (
            ["study=conditional", "scale=smoke", "artifact=T3_1"],
            "unknown artifact=T3_1 (did you mean T5_1?); allowed: F5_1, ",
        ),
        (
            ["study=overfitting", "scores=relased"],
            "scores=relased is not a folder; give that of released scores, such as ",
        ),
        (["study=divbo", "scale=pilot"], "study divbo has no scale pilot; allowed: toy, smoke, small, paper"),
        (["study=nope"], "unknown study=nope"),
    ],
)
def test_a_report_that_cannot_be_is_one_sentence(report, sentence, overrides, words):
    assert words in sentence(report(*overrides), 2)


@pytest.mark.skipif(not Path("released/svm_width/small").is_dir(), reason="nothing is released of chapter 2")
def test_what_is_committed_can_be_drawn(command, tmp_path):
    done = command("report", "study=svm_width", "scale=small", "scores=released", f"products_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "figures/small/thesis/F2_4.pdf").is_file()


@pytest.mark.skipif(not any(Path("released/conditional/small").glob("*/kfold")), reason="no scores of chapter 5")
def test_committed_tables_are_those_of_the_committed_scores(command, tmp_path):
    names = ("study=conditional", "scale=small", "artifact=T5_2", "scores=released")
    done = command("report", *names, f"products_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    place = "tables/small/thesis/T5_2.csv"
    assert (tmp_path / place).read_text() == Path(place).read_text()


def test_only_final_configurations_are_released(finish, release, tmp_path):
    told = iris(configuration='[{"C": 1.0}]')
    told.loc[told["repetition"] == 1, "configuration"] = None
    finish(told)
    assert release().returncode == 0
    rows = stored(tmp_path).reset_index()
    kept = rows.loc[rows["configuration"].notna(), ["repetition", "final"]].drop_duplicates()
    assert kept.to_numpy().tolist() == [[0, True]]


def test_a_report_of_every_study_reads_their_scores(report, sentence):
    done = report()
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert any("T3_1, " in line and "holds no scores of the 1 data sets of overfitting" in line for line in lines)
    assert any("F2_4: " in line and "of svm_width" in line for line in lines)
    assert any("F2_1, F2_2: there is no measure" in line for line in lines)


def test_the_page_alone_needs_no_scores(report, tmp_path):
    done = report("artifact=page")
    assert done.stdout == f"{tmp_path}/products/report/toy/index.html\n"
    assert (tmp_path / "products/report/toy/index.html").is_file()

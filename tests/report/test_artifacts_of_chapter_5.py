"""Every artifact of chapter 5: its caption and files, little or much behind it, a method of somebody's own."""

from types import SimpleNamespace

import chapter_5
import pandas as pd
import pytest
from chapter_5 import METHODS, STUDY, scores

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.report import artifact
from bayes_hpo.storage import measured

pytestmark = pytest.mark.slow  # whole artifacts are drawn and written

NAMES = STUDY["artifacts"]["thesis"]
OF_SCORES = ["T5_2", "T5_3", "F5_6", "F5_7"]
OF_CHOICES = ["F5_8", "F5_9"]
OF_PRINT = ["FT5_2"]  # each method on data sets of its own
OF_MEASURES = [name for name in NAMES if name not in OF_SCORES + OF_CHOICES + OF_PRINT]
SMALL = ["46", "car", "pim"]


@pytest.fixture
def make(conditional, tmp_path, grid_of, capsys):
    """Function: (artifact, rows, names of data sets as printed) -> (paths, what was printed)."""
    nodes, study = grid_of("conditional").cfg["measures"], SimpleNamespace(owner="conditional")

    def of(name, frame, names=SMALL, **changes):
        given = conditional(frame, names, **changes)
        given.measures_dir.mkdir(exist_ok=True)
        for measure in [name for name in STUDY["measures"] if name != "attained"]:  # which needs pools, and no artifact
            path, which = given.measures_dir / f"{measure}.parquet", {"study": given.study, "scale": given.scale}
            measured.write(build(nodes[measure], measure)(study), path, {}, **which)
        paths = artifact.make(name, document="thesis", studies={"conditional": given}, products_dir=tmp_path)
        return paths, capsys.readouterr().out

    return of


def test_every_artifact_of_the_chapter_is_made_by_the_study():
    of_chapter = {name for name in artifact.names("thesis") if name.startswith(("F5", "T5", "FT5"))}
    assert set(NAMES) == of_chapter
    assert len(NAMES) == 13


@pytest.mark.parametrize("name", NAMES)
def test_the_caption_says_scale_and_command_and_the_bytes_are_the_same_again(name, make):
    frame = scores(SMALL, repetitions=2)
    paths, said = make(name, frame)
    assert "toy scale: no evidence" in said
    kind, suffix = ("tables", "tex") if name.startswith("T") else ("figures", "pdf")
    assert f"Command: snakemake --cores 2 {kind}/toy/thesis/{name}.{suffix}" in said
    if name in OF_SCORES + OF_PRINT:
        assert "5-fold: 3 data sets, 2 repetitions." in said
    first = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in make(name, frame.sample(frac=1, random_state=0))[0]] == first


@pytest.mark.parametrize("name", OF_SCORES + OF_PRINT)
def test_one_data_set_one_repetition_and_one_trial_are_enough(name, make):
    _, said = make(name, scores(["car"], repetitions=1, iterations=(200,)), ["car"])
    assert "5-fold: 1 data set, 1 repetition." in said


@pytest.mark.parametrize("name", OF_SCORES + OF_CHOICES)
def test_the_caption_names_the_data_sets_that_cannot_be_compared_and_no_others(name, make):
    two = ["46", "917", "car"]
    assert "Not comparable: 46, 917;" in make(name, scores(two, repetitions=2), two)[1]
    assert "Not comparable" not in make(name, scores(["car", "pim"], repetitions=2), ["car", "pim"])[1]


@pytest.mark.parametrize("name", OF_CHOICES)
def test_a_study_that_asks_for_no_choice_cannot_draw_choices(name, make):
    with pytest.raises(UserError, match=r"^conditional has no study\.root_choice, .*; give a choice of its space$"):
        make(name, scores(["car"]), ["car"], choice=None)


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_new_method_stands_below_the_published_ones(name, make):
    mine = scores(SMALL, methods=["rs"], repetitions=2).assign(method="my_method", test_error=0.001)
    frame = pd.concat([scores(SMALL, repetitions=2), mine])
    paths, _ = make(name, frame, methods=("my_method", *METHODS))
    if name.startswith("T"):
        text = paths[0].read_text()
        assert "my-method" in text
        assert text.index("GP-laplace-ls") < text.index("my-method")
        values = pd.read_csv(paths[1])
        own = values[values["method"] == "my-method"]
        assert own.filter(regex="^(published|p_published|p_printed)$").isna().all(axis=None)


@pytest.mark.parametrize("name", OF_SCORES)
def test_methods_without_a_common_repetition_cannot_be_compared(name, make):
    apart = scores(["car"], methods=["smac"], repetitions=1).assign(repetition=1)
    frame = pd.concat([scores(["car"], methods=["rs"], repetitions=1), apart])
    with pytest.raises(
        RunError, match=r"no data set has 5-fold scores of all 2 .* snakemake --cores 2 toy_conditional"
    ):
        make(name, frame)


@pytest.mark.parametrize("name", OF_MEASURES)
def test_a_missing_measure_is_named_with_its_command(name, conditional, tmp_path):
    with pytest.raises(RunError, match=r"python -m bayes_hpo\.stages\.measure study=conditional measure=\w+ scale=toy"):
        artifact.make(
            name,
            document="thesis",
            studies={"conditional": conditional(scores(["car"]), ["car"])},
            products_dir=tmp_path,
        )


def test_the_synthetic_scores_are_the_printed_errors():
    frame = scores(SMALL, noise=0.2)
    mean = 100 * frame[frame["final"]].groupby(["dataset", "method"])["test_error"].mean().unstack()
    expected = chapter_5.CELLS.loc[SMALL].rename(index="our-{}".format)
    pd.testing.assert_frame_equal(mean[list(METHODS)], expected, check_names=False)

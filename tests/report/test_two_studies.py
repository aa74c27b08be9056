"""An artifact that two studies list is drawn from the results of both, and the first of them makes it."""

import re
from dataclasses import replace

import pandas as pd
import pytest
from score_rows import as_printed, rows, write

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import Listed, artifacts, drawn_from, products
from bayes_hpo.configuration import compose
from bayes_hpo.documents import catalog
from bayes_hpo.report import artifact
from bayes_hpo.report.caption import coverage
from bayes_hpo.report.comparison import compare
from bayes_hpo.report.tables.table import Table

METHODS = ["rs", "gp"]
F2_1, F2_4 = Listed("thesis", "F2_1"), Listed("thesis", "F2_4")
NOVEL = f"""
title: Novel
about: a document of two studies
artifacts:
  T9_9:
    title: "Table 9.9: the errors of two studies"
    draw: {{_target_: {__name__}.side_by_side, validation: kfold}}
"""


def side_by_side(*studies, validation: str):
    """A table of mean errors, the methods of one study beside those of the next."""
    both = {results.study: compare(results, METHODS, [validation]) for results in studies}
    means = pd.concat({study: compared[validation].mean for study, compared in both.items()}, axis=1)
    notes = [note for compared in both.values() for note in coverage(compared)]
    return Table(means.map("{:.1f}".format), means.T.stack().rename("error").reset_index(), notes)


@pytest.fixture
def novel(tmp_path, monkeypatch):
    """A document with one artifact."""
    folder = tmp_path / "published"
    folder.mkdir()
    for path in catalog.FOLDER.glob("*.yaml"):
        (folder / path.name).symlink_to(path)
    (folder / "novel.yaml").write_text(NOVEL)
    monkeypatch.setattr(catalog, "FOLDER", folder)
    catalog.document.cache_clear()
    yield "novel"
    catalog.document.cache_clear()


def test_a_table_of_two_studies_has_the_errors_and_the_failures_of_both(novel, given, tmp_path, capsys):
    first = given(rows(as_printed, methods=METHODS))
    half = rows(lambda *run: as_printed(*run) / 2, methods=METHODS, repetitions=range(4))
    second = write(tmp_path / "more", half.assign(study="other", failures="{}"))
    studies = {"overfitting": first, "other": replace(first, study="other", scores_dir=second)}
    _, csv = artifact.make("T9_9", document=novel, studies=studies, products_dir=tmp_path)
    errors = pd.read_csv(csv).groupby(["level_0", "method"])["error"].mean().unstack(level=0)
    assert (errors["other"] / errors["overfitting"]).tolist() == pytest.approx([0.5, 0.5])
    printed = " ".join(capsys.readouterr().out.split())
    assert re.search("5-fold: 5 data sets, 2 repetitions.* 5-fold: 5 data sets, 4 repetitions", printed)
    assert "unknown for 20 searches" in printed
    assert "none of 480" in printed
    assert printed.count("Failed trials") == 1
    assert "searches of overfitting: unknown for 20" in printed
    assert "; of other: none of 480" in printed


@pytest.fixture
def conf(tmp_path, monkeypatch):
    """A copy of the study svm_width that lists figure 2.4 too, beside the files of conf/study."""
    folder = tmp_path / "conf"
    folder.mkdir()
    for path in compose.CONF.resolve().iterdir():
        if path.name != "study":
            (folder / path.name).symlink_to(path)
    (folder / "study").mkdir()
    for path in (compose.CONF / "study").resolve().iterdir():
        (folder / "study" / path.name).symlink_to(path)
    text = (compose.CONF / "study/svm_width.yaml").read_text().replace("[F2_1, F2_2, A2_1, A2_2, F2_3, F2_4]", "[F2_4]")
    (folder / "study/wider.yaml").write_text(text)
    for name in ("published", "src", "results"):
        if compose.CONF.resolve().parent.joinpath(name).is_dir():
            (tmp_path / name).symlink_to(compose.CONF.resolve().parent / name)
    monkeypatch.chdir(tmp_path)


def test_the_first_of_the_studies_that_list_an_artifact_makes_it_from_both(conf):
    first, second = (Grid.of(name, "toy") for name in ("svm_width", "wider"))
    assert drawn_from(first, F2_4) == drawn_from(second, F2_4) == ["svm_width", "wider"]
    assert drawn_from(first, F2_1) == ["svm_width"]
    assert products(second) == []
    assert "figures/toy/thesis/F2_4.pdf" in products(first)
    assert artifacts(second, "F2_4") == artifacts(second, "thesis/F2_4") == [F2_4]


def test_of_released_scores_the_first_study_that_has_any_makes_it_from_those_that_do(conf, tmp_path):
    first, second = (Grid.of(name, "toy") for name in ("svm_width", "wider"))
    released = tmp_path / "released"
    (released / "wider/toy").mkdir(parents=True)
    assert artifacts(second, released=str(released)) == [F2_4]
    assert drawn_from(second, F2_4, str(released)) == ["wider"]
    assert drawn_from(first, F2_4, str(released)) == ["svm_width", "wider"]  # asked for what it does not have
    (released / "svm_width/toy").mkdir(parents=True)
    assert artifacts(second, released=str(released)) == []
    assert drawn_from(first, F2_4, str(released)) == ["svm_width", "wider"]

"""Every artifact: what its caption says, its files, and ours equal to the published when our errors are those."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from score_rows import DATASETS, METHODS, as_printed, rows
from thesis_artifacts import function, row

from bayes_hpo.configuration.options import written
from bayes_hpo.documents import catalog
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.report import artifact
from bayes_hpo.report.caption import Caption
from bayes_hpo.storage import measured

pytestmark = pytest.mark.slow  # whole artifacts are drawn and written

TOY = {"study": "overfitting", "scale": "toy"}
OF_MEASURES = ("F3_2", "F3_5")  # drawn without scores: test_figures_of_measures.py
STUDY = written("study", "overfitting")  # artifacts of other studies: artifacts/thesis/, test_artifacts_of_chapter_5.py
NAMES = [name for name in STUDY["artifacts"]["thesis"] if name not in OF_MEASURES]
TABLES = [name for name in NAMES if name.startswith("T")]


@pytest.fixture
def make(tmp_path, given, capsys):
    """Function: (artifact, rows) -> (paths, what was printed)."""

    def of_rows(name, frame, **changes):
        paths = artifact.make(
            name, document="thesis", studies={"overfitting": given(frame, **changes)}, products_dir=tmp_path
        )
        return paths, capsys.readouterr().out

    return of_rows


@pytest.mark.parametrize("name", NAMES)
def test_the_caption_says_scale_data_sets_repetitions_and_command(name, make, printed_rows):
    paths, said = make(name, printed_rows)
    assert all(path.stat().st_size > 0 for path in paths)
    kind, suffix = ("tables", "tex") if name in TABLES else ("figures", "pdf")
    for words in (
        "toy scale: no evidence",
        "1 data set, 2 repetitions" if name == "F3_1" else "5 data sets, 2 repetitions",
        f"snakemake --cores 2 {kind}/toy/thesis/{name}.{suffix}",
    ):
        assert words in said


@pytest.mark.parametrize("name", TABLES)
def test_the_files_of_a_table_carry_its_caption(name, make, printed_rows):
    (tex, csv), _ = make(name, printed_rows)
    assert "toy scale: no evidence" in tex.read_text()
    assert "5 data sets, 2 repetitions" in tex.read_text()
    values = pd.read_csv(csv)
    assert set(values["scale"] + values["note"]) == {"toytoy scale: no evidence"}
    assert values["command"].unique() == [f"snakemake --cores 2 tables/toy/thesis/{name}.tex"]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="pdftotext is not installed (poppler-utils)")
def test_the_caption_is_on_the_figure(make, printed_rows):
    (pdf, _), _ = make("F3_3", printed_rows)
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    assert "toy scale: no evidence" in text
    assert "5 data sets, 2 repetitions" in text
    assert "snakemake --cores 2 figures/toy/thesis/F3_3.pdf" in text


def test_evidence_is_not_denied_at_other_scales(make, printed_rows):
    (tex, csv), said = make("T3_1", printed_rows.assign(scale="small"), scale="small")
    assert "no evidence" not in said + tex.read_text() + csv.read_text()
    assert tex.parent.parent.name == "small"


def test_table_3_1_of_the_published_errors_is_the_published_one(make, printed_rows):
    (_, csv), _ = make("T3_1", printed_rows)
    values = pd.read_csv(csv)
    assert len(values) == 14 * 2 * 4
    np.testing.assert_allclose(values["ours"], values["published"])


@pytest.mark.parametrize("name", ["TB_1", "TB_2"])
def test_tables_b_of_the_published_errors_differ_nowhere(name, make, printed_rows):
    (_, csv), said = make(name, printed_rows)
    values = pd.read_csv(csv)
    assert len(values) == 14 * len(DATASETS)
    np.testing.assert_allclose(values[["difference", "z"]], 0, atol=1e-6)
    assert re.search(
        r"gp-r 0\.00 \([+-]0\.00\), .* without 70 cells in which one of the two is 0", " ".join(said.split())
    )


def test_table_3_1_names_a_data_set_without_published_cells(make):
    datasets = {**DATASETS, "mine": "mine"}
    (_, csv), said = make("T3_1", rows(lambda *_: 0.1, datasets), datasets=datasets)
    assert "Left out (hold-out, 5-fold): mine; the document has no cells of them." in said
    assert set(pd.read_csv(csv)["data_sets"]) == set(pd.read_csv(csv)["published_data_sets"]) == {5}


def test_table_3_1_of_unpublished_data_sets_stands_alone(make):
    (_, csv), _ = make("T3_1", rows(lambda *_: 0.1, {"mine": ""}), datasets={"mine": ""})
    values = pd.read_csv(csv)
    assert values["ours"].notna().all()
    assert values["published"].isna().all()
    assert set(values["published_data_sets"]) == {0}


@pytest.mark.parametrize("name", ["T3_1", "TB_1", "TB_2"])
def test_a_copy_beside_published_values_is_named(name, make, printed_rows):
    _, said = make(name, printed_rows, copies=("sklearn-iris", "not-in-the-study"))
    assert "sklearn-iris: scikit-learn's copies, which may differ from the published data (docs/data.md)." in said
    assert "scikit-learn" not in make(name, printed_rows)[1]


@pytest.mark.parametrize("name", ["T3_1", "TB_1"])
def test_a_copy_of_nothing_published_is_not_named(name, make):
    frame = rows(lambda *_: 0.1, {"sklearn-digits": "", "wine": "wine"})
    _, said = make(name, frame, datasets={"sklearn-digits": "", "wine": "wine"}, copies=("sklearn-digits",))
    assert "scikit-learn" not in said


def test_table_3_5_uses_the_first_ten_repetitions(make):
    frame = rows(lambda v, name, m, repetition, t: 0.1 if repetition < 10 else 0.9, repetitions=range(12))
    (_, csv), said = make("T3_5", frame)
    medians = pd.read_csv(csv).query("metric == 'median'")
    np.testing.assert_allclose(medians["ours"], 10)
    assert "5 data sets, 10 repetitions" in said


def test_table_3_5_shows_the_print_with_its_own_data_sets(make, printed_rows):
    (_, csv), said = make("T3_5", printed_rows)
    values = pd.read_csv(csv).set_index(["method", "validation", "metric"])
    assert values["published"]["gp_pm_r", "holdout", "rank"] == 2.64
    assert set(values["published_data_sets"]) == {118}
    assert "over 118 data sets" in said


@pytest.mark.parametrize("name", NAMES)
def test_one_data_set_one_repetition_and_one_iteration_are_enough(name, make):
    frame = rows(as_printed, {"iris": "iris"}, repetitions=(0,), iterations=(3,))
    _, said = make(name, frame, datasets={"iris": "iris"})
    assert "1 data set, 1 repetition" in said


@pytest.mark.parametrize("name", ["T3_1", "T3_5", "F3_3"])
def test_a_validation_without_scores_is_left_away(name, make, printed_rows):
    _, said = make(name, printed_rows[printed_rows["validation"] == "holdout"])
    assert "Hold-out: 5 data sets" in said
    assert "5-fold: 5 data sets" not in said


def test_the_table_of_a_validation_without_scores_says_what_to_do(make, printed_rows):
    with pytest.raises(
        RunError, match=r"no data set has 5-fold scores .* make them with: snakemake --cores 2 toy_overf"
    ):
        make("TB_2", printed_rows[printed_rows["validation"] == "holdout"])


@pytest.mark.parametrize("name", NAMES)
def test_a_new_method_appears_in_every_artifact_below_the_published(name, make):
    methods = (*METHODS, "my_method")
    frame = rows(lambda v, n, m, r, t: 0.05 if m == "my_method" else 0.1, methods=methods)
    paths, _ = make(name, frame, methods=methods)
    if name in TABLES:
        values = pd.read_csv(paths[1])
        mine = values[values["method"] == "my_method"]
        assert len(mine)
        assert mine.filter(like="published").drop(columns="published_data_sets", errors="ignore").isna().all(axis=None)
        assert "my-method" in paths[0].read_text()


def test_a_new_method_leaves_the_published_ranks_alone(make, printed_rows):
    (_, csv), _ = make("T3_1", printed_rows)
    before = pd.read_csv(csv)["published"]
    methods = (*METHODS, "my_method")
    more = rows(lambda v, n, m, r, t: 0.05, methods=["my_method"])
    (_, csv), _ = make("T3_1", pd.concat([printed_rows, more]), methods=methods)
    assert pd.read_csv(csv).query("method != 'my_method'")["published"].tolist() == before.tolist()


def test_a_study_with_fewer_methods_is_compared_among_those(make):
    (_, csv), _ = make("T3_1", rows(as_printed, methods=["rs", "gp"]), methods=("rs", "gp"))
    values = pd.read_csv(csv)
    assert set(values["method"]) == {"rs", "gp"}
    np.testing.assert_allclose(values["ours"], values["published"])
    assert values.query("metric == 'rank'").groupby("validation")["ours"].sum().tolist() == [3.0, 3.0]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_scores_give_the_same_bytes(name, make, printed_rows):
    first = [path.read_bytes() for path in make(name, printed_rows)[0]]
    shuffled = printed_rows.sample(frac=1, random_state=0)
    assert [path.read_bytes() for path in make(name, shuffled)[0]] == first


@pytest.mark.parametrize("name", ["T9_9", "t3_1", "../scores", ""])
def test_an_unknown_artifact_is_refused_with_those_there_are(name, make, printed_rows):
    with pytest.raises(UserError, match=f"is not one of {', '.join(artifact.names('thesis'))} of thesis"):
        make(name, printed_rows)


def test_an_unknown_document_is_refused_with_those_there_are():
    drawn = ", ".join(document for document in catalog.documents() if artifact.names(document))
    with pytest.raises(UserError, match=f"document=novel is not one of {drawn}$"):
        artifact.find("T3_1", "novel")


@pytest.mark.parametrize("name", NAMES)
def test_an_unwritable_folder_is_one_sentence(name, given, printed_rows, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(RunError, match="could not be written"):
        artifact.make(name, document="thesis", studies={"overfitting": given(printed_rows)}, products_dir=blocked)


def test_tables_do_without_matplotlib():
    modules = ", ".join({row(name)["_target_"].rpartition(".")[0] for name in TABLES})
    code = f"import sys, bayes_hpo.report.artifact, {modules}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scores_of_other_code_are_named_in_the_caption_of_what_rests_on_them(given, printed_rows):
    made = replace(given(printed_rows), expected=SimpleNamespace(score_depends={}, measure_depends={}))
    assert artifact.find("T3_1", "thesis").outdated(made)[0].startswith("Outdated: 10 score files of overfitting")
    assert artifact.find("F3_2", "thesis").outdated(made) == []
    assert given(printed_rows).outdated_scores == []


def test_a_measure_of_other_settings_is_named_in_the_caption_of_what_rests_on_it(given, printed_rows):
    settings = {"toy_covariances": {"fingerprint": "now"}}
    expected = SimpleNamespace(measure_depends=settings, score_depends={})
    made = replace(given(printed_rows), expected=expected)
    made.measures_dir.mkdir()
    figure = artifact.find("F5_2", "thesis")
    outdated = "Outdated: 1 measure (toy_covariances) of overfitting, made by other code"
    for made_by, said in (("now", []), ("before", [outdated])):
        path = made.measures_dir / "toy_covariances.parquet"
        measured.write(printed_rows, path, {"fingerprint": made_by}, **TOY)
        assert [sentence[: len(words)] for sentence, words in zip(figure.outdated(made), said, strict=True)] == said


def test_an_outdated_measure_of_searches_is_named_beside_their_scores(given, printed_rows):
    expected = SimpleNamespace(measure_depends={"gp_snapshots": {}}, score_depends={})
    made = replace(given(printed_rows), expected=expected)
    made.measures_dir.mkdir()
    measured.write(printed_rows, made.measures_dir / "gp_snapshots.parquet", {"config": {}}, **TOY)
    of_scores, of_measure = artifact.find("F2_3", "thesis").outdated(made)
    assert of_scores.startswith("Outdated: 10 score files")
    assert of_measure.startswith("Outdated: 1 measure (gp_snapshots)")


@pytest.mark.parametrize(
    ("failures", "said"),
    [
        (None, "unknown for 20 searches scored by older code"),
        ("{}", "none of 240 trials"),
        ('{"ValueError": 1, "timed out": 2}', "60 of 240 (40 timed out, 20 ValueError)"),
    ],
)
def test_the_caption_counts_failed_trials_of_each_search_once(make, printed_rows, failures, said):
    for name in ("T3_1", "F3_3"):
        _, told = make(name, printed_rows.assign(failures=failures))
        assert f"Failed trials in the searches of the study: {said}." in told


def test_what_the_command_leaves_out_stands_in_the_command(given, printed_rows, tmp_path, capsys):
    left_out = replace(given(printed_rows), left_out=("wine", "iris"))
    artifact.make("T3_1", document="thesis", studies={"overfitting": left_out}, products_dir=tmp_path)
    assert "snakemake --cores 2 tables/toy/thesis/T3_1.tex --config without=wine,iris" in capsys.readouterr().out


def test_table_3_1_is_one_of_the_methods_that_have_scores_and_names_the_others(given, printed_rows):
    some = printed_rows[printed_rows["method"].isin(["grid", "gp", "gp_r"])]
    made = function("T3_1")(given(some))
    assert any(note.endswith("cma-r; 3 methods are compared.") for note in made.notes)
    ranks = made.values[made.values["metric"] == "rank"].groupby("validation")
    assert {name: set(part["method"]) for name, part in ranks} == {
        name: {"grid", "gp", "gp_r"} for name in ("holdout", "kfold")
    }
    np.testing.assert_allclose(ranks[["ours", "published"]].sum(), 1 + 2 + 3)


def test_a_caption_names_the_setting_of_a_gaussian_process_where_there_is_one():
    assert Caption("small", "fast", "").sentences([]) == ["Scale small, GP setting fast."]
    assert Caption("small", "", "").sentences([]) == ["Scale small."]


def test_of_several_studies_one_with_a_gaussian_process_is_enough(given, printed_rows):
    studies = {name: given(printed_rows, setting=setting) for name, setting in {"first": "", "second": "fast"}.items()}
    assert artifact.find("T3_1", "thesis").caption(studies).setting == "fast"


@pytest.mark.parametrize(("name", "setting"), [("T3_1", "fast"), ("F3_2", ""), ("F3_5", "published"), ("A2_1", "")])
def test_a_caption_names_the_setting_of_what_the_artifact_rests_on(given, printed_rows, name, setting):
    measures = {"splits": "", "posterior_mean_toy": "published"}
    results = given(printed_rows, setting="fast", measure_settings=measures)
    assert artifact.find(name, "thesis").caption({"overfitting": results}).setting == setting


@pytest.mark.parametrize(("name", "said"), [("T1", True), ("T4", True), ("F5", True), ("T5", False), ("A1", False)])
def test_what_a_scale_limits_stands_below_what_rests_on_searches_alone(given, printed_rows, name, said):
    studies = {"divbo": given(printed_rows, limits="30 CPU seconds a trial")}
    warnings = artifact.find(name, "divbo2022").caption(studies).warnings
    assert ("This scale: 30 CPU seconds a trial." in warnings) == said

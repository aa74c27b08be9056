"""The printed numbers are whole, under our names, consistent where the documents are, and as they were handed over."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

from bayes_hpo.documents import catalog, names, published
from bayes_hpo.documents.printed import Printed
from bayes_hpo.errors import RunError, UserError

HANDED_OVER = catalog.FOLDER.parents[1] / "shared" / "published"
DOCUMENTS = {"thesis", "uai2016", "esmbo_uai", "esmbo_arxiv", "divbo2022"}
RENAMED = {"DivBO": ["divbo2022"], "esmbo": ["esmbo_uai", "esmbo_arxiv"]}  # as handed over -> ours

ERRORS = "document|table|dataset|method|protocol|metric|value|std*|note*"
PAIRS = "document|table|method_row|method_col|p_printed|row_worse_parenthesis|bold_significant*|note*"
NET_WINS = "document|table|protocol|method_row|method_col|wins_minus_losses_printed|underlined_significant"
SCHEMA = {  # file: its number of rows and its columns, with a star after those that may be empty
    "artifacts": (97, "id|document|caption_short|data_needed|kind|per_iteration_traces"),
    "claims": (
        220,
        "id|document|place|claim|method_A|method_B*|protocol|suite|metric|direction_threshold*|published_value*|kind|"
        "check_against_published_numbers*",
    ),
    "datasets": (39, "document|table|dataset|abbrev*|instances*|features*|classes*|openml_id*"),
    "divbo_tables": (222, "document|table|dataset|method|protocol*|metric|value|std*|note*"),
    "esmbo_expected_rank": (2 * 7 * 4, "document|table|space|method|E_rank"),
    "esmbo_win_frequency": (
        2 * 7 * 4 * 4,
        "document|table|space|method_row|method_col|win_frequency|PB_symbol*|sign_symbol*|note",
    ),
    "printed_statistics_in_text": (16, "document|place|statistic|value"),
    "pvalues_UAI3_UAI5_T4_3_T4_5": (3 * 4 * 3 + 8 * 7, PAIRS),
    "search_spaces": (
        139,
        "document|table_or_section|learner|hyperparameter|type*|low_or_values*|high*|scale*|note*",
    ),
    "thesis_B1_B2_errors": (2 * 118 * 14, ERRORS),
    "thesis_B1_B2_repairs": (53, "table|dataset|method|repair_or_doubt"),
    "thesis_T3_1": (4 * 2 * 14, ERRORS),
    "thesis_T3_2_3_3_winloss": (2 * 14 * 14, NET_WINS),
    "thesis_T3_4_winloss": (2 * 6 * 6, NET_WINS),
    "thesis_T3_5": (4 * 2 * 6, ERRORS),
    "thesis_T4_1_T4_2_toy_printed": (
        10,
        "table|row|x0*|x1*|x2*|x3*|x4*|mean01*|ens_01*|ens_M*|ens_M2*|ens_sig*|ens_C*|note*",
    ),
    "thesis_T4_1_T4_2_toy_recomputed": (9, "table|row|scaling|a|l01|lM|lM2|lsig|C|printed l01/lM/lM2/sig/C"),
    "thesis_T4_4_T4_6_errors": (19 * (4 + 8), ERRORS),
    "thesis_T4_7_cifar": (8, "document|table|dataset|method|protocol*|metric|value*|std*|note*"),
    "thesis_T5_2_errors": (25 * 11, ERRORS),
    "thesis_T5_3_pvalues": (11 * 10, PAIRS),
    "uai_T2_T4_errors": (19 * (4 + 4), ERRORS),
}
RANGES = {  # what a printed number can be
    "p_printed": (0, 1),
    "win_frequency": (0, 1),
    "E_rank": (1, 4),
    "row_worse_parenthesis": (0, 1),
    "bold_significant": (0, 1),
    "underlined_significant": (0, 1),
    "wins_minus_losses_printed": (-118, 118),
    "value": (0, 100),
    "std": (0, 100),
}
DIVBO_TEST_ROWS = {"quake": 436, "pollen": 770, "spambase": 921, "satimage": 1286, "wind": 1315}  # the print's
FILES = pytest.mark.parametrize("name", sorted(path.stem for path in catalog.FOLDER.glob("*.csv")))


@FILES
def test_every_file_has_its_rows_and_columns_and_no_empty_cell_where_none_may_be(name):
    rows, columns = SCHEMA[name]
    frame = published.rows(name)
    assert len(frame) == rows
    assert list(frame) == columns.replace("*", "").split("|")
    empty = {column for column in frame if frame[column].isna().any()}
    assert empty <= {column[:-1] for column in columns.split("|") if column.endswith("*")}
    assert not frame.duplicated().any()


@FILES
def test_documents_have_our_names_and_numbers_are_possible(name):
    frame = published.rows(name)
    assert set(frame.get("document", [])) <= DOCUMENTS
    of_every_kind = {"value"} if name == "printed_statistics_in_text" else set()  # some several in a cell
    for column in RANGES.keys() & set(frame) - of_every_kind:
        low, high = RANGES[column]
        assert frame[column].dropna().between(low, high).all()


def test_the_readme_has_a_row_for_every_file_and_no_other():
    text = (catalog.FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)\.csv`", text, re.MULTILINE)) == sorted(SCHEMA)
    assert sorted(SCHEMA) == sorted(path.stem for path in catalog.FOLDER.glob("*.csv"))


@FILES
def test_files_are_those_that_were_handed_over_under_our_names_of_documents(name):
    if not HANDED_OVER.exists():
        pytest.skip("the folder with the original files is not beside this checkout")
    expected = pd.read_csv(HANDED_OVER / f"{name}.csv", dtype=str, keep_default_na=False)
    if "document" in expected:
        ours = expected["document"].map(lambda document: RENAMED.get(document, [document]))
        expected = expected.assign(document=ours).explode("document", ignore_index=True)
    found = pd.read_csv(catalog.FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize(
    ("document", "errors", "p"),
    [
        ("thesis", "T4_4", "T4_3"),
        ("thesis", "T4_6", "T4_5"),
        ("thesis", "T5_2", "T5_3"),
        ("uai2016", "T2", "T3"),
        ("uai2016", "T4", "T5"),
    ],
)
def test_tables_of_p_are_symmetric_and_of_the_methods_whose_errors_are_printed(document, errors, p):
    square, (cells, ranks) = published.p_values(document, p), published.mean_errors(document, errors)
    pd.testing.assert_frame_equal(square, square.T, check_names=False)
    assert set(square) == set(cells) == set(ranks.index)
    assert cells.notna().all(axis=None)


def test_data_sets_of_the_errors_are_listed():
    listed = published.rows("datasets")
    of_uai = set(listed[listed["document"] == "uai2016"]["abbrev"])
    assert set(published.mean_errors("thesis", "T4_6")[0].index) == of_uai
    assert set(published.mean_errors("uai2016", "T2")[0].index) == of_uai - {"msk"} | {"msh"}  # printed so
    of_chapter_5 = of_uai | set(listed[listed["document"] == "thesis"]["abbrev"])
    assert set(published.mean_errors("thesis", "T5_2")[0].index) == of_chapter_5


@pytest.mark.parametrize(("one", "other"), [("CMA", "CMA"), ("RS-best", "RS"), ("BO-best", "GP-matern-ls")])
def test_three_methods_of_table_4_6_have_the_errors_of_table_5_2(one, other):
    first, again = published.mean_errors("thesis", "T4_6")[0][one], published.mean_errors("thesis", "T5_2")[0][other]
    assert (first == again[first.index]).all()


def test_both_versions_of_esmbo_print_the_same_numbers():
    first, again = published.win_frequencies("esmbo_uai"), published.win_frequencies("esmbo_arxiv")
    assert list(first) == list(again)
    for space, (frequencies, ranks) in first.items():
        assert frequencies.equals(again[space][0])
        assert ranks.equals(again[space][1])
        assert (frequencies + frequencies.T == 1).all(axis=None)


@pytest.mark.parametrize(("repetitions", "fits"), [(4, False), (5, True), (6, False)])
def test_the_cells_of_table_1_of_divbo_are_means_of_five_repetitions(repetitions, fits):  # D2; ten by the text
    mean, _ = published.mean_errors("divbo2022", "T1")
    wrong = repetitions * mean.mul(pd.Series(DIVBO_TEST_ROWS), axis=0).loc[list(DIVBO_TEST_ROWS)] / 100
    rounding = repetitions * pd.Series(DIVBO_TEST_ROWS) / 100 * 0.005  # of two decimals
    assert (wrong - wrong.round()).abs().le(rounding + 1e-9, axis=0).all(axis=None) == fits
    assert (catalog.precision("divbo2022", "T1").repetitions == repetitions) == fits


@pytest.mark.parametrize("table", ["T8", "T9", "T10", "T11", "T12"])
def test_the_other_tables_of_divbo_have_the_ten_repetitions_of_the_text(table):
    assert catalog.precision("divbo2022", table).repetitions == 10


@pytest.mark.parametrize("validation", ["holdout", "kfold"])
def test_every_cell_of_tables_b_1_and_b_2_is_there(validation):
    for cells in published.errors(validation):
        assert cells.shape == (118, 14)
        assert cells.notna().all(axis=None)


def test_cells_are_found_by_printed_name_method_and_validation():
    mean, sd = published.errors("holdout")
    assert (mean.loc["iris", "rs"], sd.loc["iris", "rs"]) == (5.8, 6.3)
    assert published.errors("kfold")[0].loc["iris", "rs"] == 3.9
    assert published.mean_errors("thesis", "T5_2")[0].loc["184", "RS"] == 18.39


def test_summaries_and_net_wins_are_found_by_validation_and_method():
    assert published.summary("T3_1")["kfold"].loc["cma_pv_r"].to_dict() == {
        "median": 15.53,
        "iqr": 25.91,
        "win_rate": 43.07,
        "rank": 8.47,
    }
    assert published.summary("T3_5")["holdout"].loc["gp_pm_r", "rank"] == 2.64
    assert published.net_wins("T3_2")["holdout"][0].loc["gp_r", "gp"] == 36
    net_wins, marks = published.net_wins("T3_4")["kfold"]
    assert (net_wins.loc["gp_pm_r", "gp_r"], net_wins.loc["gp_pm", "gp"]) == (15, 8)
    assert (marks | marks.T).loc["gp_pm_r"].to_dict() == {name: name != "gp_pm_r" for name in marks}


def test_methods_stand_in_the_printed_order():
    ranks = published.summary("T3_1")["kfold"]["rank"]
    assert ranks.is_monotonic_decreasing
    assert list(published.net_wins("T3_3")["kfold"][0]) == published.methods("T3_1")
    assert published.methods("T3_5") == ["grid", "rs", "gp", "gp_pm", "gp_r", "gp_pm_r"]


def test_a_method_that_nobody_printed_stands_below_the_printed_ones():
    printed = published.methods("T3_5")
    assert published.in_order(printed, ["mine", "gp", "cma", "grid"]) == ["grid", "gp", "mine"]


@pytest.mark.parametrize("name", [name for name in SCHEMA if re.match("thesis_(B1_B2_errors|T3)", name)])
def test_printed_methods_of_chapter_3_are_ours_one_to_one(name):
    frame = published.rows(name)
    for label in {label for column in frame if column.startswith("method") for label in frame[column]}:
        assert (catalog.FOLDER.parent / "conf" / "method" / f"{names.method(label)}.yaml").exists()
        assert names.printed(names.method(label)) == label


def test_a_missing_file_says_how_to_get_it_back():
    with pytest.raises(RunError, match=r"thesis_T9_9\.csv cannot be read .* git checkout -- published"):
        published.rows("thesis_T9_9")


LABELS = {"rs": "RS", "gp_cond_ls": "GP-cond-ls"}
STUDY = {"document": "thesis", "tables": {"kfold": "T5_2"}, "labels": LABELS, "not_comparable": ["46"]}
STUDY |= {"flagged": ["tita"], "methods": list(LABELS)}
ROWS = {name: SimpleNamespace(published_name="", abbreviation=label) for name, label in
        {"mine": "", "titanic": "tita", "splice": "46", "wine": "wine-white", "car": "car"}.items()}  # fmt: skip


@pytest.mark.parametrize(("document", "table"), [("thesis", "T5_9"), ("nope", "T5_2")])
def test_a_table_whose_numbers_are_not_here_is_named(document, table):
    study = STUDY | {"document": document, "tables": {"kfold": table}}
    with pytest.raises(UserError, match=f"no numbers of {table} of {document}; allowed: .*T5_2 of thesis"):
        Printed.of(study, {})


def test_a_label_of_a_study_goes_before_the_name_and_back():
    assert [names.printed(name, LABELS) for name in ("rs", "gp_sel_r")] == ["RS", "gp-sel-r"]
    assert [names.method(label, LABELS) for label in ("GP-cond-ls", "gp-sel-r")] == ["gp_cond_ls", "gp_sel_r"]


def test_cells_of_a_table_have_our_methods_the_printed_data_sets_and_no_sd_where_none_is_printed():
    mean, sd = published.cells("thesis", "T5_2", LABELS)
    assert (mean.loc["46", "rs"], mean.loc["tita", "gp_cond_ls"]) == (0.09, 21.72)
    assert sd.isna().all(axis=None)
    assert list(mean.index[:3]) == ["46", "184", "389"]
    for validation, table in published.CHAPTER_3.items():
        pd.testing.assert_frame_equal(published.cells("thesis", table)[1], published.errors(validation)[1])


def test_the_print_of_a_study_is_found_by_our_data_sets_in_the_printed_order():
    assert Printed.of(STUDY, ROWS).names == {"splice": "46", "car": "car", "titanic": "tita", "mine": "", "wine": ""}
    mean, _ = Printed.of(STUDY, ROWS).cells["kfold"]
    assert mean["rs"].dropna().to_dict() == {"splice": 0.09, "car": 1.45, "titanic": 24.06}
    assert set(mean.index) == set(ROWS)
    assert Printed.of(STUDY | {"tables": {}, "not_comparable": [], "flagged": []}, ROWS).cells == {}


def test_what_runs_are_held_against_lacks_the_data_that_cannot_be_the_named_ones():
    mean, _ = Printed.of(STUDY, ROWS).comparable["kfold"]
    assert mean["rs"].dropna().to_dict() == {"car": 1.45, "titanic": 24.06}
    mean, _ = Printed.of({**STUDY, "not_comparable": []}, ROWS).comparable["kfold"]
    assert mean["rs"].dropna().to_dict() == {"splice": 0.09, "car": 1.45, "titanic": 24.06}


def test_how_often_methods_are_worse_than_the_best_is_what_the_claim_says():
    claim = published.rows("claims").set_index("id").loc["T5.2-never-worse"]
    printed = dict(zip([claim["method_A"], *claim["method_B"].split()], claim["published_value"].split(), strict=True))
    worse = catalog.document("thesis")["artifacts"]["T5_2"]["draw"]["worse"]
    assert worse == {label: int(count) for label, count in printed.items()}


def test_every_document_has_a_file_that_says_where_its_tables_lie():
    assert set(catalog.documents()) == DOCUMENTS
    for document in catalog.documents():
        assert {"title", "about"} <= set(catalog.document(document))
        for table, row in catalog.document(document)["tables"].items():
            assert table[1:].replace("_", ".").rstrip("ab") in {
                label.rstrip("ab") for label in published.rows(row["file"])["table"]
            }


def test_a_damaged_file_of_a_document_says_how_to_get_it_back(tmp_path, monkeypatch):
    (tmp_path / "novel.yaml").write_text("tables: {")
    monkeypatch.setattr(catalog, "FOLDER", tmp_path)
    with pytest.raises(RunError, match=r"novel\.yaml cannot be read .* git checkout -- published"):
        catalog.document("novel")

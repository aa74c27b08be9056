"""Tables of wins minus losses: antisymmetric, marked where Wilcoxon's test says so, published beside ours."""

import numpy as np
import pandas as pd
import pytest
from score_rows import DATASETS, METHODS, as_printed, rows
from thesis_artifacts import function

from bayes_hpo.documents import published
from bayes_hpo.report.comparison import Comparison, compare
from bayes_hpo.report.tables import pairs
from bayes_hpo.report.tables.pairs import p_value_table
from bayes_hpo.stats.ranks import ranks

FOURTEEN = published.methods("T3_1")
ALL = {name: name for name in published.errors("holdout")[0].index}
TABLES = {"holdout": function("T3_2"), "kfold": function("T3_3")}


@pytest.fixture
def random_rows():
    """Rows of random errors with ties."""
    g = np.random.default_rng(0)
    return rows(lambda *_: g.integers(0, 8) / 1000)


def values_of(made, *columns):
    """Columns of a table's values, indexed by (method, against)."""
    return made.values.set_index(["method", "against"])[list(columns)]


def turned(frame):
    """The values with row and column of each pair exchanged."""
    return frame.swaplevel().reindex(frame.index)


@pytest.fixture(scope="module")
def on_all_data_sets():
    """Rows whose final errors are those of tables B.1 and B.2, one repetition of all 118 data sets."""
    return rows(as_printed, ALL, FOURTEEN, repetitions=(0,), iterations=(100,))


@pytest.mark.slow
@pytest.mark.parametrize("validation", TABLES)
def test_the_table_of_the_published_errors_is_the_published_one(validation, given, on_all_data_sets):
    made = TABLES[validation](given(on_all_data_sets, datasets=ALL, methods=tuple(FOURTEEN)))
    values = made.values
    assert len(values) == 14 * 13
    assert (values["ours"] == values["published"]).all()
    assert (values["significant"] == values["published_significant"]).all()
    np.testing.assert_allclose(values["p_ours"], values["p_published"])
    assert set(values["published_data_sets"]) == {118}
    n_marked = values["significant"].sum() // 2
    assert any(
        f"of 91 pairs 91 have the same sign; marked are {n_marked} in ours, {n_marked}" in note for note in made.notes
    )


def test_the_matrix_is_antisymmetric_and_its_marks_symmetric(given, random_rows):
    made = TABLES["holdout"](given(random_rows))
    counts, tests = values_of(made, "ours", "published"), values_of(made, "p_ours", "p_published", "significant")
    assert (counts == -turned(counts)).all(axis=None)
    assert (tests == turned(tests)).all(axis=None)
    assert (counts.abs() <= len(DATASETS)).all(axis=None)


def test_ranks_follow_from_the_sums_of_rows(given, random_rows):
    made_from = given(random_rows)
    made = TABLES["holdout"](made_from)
    errors = compare(made_from, FOURTEEN)["holdout"].mean
    sums = values_of(made, "ours")["ours"].groupby("method").sum()
    expected = ranks(errors).mean()
    np.testing.assert_allclose((14 + 1) / 2 - sums[expected.index] / (2 * len(errors)), expected)


def test_a_method_that_is_better_everywhere_is_marked_in_both_triangles(given):
    sets = {f"set-{i}": "" for i in range(8)}
    frame = rows(lambda v, name, m, r, t: {"gp": 0.1, "rs": 0.2}.get(m, 0.3), sets, FOURTEEN)
    text = TABLES["holdout"](given(frame, datasets=sets)).cells
    positions = {label.split(" ")[1]: label for label, _ in text.index}
    number = {name: label[1:].split(")")[0] for name, label in positions.items()}
    assert text.loc[(positions["gp"], "ours"), ("hold-out", number["rs"])] == "+8*"
    assert text.loc[(positions["rs"], "ours"), ("hold-out", number["gp"])] == "-8*"
    assert text.loc[(positions["cma"], "ours"), ("hold-out", number["grid"])] == "0"
    assert set(text.xs("publ.", level=1).to_numpy().ravel()) == {"-"}


def test_one_data_set_gives_counts_of_one_and_no_mark(given):
    frame = rows(as_printed, {"iris": "iris"}, repetitions=(0,))
    made = TABLES["holdout"](given(frame, datasets={"iris": "iris"}))
    assert set(made.values["ours"]) <= {-1, 0, 1}
    assert not made.values[["significant", "published_significant"]].any(axis=None)
    assert not any("*" in cell for cell in made.cells.to_numpy().ravel())


def test_rows_and_columns_stand_in_the_printed_order_with_new_methods_last(given):
    methods = ("mine", *METHODS)
    frame = rows(lambda v, n, m, r, t: 0.05 if m == "mine" else 0.1, methods=methods)
    made = TABLES["kfold"](given(frame, methods=methods))
    names = list(dict.fromkeys(made.values["method"]))
    assert names == [*published.net_wins("T3_3")["kfold"][0].index, "mine"]
    assert [label for label, _ in made.cells.index[::2]][-1] == "(15) mine"
    assert made.values[made.values["method"] == "mine"]["published"].isna().all()
    assert (made.values[made.values["method"] == "mine"]["ours"] == 5).all()


def test_while_methods_have_no_scores_it_is_a_table_of_the_others_and_says_so(given):
    made = TABLES["holdout"](given(rows(as_printed, methods=["rs", "gp", "gp_r"])))
    assert set(made.values["method"]) == {"rs", "gp", "gp_r"}
    assert any(note.startswith("Left out, no scores: ") and "cma-bw" in note for note in made.notes)


TWO = ["RS", "SMAC"]
MEAN = pd.DataFrame([[2.0, 1.0], [4.0, 3.0]], index=["car", "tita"], columns=TWO)  # percent


@pytest.mark.parametrize(
    ("p", "star"), [(0.04, "*"), (np.nextafter(0.05, 0), "*"), (0.05, "*"), (np.nextafter(0.05, 1), ""), (0.06, "")]
)
def test_a_star_marks_p_up_to_the_level_itself(monkeypatch, p, star):
    """Thesis, table 4.3; uai2016, tables 3 and 5."""
    square = pd.DataFrame([[np.nan, p], [p, np.nan]], index=TWO, columns=TWO)
    both = Comparison("kfold", MEAN, MEAN, pd.Series(2, MEAN.index), MEAN * np.nan, MEAN * np.nan)
    monkeypatch.setattr(pairs, "pairwise", lambda *_: square)  # no errors have exactly this p
    monkeypatch.setattr(pairs, "as_printed", lambda *_: (both, []))
    cells = p_value_table(None, document="thesis", table="T5_3", validation="kfold", note="").cells
    assert cells.loc[("(1) RS", "ours"), "2"] == f"({p:.2f}){star}"  # RS is worse
    assert cells.loc[("(2) SMAC", "ours"), "1"] == f"{p:.2f}{star}"

"""Table 3.4 shows our first ten repetitions beside the print over its own 118 data sets."""

from score_rows import rows
from thesis_artifacts import function

from bayes_hpo.documents import published

table = function("T3_4")
SIX = published.methods("T3_5")


def test_the_print_stands_beside_ours_whatever_ours_are(given):
    made = table(given(rows(lambda *_: 0.1)))
    values = made.values.set_index(["validation", "method", "against"])
    assert len(values) == 2 * 6 * 5
    for validation, (net, marked) in published.net_wins("T3_4").items():
        for (row, column), part in values.loc[validation].iterrows():
            assert part["published"] == net.loc[row, column]
            assert part["published_significant"] == marked.loc[row, column]
    assert (values["ours"] == 0).all()
    assert values["p_published"].isna().all()
    assert set(values["published_data_sets"]) == {118}
    assert any("over 118 data sets and 10 repetitions and not over ours" in note for note in made.notes)


def test_marks_of_the_print_are_kept_where_only_one_side_has_them(given):
    values = table(given(rows(lambda *_: 0.1))).values
    marks = values[values["validation"] == "kfold"].set_index(["method", "against"])["published_significant"]
    asymmetric = {row for row, column in marks[marks].index if not marks[column, row]}
    assert asymmetric == {"grid", "rs", "gp_pm"}  # as the caption says: three pairs


def test_ten_repetitions_count(given):
    def after_ten(validation, name, method, repetition, iteration):
        return 0.1 if repetition < 10 or method == "gp" else 0.9

    made = table(given(rows(after_ten, repetitions=range(12))))
    assert (made.values["ours"] == 0).all()
    assert "Hold-out: 5 data sets, 10 repetitions; 5-fold: 5 data sets, 10 repetitions." in made.notes


def test_a_validation_without_scores_has_no_columns_and_is_named(given, printed_rows):
    absent = "The print has 5-fold too; no data set of ours has scores of all 6 methods."
    made = table(given(printed_rows[printed_rows["validation"] == "holdout"]))
    assert {header for header, _ in made.cells.columns} == {"hold-out"}
    assert len(made.values) == 6 * 5
    assert absent in made.notes
    assert absent not in table(given(printed_rows)).notes

"""Tables 8 to 12 of divbo2022: ours on all data sets beside the printed cells of some, and one run of AutoGluon."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from score_rows import rows

from bayes_hpo.documents import published
from bayes_hpo.documents.printed import Printed
from bayes_hpo.report.tables.side_by_side import error_table, with_single_runs
from bayes_hpo.storage import measured

METHODS = {"divbo": "DivBO", "divbo_fixed_weight": "DivBO (fixed)"}
SETS = {"pollen": "pollen", "wind": "wind", "quake": "quake", "elevators": "elevators"}
CELLS = published.cells("divbo2022", "T8", METHODS)[0]
WHICH = {"validation": "holdout", "document": "divbo2022", "note": "A note."}
ERROR = {"divbo": 0.2, "divbo_fixed_weight": 0.25}


def as_printed_or_more(validation, name, method, repetition, iteration):
    """Errors on one side of DivBO's in every repetition, but equal ones on wind."""
    return (0.2 if name == "wind" else ERROR[method]) + 0.01 * repetition


@pytest.fixture
def results(given):
    """Function: the Results of methods with scores, on data sets (our name -> the document's)."""

    def make(methods=tuple(METHODS), repetitions=range(6), sets=SETS):
        scores = rows(as_printed_or_more, sets, methods, repetitions, iterations=(250,), validations=("holdout",))
        made = given(scores, sets, methods=methods)
        named = {ours: SimpleNamespace(published_name=name, rest=0, source="openml") for ours, name in sets.items()}
        return replace(made, datasets=named, printed=Printed(labels=METHODS))

    return make


def test_printed_data_sets_come_first_and_the_others_stand_alone(results):
    cells = error_table(results(), table="T8", methods=METHODS, **WHICH).cells
    assert list(cells.index) == [name for name in CELLS.index if name in SETS] + ["pollen"]
    assert cells.loc["wind", ("DivBO", "publ.")] == "[13.93 (0.42)]"
    assert cells.loc["wind", ("DivBO (fixed)", "publ.")] == "14.27 (0.36)"
    assert cells.loc["pollen", ("DivBO", "publ.")] == "-"
    assert cells.loc["pollen", ("DivBO", "ours")] == "[22.50 (1.87)]"  # of 20, 21 ... 25, divisor n - 1


def test_a_method_is_marked_where_the_repetitions_tell_it_from_the_first(results):
    made = error_table(results(), table="T8", methods=METHODS, **WHICH)
    other = made.cells["DivBO (fixed)", "ours"]
    assert other.str.endswith("*").to_dict() == {name: name != "wind" for name in other.index}
    assert not made.cells["DivBO", "ours"].str.endswith("*").any()
    few = error_table(results(repetitions=range(3)), table="T8", methods=METHODS, **WHICH)
    assert not few.cells["DivBO (fixed)", "ours"].str.endswith("*").any()
    assert "DivBO is lower than DivBO (fixed) on 3 of 4 data sets (exact p = 0.25 over them)." in made.notes


def test_the_test_of_the_stars_is_stated_where_there_is_one(results):
    (star,) = [note for note in error_table(results(), table="T8", methods=METHODS, **WHICH).notes if "*: " in note]
    assert star.startswith("*: other than that of DivBO, p <= .05 in Wilcoxon's signed-rank test over the repetitions")
    assert "normal approximation" in star


def test_text_and_file_have_the_documents_names_of_data_sets_and_methods(results):
    made = results(sets={"openml-quake": "quake", "wind": "wind"})  # as openml-spambase, whose printed name is spambase
    table = error_table(made, table="T8", methods=METHODS, **WHICH)
    assert table.cells.loc["quake", ("DivBO", "publ.")] == "[45.55 (1.37)]"
    assert set(table.values["dataset"]) == {"quake", "wind"}
    assert set(table.values["method"]) == set(METHODS.values())


def test_the_file_has_both_sides_of_every_cell(results):
    values = error_table(results(), table="T8", methods=METHODS, **WHICH).values
    assert len(values) == 4 * 2
    one = values.set_index(["dataset", "method"]).loc[("quake", "DivBO (fixed)")]
    assert (one["ours"], one["published"], one["published_sd"]) == (pytest.approx(27.5), 45.63, 1.45)
    assert one["repetitions"] == 6
    assert one["p_exact"] == pytest.approx(2**-5)


def test_the_mean_of_one_repetition_has_no_spread(results):
    made = error_table(results(repetitions=[0]), table="T8", methods=METHODS, **WHICH)
    assert made.cells.loc["quake", ("DivBO", "ours")] == "[20.00]"
    assert made.cells.loc["quake", ("DivBO (fixed)", "ours")] == "25.00"
    assert made.values["ours_sd"].isna().all()


def runs(of):
    """The measure of AutoGluon. of: dict, (data set, repetition) -> (error, seconds)."""
    key = {"validation": "holdout", "method": "divbo"}
    return pd.DataFrame(
        {"dataset": name, "repetition": repetition} | key | {"quantity": f"autogluon_{quantity}", "value": value}
        for (name, repetition), values in of.items()
        for quantity, value in zip(("error", "seconds"), values, strict=True)
    )


def test_runs_that_were_measured_apart_are_averaged_and_counted(results):
    made = results(("divbo",))
    frame = runs({("wind", 0): (14.0, 300.0), ("wind", 1): (14.0, 300.0), ("wind", 2): (15.0, 400.0)})
    made.measures_dir.mkdir(parents=True)
    measured.write(frame, made.measures_dir / "autogluon.parquet", {}, study=made.study, scale=made.scale)
    given = {"table": "T12", "methods": {"divbo": "DivBO", "autogluon": "AutoGluon"}, "measure": "autogluon"}
    quantities = {"quantity": "autogluon_error", "limit": "autogluon_seconds"}
    table = with_single_runs(made, **WHICH | given | quantities, absent="")
    assert table.cells.loc["wind", ("AutoGluon", "ours")] == "[14.50]"
    assert any("2 runs on 1 data set; seconds by the clock: wind 350" in note for note in table.notes)


def test_a_single_run_stands_beside_ours_where_there_is_one(results):
    made = results(("divbo",))
    methods = {"divbo": "DivBO (AutoGluon)", "autogluon": "AutoGluon Tabular"}
    quantities = {"quantity": "autogluon_error", "limit": "autogluon_seconds"}
    which = WHICH | {"table": "T12", "methods": methods, "measure": "autogluon"} | quantities
    frame = runs({("wind", 0): (14.0, 300.0), ("quake", 0): (44.0, 400.0)})
    made.measures_dir.mkdir(parents=True)
    for content in (frame, frame.iloc[:0]):
        path = made.measures_dir / "autogluon.parquet"
        measured.write(content, path, {}, study=made.study, scale=made.scale)
        table = with_single_runs(made, **which, absent="It was not run.")
        assert table.cells.loc["quake", ("DivBO (AutoGluon)", "publ.")] == "44.75 (0.60)"
        assert ("It was not run." in table.notes) == content.empty
        if not content.empty:
            assert "AutoGluon Tabular: 1 run on 2 data sets; seconds by the clock: quake 400, wind 300." in table.notes
            assert table.cells.loc["wind", ("AutoGluon Tabular", "ours")] == "[14.00]"
            assert table.cells.loc["pollen", ("AutoGluon Tabular", "ours")] == "-"
        assert table.cells.loc["wind", ("AutoGluon Tabular", "publ.")] == "14.37 (0.00)"

"""Tables of divbo2022 drawn from scores that are the printed cells: the printed ranks, counts and sizes come out."""

from dataclasses import replace
from importlib import import_module
from itertools import takewhile
from operator import attrgetter

import pandas as pd
import pytest
from score_rows import rows

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.data.registry import registry, suite
from bayes_hpo.documents import catalog, published
from bayes_hpo.documents.printed import Printed
from bayes_hpo.report import artifact
from bayes_hpo.storage import measured

STUDY = written("study", "divbo")
DRAWN = catalog.document("divbo2022")["artifacts"]
METHODS = DRAWN["T1"]["draw"]["methods"]
ROWS = {name: registry()[name] for name in suite("divbo15")}
PRINTED = Printed.of(STUDY | {"flagged": [], "not_comparable": []}, ROWS)
CELLS = PRINTED.cells["holdout"][0]
NAMES = {name: name for name in ROWS}
STEPS = {name: DRAWN[name]["draw"]["steps"] for name in ("A1", "A2")}


def as_printed(validation, name, method, repetition, iteration):
    return float(CELLS.loc[name, method]) / 100


@pytest.fixture
def results(given):
    """The Results of a study whose scores are the cells of table 1."""
    scores = rows(as_printed, NAMES, METHODS, range(2), iterations=(250,), validations=("holdout",))
    return replace(given(scores, NAMES, methods=tuple(STUDY["methods"])), datasets=ROWS, printed=PRINTED)


@pytest.mark.parametrize("name", ["T1", "T8", "T9", "T10", "T11", "T12"])
def test_the_constant_prediction_is_better_than_every_printed_cell_of_quake_as_the_caption_says(name):
    assert "44.5 %, less than every printed cell of that data set" in DRAWN[name]["draw"]["note"]
    cells = catalog.read("divbo_tables.csv", pd.read_csv).query(f"table == {name[1:]} and dataset == 'quake'")
    assert len(cells) >= 2
    assert cells["value"].min() > 44.5


def draw(name, results):
    return artifact.find(name, "divbo2022").make({"divbo": results})


def test_all_cells_of_table_1_are_of_known_data_sets_and_methods():
    assert CELLS[METHODS].shape == (15, 9)
    assert CELLS[METHODS].notna().all(axis=None)


def test_the_deviations_of_all_tables_have_the_divisor_of_n_minus_1(given):
    def error(validation, name, method, repetition, iteration):
        return 0.1 + 0.01 * repetition

    methods = (*METHODS, "divbo_fixed_weight")
    scores = rows(error, NAMES, methods, range(3), iterations=(250,), validations=("holdout",))
    made = replace(given(scores, NAMES, methods=methods), datasets=ROWS, printed=PRINTED)
    for name in ("T1", "T8"):
        assert draw(name, made).values["ours_sd"].dropna().to_numpy() == pytest.approx(1)  # of 10, 11, 12


def test_the_ranks_of_table_1_are_the_printed_ones_nine_of_nine(results):
    values = draw("T1", results).values
    ranked = values[values["metric"] == "avg_rank"].set_index("method")
    printed = published.mean_errors("divbo2022", "T1")[1]
    assert ranked["ours"].round(2).to_dict() == printed.to_dict()
    assert ranked["published"].round(2).to_dict() == printed.to_dict()
    assert len(ranked) == 9


def test_the_table_beside_it_has_every_method_of_the_study_that_has_scores(given):
    scores = rows(lambda *cell: 0.1, NAMES, [*METHODS, "divbo_minus"], iterations=(250,), validations=("holdout",))
    every = replace(given(scores, NAMES, methods=tuple(STUDY["methods"])), datasets=ROWS, printed=PRINTED)
    shown = {name: set(draw(name, every).values["method"]) for name in ("T1", "TV1")}
    assert shown["TV1"] - shown["T1"] == {"DivBO-"}


def test_table_2_has_the_lower_means_that_table_1_prints(results):
    cells = draw("T2", results).cells
    expected = [f"{(CELLS['divbo'] < CELLS[other]).sum()} of 15" for other in ("rs_es", "bo_es", "rb_es")]
    assert cells["lower mean", "ours"].tolist() == expected == cells["lower mean", "publ."].tolist()
    assert expected[1] == "14 of 15"  # so that W = 2 is impossible


@pytest.fixture
def measured_results(results, grid_of):
    """The same with the measures of the study that need no search."""
    results.measures_dir.mkdir(parents=True)
    for name in ("divbo_sizes", "hyperparameter_counts"):
        frame = build(grid_of("divbo").cfg["measures"][name], name)(None)
        measured.write(frame, results.measures_dir / f"{name}.parquet", {}, study=results.study, scale=results.scale)
    return results


def test_table_5_differs_in_the_rows_of_spambase_alone(measured_results):
    made = draw("T5", measured_results)
    marked = made.cells.map(lambda text: text.endswith("*")).any(axis=1)
    assert list(made.cells.index[marked]) == ["spambase (44)"]
    assert list(made.cells.loc["spambase (44)", "instances"]) == ["4,601*", "4,600*"]
    assert len(made.cells) == 15
    assert "test rows given" not in made.cells.columns.get_level_values(0)


@pytest.mark.parametrize(("name", "sums"), [("T6", "48 in ours, 50 printed"), ("T7", "48 in ours, 51 printed")])
def test_tables_6_and_7_mark_what_differs(name, sums, measured_results):
    made = draw(name, measured_results)
    assert any(sums in note for note in made.notes)
    differs = made.values["total"] != made.values["total_published"]
    marked = made.cells["total", "ours"].str.endswith("*")
    assert marked.tolist() == differs.tolist()
    assert not made.cells.xs("publ.", axis=1, level=1).map(lambda text: text.endswith("*")).any(axis=None)
    lda = {"T6": ("LDA", "3 (1)"), "T7": ("Kernel PCA", "4 (3)")}[name]
    assert list(made.cells.loc[lda[0], "continuous"]) == [lda[1]] * 2


@pytest.mark.parametrize("step", [pytest.param(step, id=step[2]) for name in ("A1", "A2") for step in STEPS[name]])
def test_the_code_that_a_line_of_an_algorithm_names_exists(step):
    names = step[2].split(".")
    modules = takewhile(str.islower, names[:-1])  # classes and their methods come behind them
    path = list(modules)
    assert attrgetter(".".join(names[len(path) :]))(import_module(".".join(["bayes_hpo", *path]))).__doc__


@pytest.mark.parametrize(("name", "lines"), [("A1", 13), ("A2", 5)])
def test_every_printed_line_of_an_algorithm_is_there(name, lines):
    made = build(DRAWN[name]["draw"], name)(None)
    assert list(dict.fromkeys(line for line, _ in made.cells.index if line)) == [str(n + 1) for n in range(lines)]

"""Table 4.7 and figure 4.10 of the thesis, figure 7 of uai2016: what they show of made-up errors by size."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from score_rows import rows

from bayes_hpo.documents import catalog
from bayes_hpo.documents.printed import Printed
from bayes_hpo.report.figures.ensemble_size import by_size
from bayes_hpo.report.tables.votes import vote_table
from bayes_hpo.storage import measured

LABELS = {"bo_post_100": "BO-post", "eo_7_post": "EO-post"}
SIZES = range(1, 6)
FIGURES = [("thesis", "F4_10"), ("uai2016", "F7")]


def errors(method, repetition, size):
    """(validation, test) error, fractions."""
    base = {"bo_post_100": 0.3, "eo_7_post": 0.2}[method]
    return base - size / 100 + repetition / 10, base + 0.1 - size / 100 + repetition / 10


def row(document, name):
    """The arguments of an artifact's function."""
    return {key: value for key, value in catalog.document(document)["artifacts"][name]["draw"].items() if key[0] != "_"}


@pytest.fixture
def results(given, tmp_path):
    """Function: the names of the data sets -> the Results of study cifar with a measure of them."""

    def of(*datasets):
        frame = [
            {"dataset": name, "repetition": r, "validation": "holdout", "method": method, "size": size}
            | dict(zip(("validation_error", "test_error"), errors(method, r, size), strict=True))
            for name in datasets
            for method in LABELS
            for r in range(3)
            for size in SIZES
        ]
        (tmp_path / "measures").mkdir()
        path = tmp_path / "measures/ensemble_sizes.parquet"
        measured.write(pd.DataFrame(frame), path, {}, study="cifar", scale="toy")
        scored = rows(lambda *_: 0.5, dict.fromkeys(datasets, ""), ["bo_best"], range(1), [1], ["holdout"])
        registered = {name: SimpleNamespace(rest=10, n=10, source="archive") for name in datasets}
        changes = {"study": "cifar", "datasets": registered, "printed": Printed(labels=LABELS)}
        made = given(scored, dict.fromkeys(datasets, ""), methods=("bo_best", *LABELS))
        return type(made)(**{**made.__dict__, **changes})

    return of


def test_the_table_has_the_last_size_beside_the_print(results):
    table = vote_table(results("cifar-10"), **row("thesis", "T4_7"))
    sd = 100 * np.std([0, 0.1, 0.2])
    assert table.cells["Validation", "ours"].to_dict() == {
        "BO-post": f"35.00 ({sd:.2f})",
        "EO-post": f"25.00 ({sd:.2f})",
    }
    assert table.cells["Testing", "ours"]["EO-post"] == f"35.00 ({sd:.2f})"
    assert table.cells["Validation", "publ."].tolist() == ["16.61 (0.24)", "15.36 (0.23)"]
    assert table.cells["Testing", "publ."].tolist() == ["-", "-"]
    assert table.notes[0].startswith("cifar-10: hold-out")
    assert set(table.values["size"]) == {5}


def test_a_stand_in_is_named(results):
    made = results("sklearn-digits")
    named = "sklearn-digits, in place of cifar-10: hold-out, the last rows outside the test part, 3 repetitions."
    assert vote_table(made, **row("thesis", "T4_7")).notes[0] == named
    for document, name in FIGURES:
        drawing, notes = by_size(made, **row(document, name))
        assert notes[0] == named
        assert drawing.axes[0].get_title() == "sklearn-digits, in place of cifar-10"


def test_lines_are_means_and_bands_standard_deviations_over_repetitions(results):
    drawing, notes = by_size(results("cifar-10", "other"), **row(*FIGURES[0]))
    (axis,) = drawing.axes
    legend = [text.get_text() for text in axis.get_legend().get_texts()]
    assert legend == ["BO-post", "EO-post"]
    for line, method in zip(axis.lines, LABELS, strict=False):
        expected = [100 * errors(method, 1, size)[1] for size in SIZES]
        np.testing.assert_allclose(line.get_ydata(), expected)
    reach = axis.collections[0].get_paths()[0].vertices
    first = reach[reach[:, 0] == 1][:, 1]
    np.testing.assert_allclose([first.min(), first.max()], [49 - 10, 49 + 10])
    assert "lost" in notes[-1]
    assert "22.4 +- .9 %" in notes[-1]


def test_both_documents_figures_are_one():
    thesis, uai = (row(*figure) for figure in FIGURES)
    assert thesis == uai

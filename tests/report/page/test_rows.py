"""Tables on the page: every cell, every span, ours apart from theirs."""

import pytest
from page_reader import read

from bayes_hpo.report.page import rows
from bayes_hpo.report.page.entry import PageEntry


def test_a_table_stands_there_cell_by_cell(make_product, products, printed_rows):
    make_product("T3_1", printed_rows)
    entry = PageEntry.load(products / "tables/toy/thesis/T3_1.json")
    said = read(products).said()
    for index, cells in zip(entry.index, entry.cells, strict=True):
        assert " ".join([*index, *cells]) in said
    assert entry.title in said
    assert " ".join(entry.caption) in said
    assert "snakemake --cores 2 tables/toy/thesis/T3_1.tex" in said


@pytest.mark.parametrize("name", ["T3_1", "T3_2", "T3_4", "TB_2"])
def test_the_rows_of_a_table_are_equally_wide(name, make_product, products, printed_rows):
    make_product(name, printed_rows)
    entry = PageEntry.load(products / f"tables/toy/thesis/{name}.json")
    width = len(entry.labels) + len(entry.header)
    assert all(sum(box.columns for box in row) == width for row in rows.head(entry))
    hanging = 0  # rows that the label above still spans
    for labels, cells in rows.body(entry):
        hanging = max([box.rows for box in labels if box.kind == "name"], default=hanging)
        assert sum(box.columns for box in [*labels, *cells]) == width - (labels[0].kind != "name")
        hanging -= 1
    assert hanging == 0


def test_what_is_published_looks_other_than_ours(make_product, products, printed_rows):
    make_product("T3_1", printed_rows)
    entry = PageEntry.load(products / "tables/toy/thesis/T3_1.json")
    kinds = [box.kind for box in rows.body(entry)[0][1]]
    assert kinds == ["" if header[-1] == "ours" else "printed" for header in entry.header]

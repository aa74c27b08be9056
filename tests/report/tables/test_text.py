"""Plain-text tables fit a terminal and lose nothing."""

import pandas as pd
import pytest

from bayes_hpo.report.tables import text
from bayes_hpo.report.tables.table import Table


def table(columns, index=("a", "b")):
    frame = pd.DataFrame(
        [[f"{i}.{j}" for j in range(len(columns))] for i in range(len(index))], index=index, columns=columns
    )
    return Table(frame, pd.DataFrame(), [])


@pytest.fixture
def grouped():
    groups = [(v, m, w) for v in ("hold-out", "5-fold") for m in ("Error", "Rank") for w in ("ours", "publ.")]
    return table(pd.MultiIndex.from_tuples(groups))


def test_a_table_that_fits_is_one_block(grouped):
    lines = text.plain("T", grouped, ["said"]).splitlines()
    assert sum("hold-out" in line and "5-fold" in line for line in lines) == 1


def test_groups_that_do_not_fit_stand_below_each_other(grouped, monkeypatch):
    monkeypatch.setattr(text, "WIDTH", 45)
    lines = text.plain("T", grouped, ["said"]).splitlines()
    assert max(map(len, lines)) <= 45
    assert [line.strip() for line in lines if "hold-out" in line or "5-fold" in line] == ["hold-out", "5-fold"]


def test_columns_that_do_not_fit_go_on_below_with_their_rows():
    wide = table([f"column-{j}" for j in range(30)])
    said = text.plain("T", wide, ["a long sentence " * 20])
    assert max(map(len, said.splitlines())) <= text.WIDTH
    assert all(said.split().count(f"{i}.{j}") == 1 for i in range(2) for j in range(30))


def test_a_value_stands_below_its_headers(grouped):
    lines = text.plain("T", grouped, []).splitlines()
    row = next(line for line in lines if line.startswith("b"))
    header = next(line for line in lines if line.count("publ.") == 4)
    ends = [i for i, (c, after) in enumerate(zip(header, header[1:] + " ", strict=True)) if c != " " and after == " "]
    assert [row[: end + 1].split()[-1] for end in ends] == [f"1.{j}" for j in range(8)]


def test_a_repeated_row_label_is_written_once():
    index = pd.MultiIndex.from_tuples([("iris", "ours"), ("iris", "publ."), ("wine", "ours"), ("wine", "publ.")])
    said = text.plain("T", table(["rs"], index), [])
    assert said.count("iris") == said.count("wine") == 1
    assert said.count("publ.") == 2

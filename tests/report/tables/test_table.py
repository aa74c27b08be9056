"""The text and the file of a table: a mean with its spread, and nothing where there is nothing."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.report.tables.table import Table, number, pair, stacked, write


@pytest.mark.parametrize(
    ("value", "spread", "decimals", "text"),
    [
        (17.216, 26.825, 2, "17.22 (26.82)"),
        (17.216, 0.0, 1, "17.2 (0.0)"),
        (17.216, np.nan, 2, "17.22"),  # of one repetition
        (np.nan, np.nan, 2, "-"),
    ],
)
def test_a_mean_without_a_spread_stands_alone(value, spread, decimals, text):
    assert pair(value, spread, decimals) == text
    assert pair(value, spread, decimals).partition(" ")[0] == number(value, decimals)


def test_what_is_not_known_is_an_empty_cell_of_the_file(tmp_path):
    names = pd.Index(["quake", "wind"])
    mean, sd = (pd.DataFrame({"rs": values}, index=names) for values in ([20.0, 30.5], [np.nan, 1.25]))
    values = stacked(["dataset", "method"], ours=mean, ours_sd=sd).reset_index()
    _, path = write(Table(pd.DataFrame({"a": ["b"]}), values, []), "T", [], tmp_path / "T")
    assert path.read_text().splitlines() == ["dataset,method,ours,ours_sd", "quake,rs,20,", "wind,rs,30.5,1.25"]

"""What ARFF and its relatives of Weka's numeric sets become: features, values, classes."""

import gzip

import numpy as np
import pytest

from bayes_hpo.data.sources.openml_formats import read_table
from bayes_hpo.data.sources.table import OUTCOMES
from bayes_hpo.errors import RunError

MEASURED = OUTCOMES["regression"]
HEAD = "@relation r\n@attribute a real\n@attribute kind {x, y}\n@attribute target real\n@data\n"
ROWS = "1,x,0.5\n2.5,y,-1e-3\n3,x,2\n"


def table(text, outcome=MEASURED):
    return read_table("set.arff", text.encode(), "-1", (), outcome)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + ROWS,
        HEAD + ROWS.replace("\n", ",\n"),
        HEAD + ROWS.replace(",", " "),
        HEAD.replace("@data", "@DATA") + ROWS.replace(",", "\t"),
    ],
    ids=["commas", "a comma at the end", "blanks", "tabulators"],
)
def test_rows_may_be_divided_as_in_wekas_numeric_sets(text):
    X, y, labels = table(text)
    np.testing.assert_array_equal(X, [[1, 1, 0], [2.5, 0, 1], [3, 1, 0]])
    np.testing.assert_array_equal(y, [0.5, -1e-3, 2])
    assert labels == []


@pytest.mark.parametrize("rows", ["1,x\n", "1,z,0.5\n", "1 x\n"])
def test_what_is_no_row_is_told(rows):
    with pytest.raises(RunError, match="its ARFF file cannot be read"):
        table(HEAD + rows)


@pytest.mark.parametrize(
    ("targets", "sentence"),
    [
        (["0.5", "?", "1"], "data row 2 has no number as target"),
        (["0.5", "nan", "1"], "data row 2 has no number as target"),
        (["inf", "0", "1"], "data row 1 has no number as target"),
        (["2", "2.0", "2e0"], "all 3 rows have the target 2; a regression task needs values that differ"),
        (["1", "2"], "2 row.s. cannot be divided: a regression task needs 3"),
    ],
)
def test_targets_without_a_search_are_one_sentence(targets, sentence):
    with pytest.raises(RunError, match=sentence):
        MEASURED(targets)


def test_a_packed_table_is_of_values_or_of_the_two_classes_below_and_above_the_mean():
    content = gzip.compress(b"a\ttarget\n1\t10\n2\t20\n3\t90\n4\t95\n5\t15\n6\t80\n")
    _, values, _ = read_table("set.tsv.gz", content, "target", (), MEASURED)
    np.testing.assert_array_equal(values, [10, 20, 90, 95, 15, 80])
    _, y, labels = read_table("set.tsv.gz", content, "target", ())
    assert [labels[i] for i in y] == ["P", "P", "N", "N", "P", "N"]

"""A user's CSV file: what is read from it, and one sentence for each thing that can be wrong with it."""

import numpy as np
import pytest

from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources import csv_file
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError

MINE = Row("mine", source="csv")
GOOD = "size,colour,kind\n1.5,red,b\n,green,a\n?,,a\n4e0,red,b\nNA, green ,a\nnan,red,b\n"
PLAIN = "x,kind\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n"


@pytest.fixture
def read(tmp_path):
    def read(content, target=""):
        path = tmp_path / "mine.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return csv_file.read(MINE, Settings(csv=str(path), target=target))

    return read


def test_text_becomes_indicators_and_missing_numbers_are_marked(read):
    data = read(GOOD)
    nan = np.nan
    expected = [[1.5, 0, 1], [nan, 1, 0], [nan, 0, 0], [4, 0, 1], [nan, 1, 0], [nan, 0, 1]]  # size, green, red
    np.testing.assert_array_equal(data.X, expected)
    np.testing.assert_array_equal(data.y, [1, 0, 0, 1, 0, 1])
    assert data.header["labels"] == ["a", "b"]
    assert data.fitted
    assert len(data.given_test) == 0


@pytest.mark.parametrize("target", ["colour", "1", "-2"])
def test_the_target_is_a_name_or_a_number(read, target):
    data = read("x,colour,z\n1,r,1\n2,g,2\n3,r,3\n4,g,4\n5,r,5\n6,g,6\n", target)
    np.testing.assert_array_equal(data.X[:, 0], data.X[:, 1])
    assert data.header["labels"] == ["g", "r"]


def test_a_name_goes_before_a_number(read):
    assert read("x,0,y\n1,a,7\n2,a,7\n3,a,7\n4,b,7\n5,b,7\n6,b,7\n", "0").header["labels"] == ["a", "b"]


def test_numeric_classes_are_sorted_by_value(read):
    data = read("x,kind\n1,10\n2,9\n3,10\n4,9\n5,10\n6,9.0\n")
    assert data.header["labels"] == ["9", "10"]
    assert data.y.tolist() == [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("change", [(",", ";"), (",", "\t"), ("\n", "\r\n"), ("\n", "\n\n")])
def test_delimiters_and_line_ends_make_no_difference(read, change):
    assert read(PLAIN.replace(*change)).digest == read(PLAIN).digest


def test_a_byte_order_mark_is_no_part_of_the_first_name(read):
    assert read("\ufeffkind,x\n" + "a,1\n" * 3 + "b,2\n" * 3, "kind").header["labels"] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ("x,kind\n", "empty"),
        ("\n\n", "empty"),
        ("kind\na\nb\n", "only one column"),
        (PLAIN.replace("b", "a"), "all 6 rows are of class a"),
        (PLAIN.replace("6,b", "6,a"), r"class b has 2 row\(s\), too small to stratify"),
        (PLAIN.replace("6,b", "6,"), "data row 6 has no class"),
        ("0.5,a\n" + PLAIN, r"the first line holds the number 0\.5; it must hold the names of the columns"),
        (PLAIN.replace("\n1,", '\n"1,5",'), r"column 'x' holds numbers with decimal commas, such as '1,5'"),
        (PLAIN.replace("2,", "two,"), r"column 'x', line 3: 'two' is not a number but 5 of its cells are"),
        (PLAIN.replace("2,", "inf,"), "column 'x', line 3: 'inf' is not a number"),
        (PLAIN.replace("2,", "1_0,"), "column 'x', line 3: '1_0' is not a number"),
        (PLAIN.replace("2,a", "2,a,9"), "line 3 has 3 cells, the header 2"),
        (PLAIN.replace("2,a", "2"), "line 3 has 1 cells, the header 2"),
        (PLAIN.replace("x,kind", "kind,kind"), "'kind' occurs twice in the header"),
        (PLAIN.replace("a", "ä").encode("latin-1"), r"not UTF-8 \(byte 9\)"),
        (PLAIN.encode("utf-16"), "not UTF-8"),
        ("t,kind\n" + "".join(f"text {i},{i % 2}\n" for i in range(1001)), "column 't' has 1001 values, at most 1000"),
        (PLAIN + '7,"' + "b" * 140_000 + '"\n', "is not CSV"),
    ],
)
def test_a_fault_of_the_file_is_one_sentence(read, content, reason):
    with pytest.raises(RunError, match=reason) as problem:
        read(content)
    assert "mine.csv: " in str(problem.value)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("target", ["class", "2", "-3"])
def test_a_missing_target_column_is_a_wrong_command(read, target):
    with pytest.raises(UserError, match=rf"data.target={target} is not a column; allowed: x, kind, or a number"):
        read(PLAIN, target)


def test_no_such_file_is_a_wrong_command():
    with pytest.raises(UserError, match=r"data.csv=nowhere.csv is not a file"):
        csv_file.read(MINE, Settings(csv="nowhere.csv"))

"""What is said of a user's CSV file: its sizes, and the columns that one would rather leave out."""

import pytest

from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import contents, prepare
from bayes_hpo.errors import RunError

HEADER = "number,name,size,share,colour,unit,kind"
ROWS = [
    *("1,ann,1,0.5,red,m,a", "2,bob,1,0.25,green,m,a", "3,cid,2,0.75,,m,a"),
    *("4,dan,?,0.1,red,m,b", "5,eva,2,0.2,green,m,b", "6,fay,1,0.3,red,m,b"),
]


@pytest.fixture
def said(tmp_path):
    """Function: what is said of a file with these lines."""

    def say(*lines):
        (tmp_path / "mine.csv").write_text("\n".join([*lines, ""]))
        settings = Settings(results_dir=str(tmp_path), csv=str(tmp_path / "mine.csv"))
        prepare("mine", settings)
        return contents("mine", settings)

    return say


def test_sizes_gaps_texts_and_doubtful_columns_are_named(said):
    assert said(HEADER, *ROWS) == [
        "6 rows, 6 features, 2 classes of kind, 2 missing values in size, colour",
        "text, each value an indicator: name, colour, unit",
        "warning: column unit has one value only; remove it",
        "warning: all values of column number differ; remove it if it numbers or names the rows",
        "warning: all values of column name differ; remove it if it numbers or names the rows",
    ]


def test_a_column_of_measurements_that_all_differ_is_no_reason_to_warn(said):
    rows = [f"{share},{kind}" for share, kind in zip((0.5, 1.25, 2, 3, 4, 5), "aaabbb", strict=True)]
    assert said("share,kind", *rows) == ["6 rows, 1 features, 2 classes of kind, 0 missing values"]


def test_without_a_file_of_ones_own_nothing_is_said(tmp_path):
    assert contents("sklearn-iris", Settings(results_dir=str(tmp_path))) == []


@pytest.mark.parametrize("cell", ["1e151", "-2e200"])
def test_a_number_that_cannot_be_squared_is_refused_with_its_column_and_line(said, cell):
    with pytest.raises(RunError) as refused:
        said(HEADER, ROWS[0], ROWS[1].replace("2", cell, 1), *ROWS[2:])
    assert f"column 'number', line 3: {float(cell):g} is beyond 1e+150 in absolute value" in str(refused.value)


def test_the_largest_number_that_can_be_squared_is_read(said):
    assert said(HEADER, ROWS[0], ROWS[1].replace("2", "1e150", 1), *ROWS[2:])

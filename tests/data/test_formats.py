"""Formats that stand in for the archive's own files."""

import gzip

import numpy as np
import pytest
import tiny

from bayes_hpo.data.archive_scale import archive_scale
from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources.adult import read_adult
from bayes_hpo.data.sources.formats import read_part

ARFF = b"@relation t\n@attribute f1 real\n@attribute f2 real\n@attribute clase {0,1}\n@data\n0.5,-1.5,0\n1e-3,2,1\n"
ADULT = (
    "39 State-gov 77516 Bachelors 13 Divorced Adm-clerical Not-in-family White Male 2174 0 40 United-States <=50K\n"
    "50 ? 83311 Preschool 1 Widowed ? Husband Black Female 0 0 13 Holand-Netherlands >50K.\n"
)


def test_the_scale_has_mean_0_deviation_1_and_six_digits():
    scaled = archive_scale(tiny.X)
    assert tiny.columns_are_standard(scaled)
    exact = (tiny.X - tiny.X.mean(axis=0)) / tiny.X.std(axis=0, ddof=1)
    np.testing.assert_array_equal(scaled, [[float(f"{value:.6g}") for value in row] for row in exact])


def test_the_scale_of_a_constant_column_is_0():
    constant = np.full(7, 1e8 / 3)  # its computed mean is not exactly its value
    scaled = archive_scale(np.column_stack([constant, np.arange(7)]))
    np.testing.assert_array_equal(scaled[:, 0], np.zeros(7))


def test_arff_numbers_are_untouched():
    X, y = read_part(Part("set_train.arff"), ARFF, Row("set"))
    np.testing.assert_array_equal(X, [[0.5, -1.5], [1e-3, 2]])
    np.testing.assert_array_equal(y, [0, 1])


def test_pmlb_files_lose_their_row_names_and_get_the_archives_scale():
    lines = ["name\ta\ttarget\tb", "7\t1\t0\t5.0", "8\t2\t1\t5.5", "9\t3\t1\t6.0"]
    row = Row("set", target="target", drop=("name",))
    X, y = read_part(Part("set.tsv.gz"), gzip.compress("\n".join(lines).encode(), mtime=0), row)
    np.testing.assert_array_equal(X, [[-1, -1], [0, 0], [1, 1]])
    np.testing.assert_array_equal(y, [0, 1, 1])


def test_adult_codes_lie_around_a_missing_value_and_men_come_first():
    X, y = read_adult(ADULT)
    assert X[:, 1].tolist() == [3, 0]  # State-gov is the sixth of eight
    assert X[:, 9].tolist() == [-1, 1]
    assert X[:, 13].tolist() == [-40, 40]
    assert y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("set_R.dat", b""),
        ("set_R.dat", b"\tf1\tclase\n1\t0.5\t0.5\n"),
        ("set.arff", ARFF[:-8]),
        ("set.tsv.gz", b"no gzip"),
        ("set.tsv.gz", gzip.compress(b"a\tb\n1\t2\n2\t3\n", mtime=0)),
        ("original/adult.data", ADULT.replace("Widowed", "Engaged").encode()),
        ("original/adult.data", ADULT.encode()[:-20]),
        ("set.xls", b""),
    ],
)
def test_bytes_of_another_format_are_refused(name, content):
    with pytest.raises(ValueError, match=r"cannot be read|unknown format"):
        read_part(Part(name), content, Row("set", target="target"))


def test_an_arff_file_without_rows_is_refused_as_such():
    with pytest.raises(ValueError, match="it has no rows"):
        read_part(Part("set.arff"), ARFF[: ARFF.index(b"@data") + 6], Row("set"))

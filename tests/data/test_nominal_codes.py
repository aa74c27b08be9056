"""Nominal attributes of OpenML: indicators, or one column of codes for many categories; unseen ones are known."""

import numpy as np
import pytest

from bayes_hpo.data.sources.openml_formats import read_table
from bayes_hpo.data.sources.table import MOST_INDICATORS, codes


def arff(categories, cells):
    """An ARFF file with a nominal attribute and a class that alternates."""
    rows = "\n".join(f"{cell},{number % 2}" for number, cell in enumerate(cells))
    text = f"@relation r\n@attribute a {{{','.join(categories)}}}\n@attribute class {{0,1}}\n@data\n{rows}\n"
    return read_table("dataset.arff", text.encode(), "class", ())[0]


@pytest.mark.parametrize("count", [2, MOST_INDICATORS])
def test_few_categories_are_indicators(count):
    X = arff([f"c{k}" for k in range(count)], [f"c{k}" for k in range(count)] * 3)
    np.testing.assert_array_equal(X, np.tile(np.eye(count), (3, 1)))


def test_many_categories_are_positions():
    names = [f"c{k}" for k in range(MOST_INDICATORS + 1)]
    X = arff(names, [*reversed(names), "?"])
    np.testing.assert_array_equal(X[:-1, 0], np.arange(MOST_INDICATORS, -1, -1))
    assert np.isnan(X[-1, 0])


def test_many_numbers_are_themselves():
    ids = [str(17 * k + 3) for k in range(MOST_INDICATORS + 1)]
    np.testing.assert_array_equal(arff(ids, ids)[:, 0], 17 * np.arange(MOST_INDICATORS + 1) + 3)


def test_a_cell_of_no_category_has_no_code():
    np.testing.assert_array_equal(codes(["b", None, "a"], ["a", "b"]), [[1], [np.nan], [0]])

"""Fixtures of the measures' tests: the toy grid with tiny data."""

import pytest
from measured import placed


@pytest.fixture(scope="session")
def grid(grid_of, iris, tmp_path_factory):
    """The toy grid; its results folder holds the data set tiny."""
    return placed(grid_of(), iris, tmp_path_factory.mktemp("measured"))

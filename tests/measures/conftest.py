"""Fixtures of the measures' tests: the toy grid with tiny data, and studies that are searched on them."""

from functools import cache
from pathlib import Path

import pytest
from measured import placed

from bayes_hpo.search.block import run_block
from bayes_hpo.storage.layout import data_file


@pytest.fixture(scope="session")
def grid(grid_of, iris, tmp_path_factory):
    """The toy grid; its results folder holds the data set tiny."""
    return placed(grid_of(), iris, tmp_path_factory.mktemp("measured"))


@pytest.fixture(scope="session")
def searched(grid_of, iris, tmp_path_factory):
    """Function: the toy grid of a study after its searches on the data set tiny, two repetitions each."""

    @cache
    def search(study):
        grid = placed(grid_of(study), iris, tmp_path_factory.mktemp(study))
        grid.datasets, grid.scale_settings = ["tiny"], grid.scale_settings | {"repetitions": {"holdout": 2, "kfold": 2}}
        for block in grid.search_jobs():
            place = {"data_path": data_file("tiny", grid.results), "folder": Path(block.folder)}
            job, numbers = grid.job(block.protocol, block.searcher), range(block.first, block.last + 1)
            run_block(job, numbers, **place, manifest=block.output, depends={}, fingerprint="code", revision="abc")
        return grid

    return search

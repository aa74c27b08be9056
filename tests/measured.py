"""Measures of the study overfitting at toy scale, on tiny real data."""

from copy import copy

from bayes_hpo.configuration.build import build
from bayes_hpo.storage.layout import data_file

TINY = {"splits": {"dataset": "tiny"}}  # what a test changes of the settings in conf/measure


def placed(grid, data, results):
    """The grid with a results folder of its own that holds the prepared `data`."""
    grid = copy(grid)
    grid.results = str(results)
    data.save(data_file(data.name, grid.results))
    return grid


def frame(grid, name, **changes):
    """The frame of a measure whose settings have been changed."""
    return build(grid.cfg["measures"][name] | TINY.get(name, {}) | changes, "measure")(grid)

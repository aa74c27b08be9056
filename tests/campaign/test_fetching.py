"""What a plan says of the data: a command for each that is not there, and nothing of what every checkout has."""

import shlex
from pathlib import Path

import pytest

from bayes_hpo.campaign import fetching
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.compose import configure
from bayes_hpo.storage.layout import data_file


@pytest.fixture
def grid_at(tmp_path):
    return lambda study, scale="small": Grid.of(study, scale, str(tmp_path))


def prepare(grid, *names):
    for name in names or grid.datasets:
        path = Path(data_file(name, grid.results))
        path.parent.mkdir(exist_ok=True)
        path.touch()


def test_bundled_data_are_not_fetched(grid_at):
    assert fetching.lines([grid_at("overfitting", "smoke")]) == ["data: nothing to fetch"]


def test_each_command_is_one_of_the_stage(grid_at):
    _, line = fetching.lines([grid_at("overfitting")])
    words, _, rest = line.partition("#")
    *_, stage, suite, folder = shlex.split(words)
    assert stage == "bayes_hpo.stages.data"
    assert configure("data", [suite, folder])["suite"] == grid_at("overfitting").scale_settings["suite"]
    assert rest.split()[0] == str(len(grid_at("overfitting").datasets))


def test_what_is_prepared_is_not_fetched_again(grid_at):
    grid = grid_at("overfitting")
    first, *others = grid.datasets
    prepare(grid, first)
    assert f"# {len(others)} to prepare" in fetching.lines([grid])[1]
    prepare(grid)
    assert fetching.lines([grid]) == ["data: nothing to fetch"]


def test_a_suite_that_is_part_of_another_is_not_fetched_twice(grid_at):
    whole, part = grid_at("overfitting"), grid_at("svm_width")
    assert set(part.datasets) < set(whole.datasets)
    assert fetching.lines([part, whole]) == fetching.lines([whole])

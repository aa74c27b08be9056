"""The grid as far as its searches are finished: what lies there, and nothing else."""

import json
from pathlib import Path

import pytest

from bayes_hpo.campaign.finished import FinishedGrid


@pytest.fixture
def grid(grid_of, tmp_path):
    """The toy grid of svm_width, without any result."""
    return FinishedGrid(grid_of("svm_width").cfg | {"results_dir": str(tmp_path)})


def test_a_search_that_is_not_finished_has_no_jobs(grid):
    assert grid.search_jobs() == []


def test_blocks_of_any_size_whose_manifests_are_there_are_its_jobs(grid, tmp_path):
    dataset, (protocol, searcher) = grid.datasets[0], grid.pools[0]
    folder = Path(tmp_path, "toy/pools/svm_width", dataset, protocol, searcher)
    folder.mkdir(parents=True)
    written = ["block_000-000.json", "block_007-012.json"]
    for name in [*written, "block_013-014.journal", "rep_000.npz"]:
        Path(folder, name).write_text(json.dumps({}), encoding="utf-8")
    jobs = grid.search_jobs()
    assert [(job.first, job.last) for job in jobs] == [(0, 0), (7, 12)]
    assert [Path(job.output) for job in jobs] == [folder / name for name in written]

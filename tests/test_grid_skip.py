"""Laws of a grid that skips what is released: a repetition is done when every method of its pool has its last score."""

import pytest
from score_rows import rows

from bayes_hpo.errors import Fault
from bayes_hpo.grid import Grid
from bayes_hpo.layout import released_file


@pytest.fixture
def released(tmp_path):
    """Function: the pilot grid that skips what a released file of a pool of ecoli with these rows holds."""

    def make(frame):
        path = tmp_path / released_file("pilot", "overfitting", "ecoli", "holdout", "gp", "released")
        path.parent.mkdir(parents=True)
        frame.to_parquet(path)
        return Grid.of("overfitting", "pilot", skip=str(tmp_path / "released"))

    return make


def _scores(methods=("gp", "gp_pm"), repetitions=(0, 1, 2)):
    return rows(lambda *_: 0.1, {"ecoli": "ecoli"}, methods, repetitions, validations=("holdout",))


def _left(grid):
    return grid.wanted("ecoli", "holdout", "gp")


def test_a_pool_whose_scores_are_all_released_needs_no_job(released):
    grid = released(_scores())
    assert _left(grid) == []
    assert grid.blocks("ecoli", "holdout", "gp") == []
    everything = Grid.of("overfitting", "pilot")
    missing = {job.output for job in everything.score_jobs()} - {job.output for job in grid.score_jobs()}
    assert [path.split("/")[-3:] for path in missing] == [["ecoli", "holdout", "gp.parquet"]]


def test_only_the_repetitions_that_lack_a_score_are_left(released):
    grid = released(_scores(repetitions=(1,)))
    assert _left(grid) == [0, 2]
    assert [(job.first, job.last) for job in grid.blocks("ecoli", "holdout", "gp")] == [(0, 0), (2, 2)]


def test_a_repetition_without_one_of_its_methods_is_left(released):
    assert _left(released(_scores(methods=("gp",)))) == [0, 1, 2]


def test_a_repetition_without_its_last_step_is_left(released):
    frame = _scores()
    assert _left(released(frame[~(frame["final"] & (frame["repetition"] == 1))])) == [1]


def test_nothing_is_skipped_without_a_folder_or_in_an_empty_one(tmp_path):
    assert _left(Grid.of("overfitting", "pilot")) == _left(Grid.of("overfitting", "pilot", skip=str(tmp_path)))


def test_a_damaged_released_file_is_named(released, tmp_path):
    grid = released(_scores())
    path = next(tmp_path.rglob("gp.parquet"))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(Fault, match=r"gp\.parquet cannot be read .* git checkout -- released"):
        _left(grid)

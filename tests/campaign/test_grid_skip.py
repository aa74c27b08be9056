"""Laws of a grid that skips what is released: a repetition is done when every method of its pool has its last score."""

import pytest
from score_rows import rows

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.storage.layout import released_file

pytestmark = pytest.mark.slow  # whole grids are composed


@pytest.fixture
def released(tmp_path):
    """Function: the pilot grid that skips what a released file of a pool of ecoli with these rows holds."""

    def make(frame, **changes):
        path = tmp_path / released_file("pilot", "overfitting", "ecoli", "holdout", "gp", "released")
        path.parent.mkdir(parents=True)
        frame.assign(scale="pilot", **changes).to_parquet(path)
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


def test_losses_without_a_bound_are_done_too(tmp_path):
    frame = rows(lambda *_: 3000.0, {"torgo-servo": ""}, ("smbo",), (0,), validations=("holdout",))
    path = tmp_path / released_file("small", "esmbo_svr", "torgo-servo", "holdout", "smbo", "released")
    path.parent.mkdir(parents=True)
    frame.assign(study="esmbo_svr", scale="small").to_parquet(path)
    grid = Grid.of("esmbo_svr", "small", skip=str(tmp_path / "released"))
    assert grid.wanted("torgo-servo", "holdout", "random") == [0]
    assert grid.wanted("torgo-servo", "holdout", "smbo") == []


def test_a_measure_that_looks_into_a_skipped_pool_is_left_out_and_the_others_are_made(tmp_path):
    path = tmp_path / released_file("small", "svm_width", "ionosphere", "holdout", "gp", "released")
    path.parent.mkdir(parents=True)
    rows(lambda *_: 0.1, {"ionosphere": "ionosphere"}, ["gp"], [5], validations=("holdout",)).assign(
        study="svm_width", scale="small"
    ).to_parquet(path)
    kept = [job.measure for job in Grid.of("svm_width", "small", skip=str(tmp_path / "released")).measure_jobs()]
    assert kept == ["gp_toy"]
    assert {"gp_snapshots", "width_traits"} < {job.measure for job in Grid.of("svm_width", "small").measure_jobs()}


def test_a_pool_without_jobs_has_no_refits_to_estimate(released):
    skipped, every = (estimates(grid, Costs.read()) for grid in (released(_scores()), Grid.of("overfitting", "pilot")))
    one, other = (sum(part.jobs for part in found if part.searcher == "(refits)") for found in (skipped, every))
    assert one == other - 1


def test_nothing_is_skipped_without_a_folder_or_in_an_empty_one(tmp_path):
    assert _left(Grid.of("overfitting", "pilot")) == _left(Grid.of("overfitting", "pilot", skip=str(tmp_path)))


def test_a_folder_that_is_not_there_is_named():
    with pytest.raises(UserError, match="skip=relesed is not a folder; give that of released scores"):
        Grid.of("overfitting", "pilot", skip="relesed")


def test_a_damaged_released_file_is_named(released, tmp_path):
    grid = released(_scores())
    path = next(tmp_path.rglob("gp.parquet"))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(RunError, match=r"gp\.parquet cannot be read .* git checkout -- released"):
        _left(grid)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"study": "random_forest"}, "scores of study random_forest, not only overfitting"),
        ({"dataset": "iris"}, "scores of dataset iris"),
        ({"schema": 2}, "scores of schema 2, not only 1"),
        ({"test_error": float("nan")}, "12 scores outside \\[0, 1\\]"),
    ],
)
def test_a_released_file_that_could_not_be_read_back_skips_nothing(released, changes, said):
    with pytest.raises(RunError, match=rf"gp\.parquet holds {said}.*git checkout -- released"):
        _left(released(_scores(), **changes))

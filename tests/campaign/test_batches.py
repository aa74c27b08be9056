"""Laws of the batches: every job in exactly one, of one data set, of about as many seconds as the scale wants."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bayes_hpo.campaign.batches import Batch, batches, joined, markers
from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates, score_seconds, search_seconds
from bayes_hpo.campaign.jobs import ScoreJob

GRIDS = [("overfitting", "smoke"), ("overfitting", "small"), ("conditional", "paper")]
TARGETS = {"smoke": 240, "small": 60, "paper": 1200}


@pytest.fixture(params=GRIDS, ids="-".join)
def cut(request, grid_of):
    """(jobs, function job -> seconds, batches) of the searches and of the scores of a grid."""
    grid, costs = grid_of(*request.param), Costs.read()
    kinds = [(grid.search_jobs(), search_seconds(grid, costs)), (grid.score_jobs(), score_seconds(grid, costs))]
    return [(jobs, seconds, batches(jobs, seconds, TARGETS[grid.scale])) for jobs, seconds in kinds]


def test_every_job_is_in_exactly_one_batch_and_a_batch_is_of_one_data_set(cut):
    for jobs, _, found in cut:
        assert Counter(job for batch in found for job in batch.jobs) == Counter(jobs)
        assert all(len({job.dataset for job in batch.jobs}) == 1 for batch in found)
        assert len({batch.marker for batch in found}) == len(found)


@pytest.mark.parametrize("scale", TARGETS)
def test_a_scale_wants_minutes(grid_of, scale):
    assert grid_of("overfitting", scale).cfg["scale"]["batch_seconds"] == TARGETS[scale]


def test_a_batch_reaches_its_target_unless_it_is_the_last_of_its_data_set(cut, request):
    target = TARGETS[request.node.callspec.params["cut"][1]]
    for _, seconds, found in cut:
        last = {batch.jobs[0].dataset: batch for batch in found}
        for batch in found:
            assert sum(map(seconds, batch.jobs[:-1])) < target
            assert sum(map(seconds, batch.jobs)) >= target or batch is last[batch.jobs[0].dataset]


def test_the_jobs_of_a_grid_cost_what_the_plan_says(grid_of):
    grid, costs = grid_of("overfitting", "small"), Costs.read()
    planned = estimates(grid, costs)
    searches, scores = search_seconds(grid, costs), score_seconds(grid, costs)
    hours = {kind: sum(one.hours for one in planned if (one.searcher == "(refits)") is kind) for kind in (False, True)}
    assert sum(map(searches, grid.search_jobs())) / 3600 == pytest.approx(hours[False])
    assert sum(map(scores, grid.score_jobs())) / 3600 == pytest.approx(hours[True])


def test_a_smoke_run_has_one_batch_a_data_set(grid_of):
    grid, costs = grid_of("overfitting", "smoke"), Costs.read()
    for jobs, seconds in [
        (grid.search_jobs(), search_seconds(grid, costs)),
        (grid.score_jobs(), score_seconds(grid, costs)),
    ]:
        assert [batch.jobs[0].dataset for batch in batches(jobs, seconds, 60)] == grid.datasets


JOBS = [ScoreJob("s", "toy", name, "holdout", searcher) for name in ("a", "b") for searcher in ("x", "y", "z")]


@pytest.mark.parametrize(("seconds", "sizes"), [(0, [3, 3]), (1, [2, 1, 2, 1]), (2, [1] * 6), (9, [1] * 6)])
def test_a_batch_is_closed_when_it_reaches_the_target(seconds, sizes):
    found = batches(JOBS, lambda job: seconds, target=2)
    assert [len(batch.jobs) for batch in found] == sizes
    assert [batch.number for batch in found if batch.jobs[0].dataset == "b"] == list(range(len(sizes) // 2))


def test_the_order_of_jobs_moves_none():
    assert batches(JOBS[2::-1] + JOBS[:2:-1], lambda job: 1, target=2) == batches(JOBS, lambda job: 1, target=2)


def test_the_pools_of_a_batch_are_named_as_in_paths():
    assert batches(JOBS, lambda job: 0, target=2)[0].pools == "holdout/x,holdout/y,holdout/z"


def test_a_marker_is_deleted_when_one_of_its_jobs_is_not_current(tmp_path):
    first, second = batches([replace(job, results=str(tmp_path)) for job in JOBS], lambda job: 0, target=2)
    for path in (first.marker, second.marker):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()
    found = markers([first, second], lambda job: job != second.jobs[2])
    assert set(found.values()) == {first.marker, second.marker}
    assert found[second.jobs[2].output] == second.marker
    assert (Path(first.marker).is_file(), Path(second.marker).is_file()) == (True, False)


@pytest.mark.parametrize("least", [0, 1, 3, 7, 1000])
def test_joined_batches_hold_the_same_jobs_and_last_as_long_as_wanted_or_are_one(least):
    found = batches(JOBS, lambda job: {"x": 5, "y": 0.5, "z": 0.5}[job.searcher], target=2)
    together = joined(found, least)
    assert Counter(job for batch in together for job in batch.jobs) == Counter(JOBS)
    assert len(together) == 1 or min(batch.seconds for batch in together) >= least
    assert sum(batch.seconds for batch in together) == sum(batch.seconds for batch in found)
    assert len({batch.marker for batch in together}) == len(together)
    if least == 0:
        assert together == found


def test_what_stays_short_joins_the_shortest_batch():
    lasting = [Batch(number, (JOBS[number],), seconds) for number, seconds in enumerate([30.0, 12.0, 20.0, 3.0])]
    assert sorted(batch.seconds for batch in joined(lasting, 10)) == [15.0, 20.0, 30.0]


def test_batches_of_a_paper_study_last_ten_minutes_once_joined(grid_of):
    grid, costs = grid_of("conditional", "paper"), Costs.read()
    found = batches(grid.search_jobs(), search_seconds(grid, costs), 1200)
    assert min(batch.seconds for batch in found) < 600 <= min(batch.seconds for batch in joined(found, 600))


def test_the_pools_of_joined_batches_are_named_with_their_data_sets():
    (one,) = joined(batches(JOBS[2:4], lambda job: 0, target=2), 600)
    assert one.pools == "a:holdout/z,b:holdout/x"
    assert one.datasets == ["a", "b"]

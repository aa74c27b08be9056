"""The simulated schedule: bounds that hold for any tasks, and schedules by hand."""

from itertools import permutations

import numpy as np
import pytest

from bayes_hpo.campaign.batches import batches
from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import score_seconds, search_seconds
from bayes_hpo.campaign.schedule import UNITS, Task, bound, lasting, makespan, of_scale, of_study


def drawn(seed, count=60):
    """Tasks of random lengths, some behind one or two before them."""
    rng = np.random.default_rng(seed)
    needs = [
        tuple(set(rng.integers(number, size=rng.integers(3)).tolist())) if number else () for number in range(count)
    ]
    return [Task(float(seconds), needed) for seconds, needed in zip(rng.exponential(size=count), needs, strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_no_schedule_beats_the_bound_nor_leaves_all_cores_idle(seed):
    tasks = drawn(seed)
    total = sum(task.seconds for task in tasks)
    for cores in (1, 3, 8, 100):
        least = bound(tasks, cores)
        assert least - 1e-9 <= makespan(tasks, cores)
        assert makespan(tasks, cores) <= total / cores + bound(tasks, len(tasks))  # Graham: load and longest chain
    assert makespan(tasks, 1) == pytest.approx(total)
    assert makespan(tasks, len(tasks)) == pytest.approx(bound(tasks, len(tasks)))


def test_the_longest_task_goes_first():
    tasks = [Task(1.0), Task(1.0), Task(2.0)]
    assert makespan(tasks, 2) == 2.0  # in the given order it would take 3


def test_a_task_waits_for_what_it_needs():
    tasks = [Task(2.0), Task(3.0), Task(1.0, (0, 1))]
    assert makespan(tasks, 2) == bound(tasks, 2) == 4.0


def test_few_independent_tasks_take_at_most_grahams_share_of_the_best():
    lengths = [5.0, 4.0, 3.0, 3.0, 3.0]
    best = min(max(sum(order[:cut]), sum(order[cut:])) for order in permutations(lengths) for cut in range(6))
    assert makespan([Task(seconds) for seconds in lengths], 2) <= (4 / 3 - 1 / 6) * best


@pytest.fixture
def two_studies(grid_of):
    """The grids of a study that owns pools and of one that uses them."""
    return [grid_of("conditional", "toy"), grid_of("ensembles_sklearn", "toy")]


@pytest.mark.parametrize("least", [0.0, 1e9])
def test_scores_of_a_scale_wait_for_all_searches_whose_pools_they_read(two_studies, least):
    tasks = of_scale(two_studies, Costs.read(), least)
    searches = tasks["conditional"] + tasks.get("ensembles_sklearn", [])
    scores = [task for grid in two_studies for task in tasks[f"{grid.study} (scores)"]]
    assert all(task.needs and max(task.needs) < len(searches) for task in scores)
    of_owner = {number for task in tasks["conditional (scores)"] for number in task.needs}
    assert of_owner <= set(range(len(searches)))
    every = [task for of_study_ in tasks.values() for task in of_study_]
    assert bound(every, 1000) == pytest.approx(
        max(task.seconds + max(searches[number].seconds for number in task.needs) for task in scores)
    )
    if least:
        assert [len(of_study_) for of_study_ in tasks.values()] == [1] * len(tasks)


def test_scores_of_a_study_wait_for_the_searches_whose_pools_they_read(grid_of):
    grid, costs = grid_of(), Costs.read()
    kinds = (grid.search_jobs(), search_seconds(grid, costs)), (grid.score_jobs(), score_seconds(grid, costs))
    searches, scores = (batches(*kind, 0.001) for kind in kinds)
    tasks = of_study(grid, searches, scores)
    for batch, task in zip(scores, tasks[len(searches) :], strict=True):
        (job,) = batch.jobs
        read = {block.output for block in grid.blocks(job.dataset, job.protocol, job.searcher)}
        assert read <= {searched.output for number in task.needs for searched in searches[number].jobs}


def test_nothing_takes_no_time():
    assert makespan([], 4) == bound([], 4) == 0.0


@pytest.mark.parametrize("hours", [1e-5, 1 / 3600, 1 / 600, 0.004, 0.0999, 0.1, 1.0, 310.0])
def test_a_time_in_words_is_the_time_and_never_nothing(hours):
    number, unit = lasting(hours).split()
    assert float(number) / UNITS[unit] == pytest.approx(hours, rel=0.15)

"""The duration of batches on some cores: a simulated schedule, and a lower bound for any schedule."""

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bayes_hpo.campaign.batches import Batch, batches, joined
from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import score_seconds, search_seconds
from bayes_hpo.campaign.grid import Grid

UNITS = {"hours": 1, "minutes": 60, "seconds": 3600}  # name -> number per hour


@dataclass(frozen=True)
class Task:
    """One batch, which occupies one core.

    seconds: duration.
    needs: positions, in the list of all tasks, of those that must end before it begins.
    """

    seconds: float
    needs: tuple[int, ...] = ()


def of_study(grid: Grid, searches: Sequence[Batch], scores: Sequence[Batch]) -> list[Task]:
    """The tasks of a study: its batches of searches, then those of scores, which need the pools that they score."""
    place = {job.output: number for number, batch in enumerate(searches) for job in batch.jobs}
    tasks = [Task(batch.seconds) for batch in searches]
    return tasks + [Task(batch.seconds, _needs(grid, batch, place)) for batch in scores]


def of_scale(grids: Sequence[Grid], costs: Costs, least: float = 0.0) -> dict[str, list[Task]]:
    """Study -> its tasks, in the order of the studies, for a run of the whole scale.

    grids: of the studies of a scale, including those that own pools; a shared search belongs to the owner.
    least: CPU seconds below which batches are joined.
    """
    grid_of = {grid.study: grid for grid in grids}
    searches = {}
    for owner in dict.fromkeys(grid.owner for grid in grids):
        jobs = dict.fromkeys(job for grid in grids if grid.owner == owner for job in grid.search_jobs())
        seconds, target = search_seconds(grid_of[owner], costs), grid_of[owner].cfg["scale"]["batch_seconds"]
        searches[owner] = joined(batches(jobs, seconds, target), least)
    tasks: dict[str, list[Task]] = {
        owner: [Task(batch.seconds) for batch in of_owner] for owner, of_owner in searches.items()
    }
    place = {
        job.output: number
        for number, batch in enumerate(batch for of_owner in searches.values() for batch in of_owner)
        for job in batch.jobs
    }
    for grid in grids:
        target = grid.cfg["scale"]["batch_seconds"]
        scores = joined(batches(grid.score_jobs(), score_seconds(grid, costs), target), least)
        tasks[f"{grid.study} (scores)"] = [Task(batch.seconds, _needs(grid, batch, place)) for batch in scores]
    return tasks


def _needs(grid, batch, place):
    """Positions of the tasks that search the pools of a batch of scores. place: dict, manifest -> position."""
    pools = [block for job in batch.jobs for block in grid.blocks(job.dataset, job.protocol, job.searcher)]
    return tuple(sorted({place[block.output] for block in pools}))


def makespan(tasks: Sequence[Task], cores: int) -> float:
    """Seconds until the last task ends, if a free core takes the task that starts the longest chain of tasks.

    tasks: each after those that it needs.
    This is list scheduling; for independent tasks, at most 4/3 - 1 / (3 cores) times the shortest schedule.
    Source: Graham, Bounds on multiprocessing timing anomalies (1969).
    """
    waiting = [len(task.needs) for task in tasks]
    after = defaultdict(list)
    for number, task in enumerate(tasks):
        for needed in task.needs:
            after[needed].append(number)
    chain = [0.0] * len(tasks)
    for number, task in reversed(list(enumerate(tasks))):
        chain[number] = task.seconds + max((chain[later] for later in after[number]), default=0.0)
    ready = [(-chain[number], number) for number, task in enumerate(tasks) if not task.needs]
    heapq.heapify(ready)
    running: list[tuple[float, int]] = []
    now = 0.0
    while ready or running:
        while ready and len(running) < cores:
            _, number = heapq.heappop(ready)
            heapq.heappush(running, (now + tasks[number].seconds, number))
        now, ended = heapq.heappop(running)
        for number in after[ended]:
            waiting[number] -= 1
            if not waiting[number]:
                heapq.heappush(ready, (-chain[number], number))
    return now


def bound(tasks: Sequence[Task], cores: int) -> float:
    """Seconds that any schedule takes at least: the mean load of a core or the longest chain of tasks, if longer.

    tasks: each after those that it needs.
    """
    ends: list[float] = []
    for task in tasks:
        ends.append(task.seconds + max((ends[needed] for needed in task.needs), default=0.0))
    return max(sum(task.seconds for task in tasks) / cores, max(ends, default=0.0))


def lines(tasks: Sequence[Task], numbers: Sequence[int]) -> list[str]:
    """A sentence per number of cores: the simulated time, and the lower bound for any schedule."""
    times = [(cores, lasting(makespan(tasks, cores) / 3600), lasting(bound(tasks, cores) / 3600)) for cores in numbers]
    return [
        f"on {cores} core{'s' * (cores > 1)}: {taken}; no schedule takes less than {least}"
        for cores, taken, least in times
    ]


def lasting(hours: float) -> str:
    """A duration in words, in the largest unit of which it is at least a tenth, so that none is rounded to zero."""
    unit = next((name for name, in_an_hour in UNITS.items() if hours * in_an_hour >= 0.1), "seconds")
    return f"{hours * UNITS[unit]:.2f} {unit}"

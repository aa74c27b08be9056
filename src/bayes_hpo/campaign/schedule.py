"""How long batches take on some cores: a simulation of the schedule, beside what no schedule can beat."""

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bayes_hpo.campaign.batches import Batch
from bayes_hpo.campaign.grid import Grid


@dataclass(frozen=True)
class Task:
    """One batch, which takes one core.

    seconds: how long.
    needs: positions, in the list of all tasks, of those that must end before it begins.
    """

    seconds: float
    needs: tuple[int, ...] = ()


def of_study(grid: Grid, searches: Sequence[Batch], scores: Sequence[Batch]) -> list[Task]:
    """The tasks of a study: its batches of searches, then those of scores, which need the pools that they score."""
    place = {job.output: number for number, batch in enumerate(searches) for job in batch.jobs}
    tasks = [Task(batch.seconds) for batch in searches]
    for batch in scores:
        pools = [block for job in batch.jobs for block in grid.blocks(job.dataset, job.protocol, job.searcher)]
        tasks.append(Task(batch.seconds, tuple(sorted({place[block.output] for block in pools}))))
    return tasks


def makespan(tasks: Sequence[Task], cores: int) -> float:
    """Seconds until the last task ends, where a free core takes the task that begins the longest chain of tasks.

    tasks: each behind those that it needs.
    List scheduling; of independent tasks at most 4/3 - 1 / (3 cores) of the shortest schedule.
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
    """Seconds that any schedule takes: the mean load of a core, and the longest chain of tasks.

    tasks: each behind those that it needs.
    """
    ends: list[float] = []
    for task in tasks:
        ends.append(task.seconds + max((ends[needed] for needed in task.needs), default=0.0))
    return max(sum(task.seconds for task in tasks) / cores, max(ends, default=0.0))

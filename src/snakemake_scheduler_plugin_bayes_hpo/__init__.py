"""Long jobs first, so that a grid does not end with one core at work; Snakemake finds this module by its name.

A job's weight is the longest chain of `core_seconds` (a resource of the rules, by conf/costs.csv) that it begins: its
own and those of what needs it. `stages.plan` simulates this schedule.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from snakemake_interface_scheduler_plugins.base import SchedulerBase


class Scheduler(SchedulerBase):
    """Takes the jobs with the longest chains that fit into the free cores and resources."""

    def __post_init__(self) -> None:
        self._chains: dict[Any, float] | None = None

    def dag_updated(self) -> None:
        """Forget the chains: jobs were added or taken away."""
        self._chains = None

    def select_jobs(
        self,
        selectable_jobs: Sequence[Any],
        remaining_jobs: Sequence[Any],
        available_resources: Mapping[str, int | str],
        input_sizes: Mapping[Any, int],
    ) -> list[Any]:
        """The jobs to start now. Jobs of equal chains keep their order."""
        if self._chains is None:
            single = [part for job in remaining_jobs for part in parts(job)]
            self._chains = chains(single, self.dag.job_dependencies)
        left, selected = dict(available_resources), []
        for job in sorted(selectable_jobs, key=self._weight, reverse=True):
            needed = {name: job.scheduler_resources.get(name, 0) for name in left}
            if all(needed[name] <= left[name] for name in left):
                left = {name: left[name] - needed[name] for name in left}
                selected.append(job)
        return selected

    def _weight(self, job: Any) -> tuple[int, float]:
        known = self._chains or {}
        return job.priority, max(known.get(part, 0.0) for part in parts(job))


def parts(job: Any) -> Sequence[Any]:
    """The jobs of a group, or the job itself."""
    return list(job.jobs) if hasattr(job, "jobs") else [job]


def chains(jobs: Sequence[Any], dependencies: Callable[[Any], Iterable[Any]]) -> dict[Any, float]:
    """Core-seconds of the longest chain that each job begins.

    dependencies: function, job -> the jobs that it needs.
    """
    needing: dict[Any, list[Any]] = {}
    for job in jobs:
        for needed in dependencies(job):
            needing.setdefault(needed, []).append(job)
    found: dict[Any, float] = {}

    def of(job: Any) -> float:
        if job not in found:
            found[job] = core_seconds(job) + max(map(of, needing.get(job, ())), default=0.0)
        return found[job]

    for job in jobs:
        of(job)
    return found


def core_seconds(job: Any) -> float:
    """The estimated core-seconds of a job; 0 for one that is not estimated."""
    return float(job.scheduler_resources.get("core_seconds", 0))

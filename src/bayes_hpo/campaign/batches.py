"""Batches: jobs of one data set that one process does, so that its start is paid once and not for every pool.

What a scale or a study makes as a whole is made in batches; a single file that is asked for by its name, by a job of
its own. The marker of a batch says that the files of its jobs are there; they are no outputs of Snakemake's, which
would delete all of them before the batch runs again and when one of its jobs has failed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.storage.layout import marker_file

SECONDS = 60.0  # estimated CPU seconds of a batch: a process takes three to start


@dataclass(frozen=True)
class Batch:
    """Jobs (tuple, of one stage, study and data set) that are done one after the other."""

    number: int
    jobs: tuple

    @property
    def marker(self) -> str:
        """The file that says the jobs are done."""
        job = self.jobs[0]
        return marker_file(job.scale, job.study, f"{job.dataset}/{job.stage}_{self.number}", job.results)

    @property
    def pools(self) -> str:
        """The pools of the jobs, as the stage takes them: protocol/searcher, of searches with their repetitions."""
        return ",".join(job.pool for job in self.jobs)


def batches(
    jobs: Iterable[SearchJob] | Iterable[ScoreJob], seconds: Callable[[Any], float], target: float = SECONDS
) -> list[Batch]:
    """Batches (list) of jobs, each of one data set and, but for the last of it, of at least `target` seconds.

    jobs: those of one stage; within a data set they are sorted by their files, so that the order of a study's methods
    moves none. seconds: function, job -> estimated CPU seconds.
    Without its last job a batch takes less than the target.
    """
    by_dataset = defaultdict(list)
    for job in jobs:
        by_dataset[job.dataset].append(job)
    cut = [_cut(of_one, seconds, target) for of_one in by_dataset.values()]
    return [Batch(number, tuple(group)) for groups in cut for number, group in enumerate(groups)]


def _cut(jobs, seconds, target):
    """The jobs of one data set in groups (list of list) that reach the target."""
    groups, total = [], target
    for job in sorted(jobs, key=lambda job: job.output):
        if total >= target:
            groups, total = [*groups, []], 0.0
        groups[-1].append(job)
        total += seconds(job)
    return groups


def markers(batches: list[Batch]) -> dict[str, str]:
    """dict, output of a job -> the marker of its batch; a marker that lacks one of its files is deleted first."""
    for batch in batches:
        marker = Path(batch.marker)
        if marker.is_file() and not all(Path(job.output).is_file() for job in batch.jobs):
            marker.unlink()
    return {job.output: batch.marker for batch in batches for job in batch.jobs}

"""Batches: jobs of one data set that run in one process, so that a process is not started for every pool.

For a queue, short batches of several data sets are joined (`joined`).

A scale or a study is run in batches; a single file requested by name is made by its own job. The marker of a batch says
that the files of its jobs exist. They are not declared as outputs to Snakemake, which would delete all of them before a
batch reruns and when one of its jobs fails.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.storage.layout import marker_file


@dataclass(frozen=True)
class Batch:
    """Jobs of one stage and study that run one after the other, and the CPU seconds that they are estimated to take.

    The jobs are on one data set, those of joined batches on several.
    number: position among the batches of its data set; of joined batches, that of the first.
    """

    number: int
    jobs: tuple
    seconds: float

    @property
    def marker(self) -> str:
        """The file that marks the jobs as done."""
        job = self.jobs[0]
        return marker_file(job.scale, job.study, f"{job.dataset}/{job.stage}_{self.number}", job.results)

    @property
    def pools(self) -> str:
        """The argument `pools` of the stage: protocol/searcher of each job, for searches with the repetitions.

        With several data sets, each is preceded by the name of its data set and a colon.
        """
        several = len(self.datasets) > 1
        return ",".join(f"{job.dataset}:{job.pool}" if several else job.pool for job in self.jobs)

    @property
    def datasets(self) -> list[str]:
        """Distinct names of the data sets."""
        return list(dict.fromkeys(job.dataset for job in self.jobs))


def batches(
    jobs: Iterable[SearchJob] | Iterable[ScoreJob], seconds: Callable[[Any], float], target: float
) -> list[Batch]:
    """Group jobs into batches on one data set; all but the last one on a data set take at least `target` seconds.

    jobs: of one stage; those on a data set are sorted by their files, so that batches do not depend on the order of a
        study's methods.
    seconds: function, job -> estimated CPU seconds.
    target: CPU seconds, several minutes: starting a process takes three seconds, planning a job in Snakemake three
        milliseconds. A batch without its last job takes less.
    """
    by_dataset = defaultdict(list)
    for job in jobs:
        by_dataset[job.dataset].append(job)
    grouped = [_grouped(jobs, seconds, target) for jobs in by_dataset.values()]
    return [Batch(number, *group) for groups in grouped for number, group in enumerate(groups)]


def _grouped(jobs, seconds, target):
    """The jobs on one data set in groups that reach the target: list of (jobs, seconds)."""
    groups = []
    for job in sorted(jobs, key=lambda job: job.output):
        if not groups or groups[-1][1] >= target:
            groups.append(((), 0.0))
        before, total = groups[-1]
        groups[-1] = (*before, job), total + seconds(job)
    return groups


def joined(batches: list[Batch], least: float) -> list[Batch]:
    """The batches of a study, with those below `least` CPU seconds joined until each reaches it.

    If all of them together are shorter, a single one remains.
    """
    long = [batch for batch in batches if batch.seconds >= least]
    groups: list[Batch] = []
    for batch in batches:
        if batch.seconds < least:
            if not groups or groups[-1].seconds >= least:
                groups.append(batch)
            else:
                groups[-1] = _together(groups[-1], batch)
    if groups[-1:] and groups[-1].seconds < least and len(groups) + len(long) > 1:
        rest = groups.pop()
        others = groups or long
        shortest = min(range(len(others)), key=lambda at: others[at].seconds)
        others[shortest] = _together(others[shortest], rest)
    return [*long, *groups]


def _together(first, second):
    return Batch(first.number, (*first.jobs, *second.jobs), first.seconds + second.seconds)


def markers(batches: list[Batch], is_current: Callable[[Any], bool]) -> dict[str, str]:
    """dict, output of a job -> marker of its batch. Deletes the marker first if a job of its batch is not current.

    is_current: function, job -> whether its file exists and was made by the present code and settings. Snakemake knows
        that only for its own runs, not for results that were copied.
    """
    for batch in batches:
        marker = Path(batch.marker)
        if marker.is_file() and not all(map(is_current, batch.jobs)):
            marker.unlink()
    return {job.output: batch.marker for batch in batches for job in batch.jobs}

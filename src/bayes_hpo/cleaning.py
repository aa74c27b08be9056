"""What may be deleted below results: leftovers of killed jobs, files set aside, and what no longer counts."""

from pathlib import Path

from bayes_hpo.files import leftovers
from bayes_hpo.grid import SearchJob
from bayes_hpo.manifest import pool_path
from bayes_hpo.progress import states


def leavings(grid):
    """(path, reason) of every file that nothing needs (list), in the order of the paths."""
    found = dict.fromkeys(leftovers(grid.results), "left by a killed job")
    found |= dict.fromkeys(Path(grid.results).rglob("*.stale"), "set aside")
    for state in states(grid):
        if state.state == "outdated":
            found |= dict.fromkeys(_files(state.job), f"outdated, {state.detail}")
    return sorted(found.items())


def _files(job):
    """The files (list of Path) of a job that are there."""
    paths = [Path(job.output)]
    if isinstance(job, SearchJob):
        paths += [pool_path(job.folder, number) for number in range(job.first, job.last + 1)]
    return [path for path in paths if path.is_file()]

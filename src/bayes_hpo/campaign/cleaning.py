"""Removable files in the results: leftovers of killed jobs, files set aside, outdated pools and scores."""

from pathlib import Path

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.campaign.progress import scores_of_no_search, states
from bayes_hpo.errors import RunError, is_permission_error
from bayes_hpo.scoring.row_losses import row_losses_file
from bayes_hpo.storage.files import leftovers
from bayes_hpo.storage.manifest import pool_path
from bayes_hpo.storage.pools import hidden_file, read_pool


def removable_files(grid: Grid, outdated: bool) -> list[tuple[Path, str]]:
    """(path, reason) of every removable file, sorted by path.

    outdated: whether to include pools and scores of older code or settings, which would be needed again after a revert.
    """
    reasons = dict.fromkeys(leftovers(grid.results), "left by a killed job")
    reasons |= dict.fromkeys(Path(grid.results).rglob("*.stale"), "set aside")
    for state in states(grid) if outdated else []:
        if state.state == "outdated":
            reasons |= dict.fromkeys(_files(state.job, grid), f"outdated, {state.detail}")
    reasons |= dict.fromkeys(scores_of_no_search(grid) if outdated else [], "scores of no search of the study")
    return sorted(reasons.items())


def _files(job, grid):
    """The files of an outdated job: its output with accompanying files, and its outdated pools."""
    paths = [Path(job.output)]
    if isinstance(job, SearchJob):
        fingerprint = grid.digests.search_depends[job.protocol, job.searcher]["fingerprint"]
        pools = [pool_path(job.folder, number) for number in range(job.first, job.last + 1)]
        for pool in pools:
            if not _is_current(pool, fingerprint):
                paths += [pool, hidden_file(pool), *sorted(pool.parent.glob(f"{pool.stem}.refits_*.npz"))]
    else:
        paths.append(row_losses_file(job.output))
    return [path for path in paths if path.is_file()]


def _is_current(pool, fingerprint):
    try:
        return read_pool(pool).fingerprint.startswith(f"{fingerprint}-")
    except RunError as problem:
        if is_permission_error(problem):
            raise
        return False

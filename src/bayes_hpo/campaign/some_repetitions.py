"""Scoring only some repetitions of a search: those that the score file then contains, and manifests of their pools."""

from pathlib import Path

from bayes_hpo.campaign.fingerprint import score_depends, search_depends
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob, blocks, parse_repetitions
from bayes_hpo.errors import RunError
from bayes_hpo.storage import provenance
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.pools import read_pool


def manifests(grid: Grid, scored: ScoreJob, text: str, job: dict) -> list[str]:
    """Paths of manifests of the repetitions to score: those given, and those already in the file, so that none is lost.

    text: the repetitions, as in `parse_repetitions`. job: the configuration of the pools (`job_config`).
    Raises: UserError for repetitions beyond the scale; RunError when one has not been searched.
    """
    pool, depends = (scored.dataset, scored.protocol, scored.searcher), search_depends(job)
    given = parse_repetitions(text, grid.repetitions(scored.protocol))
    numbers = sorted({*given, *_held(grid, scored, job)} & {*grid.wanted(*pool)})
    searches = [SearchJob(grid.owner, grid.scale, *pool, *run, grid.results) for run in blocks(numbers, len(numbers))]
    for search in searches:
        if not Path(search.output).is_file():  # searched in other blocks
            write_manifest(search.output, depends, _pools(search, depends["fingerprint"]))
    return [search.output for search in searches]


def _held(grid, scored, job):
    """The repetitions in the score file (set of int), if it is current."""
    pool = scored.protocol, scored.searcher
    if not provenance.is_current(scored.output, score_depends(job, grid.scoring(*pool))):
        return set()
    return grid.scored(scored.output, *pool)


def _pools(search, fingerprint):
    """Paths of the pools of a search. Raises: RunError when one is missing, damaged or depends on something else."""
    paths = [pool_path(search.folder, number) for number in range(search.first, search.last + 1)]
    for path in paths:
        if not path.is_file():
            raise RunError(f"there is no {path}; search it first: {search.command}")
        if not read_pool(path).fingerprint.startswith(f"{fingerprint}-"):
            raise RunError(f"{path} was made by other code or settings; search it again: {search.command}")
    return paths

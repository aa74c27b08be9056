"""Warnings, before the first trial, about outdated or damaged pools that a search would set aside.

An edit of the code or of conf/ outdates pools, and they are replaced, by `snakemake` too. A command whose overrides
make pools differ is refused: the pools that it would replace still correspond to conf/.
"""

import logging

from bayes_hpo.campaign.fingerprint import changes
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.errors import RunError, UserError, is_permission_error
from bayes_hpo.storage.manifest import file_digest, pool_path, read_manifest
from bayes_hpo.storage.pools import read_pool

log = logging.getLogger(__name__)


def tell_outdated(grid: Grid, search: SearchJob, depends: dict) -> None:
    """Log which pools of a search will be set aside as .stale: damaged ones by name, for the others what has changed.

    grid: that of the command. depends: what the pools of the search depend on now (`fingerprint.search_depends`).
    Raises: UserError when overrides of the command make the pools differ, with the differences.
    """
    by_pool = [_changed(pool_path(search.folder, n), depends) for n in range(search.first, search.last + 1)]
    changed = list(dict.fromkeys(name for names in by_pool for name in names))
    if not changed:
        return
    what = ", ".join(name.removeprefix("key ") for name in changed)
    configured = Grid.of(grid.study, grid.scale, grid.results).job(search.protocol, search.searcher)
    if depends["config"] != configured:
        raise UserError(
            f"{search.folder} holds finished pools of other settings (different: {what}), which this command would "
            "replace; give it a folder of its own with results_dir=FOLDER"
        )
    count = sum(map(bool, by_pool))
    log.warning("%d finished pools in %s will be set aside as .stale; changed: %s", count, search.folder, what)


def _changed(path, depends):
    """What has changed since a pool was made (list of str, `fingerprint.changes`); empty without a valid pool.

    If the pool is damaged, logs that it will be set aside.
    """
    try:
        pool = read_pool(path)
    except RunError as problem:
        if path.is_file() and not is_permission_error(problem):
            log.warning("%s is damaged and will be set aside as .stale", path)
        return []
    fingerprint, job = pool.fingerprint.rpartition("-")[0], pool.provenance.get("job", {})
    return changes({"fingerprint": fingerprint, "modules": _modules(path, depends), "config": job}, depends)


def _modules(path, depends):
    """The modules with which a pool was made, from the manifest that lists it; without one the current ones."""
    for manifest in path.parent.glob("block_*.json"):
        try:
            recorded = read_manifest(manifest)
        except RunError:
            continue
        if recorded["pools"].get(path.name) == file_digest(path):
            return recorded["depends"]["modules"]
    return depends["modules"]

"""A block: some repetitions of one search on one data set, each a pool, and the manifest that lists them."""

import contextlib
import logging
import os
import platform
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import Fault, is_permission_error
from bayes_hpo.pool import Pool
from bayes_hpo.repetition import Repetition, pool_key, repetition_key
from bayes_hpo.search.loop import run_search
from bayes_hpo.search.supervision import supervised
from bayes_hpo.storage.files import Journal, locked, set_aside
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.pools import hidden_file, read_pool, write_pool

PACKAGES = ("bayes-hpo", "numpy", "scipy", "scikit-learn")
log = logging.getLogger(__name__)


def run_block(
    job: dict,
    repetitions: list[int],
    *,
    data_path: Path,
    folder: Path,
    manifest: Path,
    depends: dict,
    fingerprint: str,
    revision: str,
    stated: dict | None = None,
) -> None:
    """Search every repetition whose pool is not there yet, then write the manifest.

    job: the resolved configuration that the pools depend on (`job_config`). repetitions: list of int.
    folder: where the pools go. depends: what they depend on beside the data (`fingerprint.depends`), and
    fingerprint: its digest. stated: what the registry states of the data set (`registry.Row.stated`).
    A pool that depends on something else is set aside as `.stale`, never overwritten; what was set aside is taken back
    when it is the one that is wanted. A journal beside a finished pool is deleted.
    """
    space = build(job["space"], "space")
    searcher = build(job["searcher"], "searcher", space=space, budget=job["budget"])
    data = Data.load(data_path, stated)
    fingerprint = f"{fingerprint}-{data.digest}"
    pools = {number: pool_path(folder, number) for number in repetitions}

    def search_all(limited):
        for number, path in pools.items():
            if _key(path) == repetition_key(fingerprint, data.name, number):
                log.info("repetition %d is done: %s", number, path)
                _remove_orphan(path.with_suffix(".journal"))
            else:
                log.info("repetition %d: %s", number, path)
                _search(job, searcher, data, number, _within(space, limited), path, fingerprint, revision)

    supervised(search_all, job["time_limit"])
    write_manifest(manifest, depends, list(pools.values()))


def _remove_orphan(journal):
    """Delete the journal of a pool that is finished, unless another job holds it, or may not be touched."""
    if journal.exists():
        with contextlib.suppress(Fault), locked(journal, 0):
            journal.unlink()


def _within(space, limited):
    """`limited` for configurations of the space; it raises UserError, what `Space.encode` says, for any other."""

    def evaluate(evaluation, proposal):
        space.encode([proposal.configuration])
        return limited(evaluation, proposal)

    return evaluate


def _search(job, searcher, data, number, limited, path, fingerprint, revision):
    repetition = Repetition.of(job, data, number)
    evaluation = build(job["evaluation"], "study.evaluation", repetition=repetition)
    evaluate, wanted = partial(limited, evaluation), repetition_key(fingerprint, data.name, number)
    with Journal(path.with_suffix(".journal"), wanted) as journal:
        if _is_there(path, wanted):  # or made while this one waited for its journal
            journal.remove()
            return
        given = {"seeds": repetition.seeds, "journal": journal, "truth": evaluation.truth}
        trials = run_search(searcher, evaluate, budget=job["budget"], **given)
        provenance = {"job": job, "repetition": number, "data": data.header, "revision": revision, **_versions()}
        _set_aside(path)
        write_pool(Pool(tuple(trials), fingerprint, provenance, given["truth"]), path)
        journal.remove()


def _is_there(path, wanted):
    """Whether the pool with the wanted key stands at `path`; it is taken back when it was set aside.

    Only for who holds the journal: of two jobs that take back, one would find the file gone.
    """
    if _key(path) == wanted:
        return True
    for stale in sorted(path.parent.glob(f"{path.name}*.stale")):
        if _key(stale) == wanted:
            _set_aside(path)
            os.replace(stale, path)
            if (tested := stale.with_name(stale.name.replace(path.name, hidden_file(path).name))).exists():
                os.replace(tested, hidden_file(path))
            return True
    return False


def _set_aside(path):
    if path.exists():
        why = "is damaged or depends on something else (other settings are better run with a results_dir of their own)"
        log.warning("%s %s; set aside as %s", path, why, set_aside(path))
    if hidden_file(path).exists():
        set_aside(hidden_file(path))


def _key(path):
    """The key of the pool at `path`; None when it is missing or damaged.

    Raises: Fault when its permissions forbid to read it.
    """
    try:
        return pool_key(read_pool(path))
    except Fault as problem:
        if is_permission_error(problem):
            raise
        return None


def _versions():
    versions = {package: version(package) for package in PACKAGES}
    return {"versions": {"python": platform.python_version()} | versions, "machine": platform.machine()}

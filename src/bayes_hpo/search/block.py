"""Blocks: several repetitions of one search on one data set, a pool for each, and the manifest that lists the pools.

A pool whose settings differ is set aside as `.stale`, never overwritten, and restored once its settings are used again.
The journal of a finished pool is deleted.
"""

import contextlib
import logging
import os
import platform
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import RunError, is_permission_error
from bayes_hpo.pool import Pool
from bayes_hpo.repetition import Repetition, pool_key, repetition_key
from bayes_hpo.search.loop import run_search
from bayes_hpo.search.supervision import supervised
from bayes_hpo.storage.files import Journal, locked, set_aside
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.pools import hidden_file, read_pool, write_pool

PACKAGES = ("bayes-hpo", "numpy", "scipy", "scikit-learn", "lightgbm")
log = logging.getLogger(__name__)


def run_block(
    job: dict,
    repetitions: Sequence[int],
    *,
    data_path: str | Path,
    folder: Path,
    manifest: Path,
    depends: dict,
    fingerprint: str,
    revision: str,
    stated: dict | None = None,
) -> None:
    """Search every repetition that has no pool yet, then write the manifest.

    job: resolved configuration that the pools depend on (`campaign.job_config`).
    repetitions: repetition numbers.
    data_path: file of the prepared data.
    folder, manifest: folder of the pools; file that lists the pools and their digests.
    depends: what the pools depend on besides the data (`campaign.fingerprint.search_depends`).
    fingerprint, revision: digest of `depends`; revision of the code.
    stated: what the registry states about the data set (`registry.Row.stated`).
    """
    space = build(job["space"], "space")
    searcher = build(job["searcher"], "searcher", space=space, budget=job["budget"])
    build(job["learner"], "study.learner")  # imports its libraries before the child processes fork
    data = Data.load(data_path, stated)
    fingerprint = f"{fingerprint}-{data.digest}"
    pools = {number: pool_path(folder, number) for number in repetitions}

    def search_all(limited):
        for number, path in pools.items():
            if _key(path) == repetition_key(fingerprint, data.name, number):
                log.info("repetition %d is done: %s", number, path)
                _remove_journal(path.with_suffix(".journal"))
            else:
                log.info("repetition %d: %s", number, path)
                _search(job, searcher, data, number, _in_space(space, limited), path, fingerprint, revision)

    supervised(search_all, job["time_limit"], cpu=job["cpu_limit"], memory=job["memory_limit"])
    write_manifest(manifest, depends, list(pools.values()))


def _remove_journal(journal):
    """Delete the journal of a finished pool, unless another job holds its lock or permissions forbid it."""
    if journal.exists():
        with contextlib.suppress(RunError), locked(journal, 0):
            journal.unlink()


def _in_space(space, limited):
    """Wrap `limited` so that it raises the UserError of `Space.encode` for a configuration outside the space."""

    def evaluate(evaluation, proposal):
        space.encode([proposal.configuration])  # raises UserError
        return limited(evaluation, proposal)

    return evaluate


def _search(job, searcher, data, number, limited, path, fingerprint, revision):
    repetition = Repetition.of(job, data, number)
    evaluation = build(job["evaluation"], "study.evaluation", repetition=repetition)
    evaluate, wanted = partial(limited, evaluation), repetition_key(fingerprint, data.name, number)
    with Journal(path.with_suffix(".journal"), wanted) as journal:
        if _has_pool(path, wanted):  # restored, or made by another job while this one waited for the journal
            journal.remove()
            return
        seeds, truth = repetition.seeds, evaluation.truth
        trials = run_search(searcher, evaluate, budget=job["budget"], seeds=seeds, journal=journal, truth=truth)
        provenance = {"job": job, "repetition": number, "data": data.header, "revision": revision}
        versions = {"python": platform.python_version()} | {package: version(package) for package in PACKAGES}
        provenance |= {"versions": versions, "machine": platform.machine()}
        _set_aside(path)
        write_pool(Pool(tuple(trials), fingerprint, provenance, truth), path)
        journal.remove()


def _has_pool(path, wanted):
    """Whether `path` holds the pool with the wanted key, after restoring one that was set aside.

    Call it only while holding the journal: of two jobs that restore concurrently, the second would miss the file.
    """
    if _key(path) == wanted:
        return True
    for stale in sorted(path.parent.glob(f"{path.name}*.stale")):
        if _key(stale) == wanted:
            _set_aside(path)
            os.replace(stale, path)
            hidden = hidden_file(path)
            if (stale_hidden := stale.with_name(stale.name.replace(path.name, hidden.name))).exists():
                os.replace(stale_hidden, hidden)
            return True
    return False


def _set_aside(path):
    if path.exists():
        reason = "is damaged or depends on something else (give other settings another results_dir)"
        log.warning("%s %s; set aside as %s", path, reason, set_aside(path))
    if hidden_file(path).exists():
        set_aside(hidden_file(path))


def _key(path):
    """Key of the pool at `path`; None if the pool is missing or damaged.

    Raises: RunError if permissions forbid reading it.
    """
    try:
        return pool_key(read_pool(path))
    except RunError as problem:
        if is_permission_error(problem):
            raise
        return None

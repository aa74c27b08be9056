"""Searches on a disk of this node, for shared folders whose locks do not hold between nodes (NFS, Lustre).

A journal is appended under a lock of its file. With a scratch folder it lies there; the shared folder gets a copy every
minute, when the search ends and when it is told to end, so that another node goes on from it. All copies are renamed
into place, so two nodes that run the same search by mistake do the work twice and store the same pool.
"""

import contextlib
import fcntl
import logging
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic, set_aside
from bayes_hpo.storage.manifest import file_digest, pool_path
from bayes_hpo.storage.pools import hidden_file

TMPDIR = "TMPDIR"  # in place of a folder: the node's own folder of temporary files
INTERVAL_S = 60.0  # between two copies of the journals
log = logging.getLogger(__name__)


def placed(job: SearchJob, scratch: str | None) -> contextlib.AbstractContextManager[SearchJob]:
    """The job where its files are written: below the folder `scratch` (`on_this_node`), or its own (`in_place`)."""
    return on_this_node(job, scratch) if scratch else in_place(job)


@contextlib.contextmanager
def on_this_node(job: SearchJob, scratch: str) -> Iterator[SearchJob]:
    """Yield the same job below the folder `scratch`; when the block succeeds, its pools are below the results.

    After an error, or a signal to end, journals are copied, and the files in `scratch` stay for the next run here.
    Raises: RunError when a file cannot be copied.
    """
    top = tempfile.gettempdir() if scratch == TMPDIR else scratch
    local = replace(job, results=str(Path(top, *Path(job.results).resolve().parts[1:])))
    with _one_sentence(local.folder):
        _fetch(job, local)
    try:
        with _copied_journals(job, local):
            yield local
    finally:
        _copy_journals(job, local)
    with _one_sentence(job.folder):
        _deliver(job, local)


@contextlib.contextmanager
def in_place(job: SearchJob) -> Iterator[SearchJob]:
    """Yield the job itself. Raises: RunError when files in its folder cannot be locked."""
    folder = Path(job.folder)
    with _one_sentence(folder, "written"):
        folder.mkdir(parents=True, exist_ok=True)
        if not _locks(folder / f".lock.{secrets.token_hex(4)}.part"):
            raise RunError(
                f"the file system of {folder} does not lock files, and a killed search could not go on safely; "
                "give scratch_dir=FOLDER, on a disk of this node, or scratch_dir=TMPDIR"
            )
    yield job


def _locks(path):
    """Whether a lock of a new file at `path` excludes a second one; the file is deleted."""
    try:
        with open(path, "wb") as first, open(path, "wb") as second:
            fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return False
            return True
    except OSError as problem:
        if not path.exists():
            raise
        log.warning("%s cannot be locked (%s)", path, problem.strerror)
        return False
    finally:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _one_sentence(path, what="copied"):
    """A file error of the system within the block becomes a RunError: what could not be done with files of `path`."""
    try:
        yield
    except OSError as problem:
        raise RunError(f"files of {path} could not be {what} ({problem.strerror}); finished work is kept") from problem


def _pools(job):
    return [pool_path(job.folder, number) for number in range(job.first, job.last + 1)]


def _pairs(job, local):
    """(shared, local) paths of each pool, the file of test predictions before it."""
    pairs = zip(_pools(job), _pools(local), strict=True)
    return [pair for shared, copy in pairs for pair in ((hidden_file(shared), hidden_file(copy)), (shared, copy))]


def _journals(job, local):
    pairs = zip(_pools(job), _pools(local), strict=True)
    return [(shared.with_suffix(".journal"), copy.with_suffix(".journal")) for shared, copy in pairs]


def _fetch(job, local):
    """Copy what earlier runs left: pools, and journals where the copy is newer than what is on this node."""
    Path(local.folder).mkdir(parents=True, exist_ok=True)
    for shared, copy in _pairs(job, local):
        copy.unlink(missing_ok=True)
        _copy(shared, copy)
    for shared, copy in _journals(job, local):
        if shared.is_file() and not (copy.is_file() and copy.stat().st_mtime >= shared.stat().st_mtime):
            _copy(shared, copy)


def _copy(source, target):
    """Copy a file with its time, whole or not at all; a missing one is not copied."""
    if source.is_file():
        with atomic(target) as temporary:
            shutil.copy2(source, temporary)


def _copy_journals(job, local):
    """Copy the journals that have grown; a full disk only costs trials if this node is lost."""
    try:
        for shared, copy in _journals(job, local):
            if copy.is_file() and not (shared.is_file() and shared.stat().st_mtime >= copy.stat().st_mtime):
                _copy(copy, shared)
    except (OSError, RunError) as problem:
        log.warning("the journals in %s could not be copied: %s", local.folder, problem)


@contextlib.contextmanager
def _copied_journals(job, local):
    """Within the block the journals are copied at intervals, and before SIGTERM ends the process.

    The search runs in a child process, which has no timer of its parent's and gives both signals their defaults.
    """
    owner = os.getpid()

    def copy(*_):
        if os.getpid() == owner:
            _copy_journals(job, local)

    def end(number, _):
        copy()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGALRM, copy), signal.signal(signal.SIGTERM, end)
    signal.setitimer(signal.ITIMER_REAL, INTERVAL_S, INTERVAL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGTERM, before[1])


def _deliver(job, local):
    """Copy the new pools, then the manifest; older pools are set aside. What lies on this node is deleted."""
    for shared, copy in _pairs(job, local):
        if copy.is_file() and not (shared.is_file() and file_digest(shared) == file_digest(copy)):
            if shared.is_file():
                log.warning("%s depends on something else; set aside as %s", shared, set_aside(shared))
            _copy(copy, shared)
    manifest = Path(job.output)
    if not (manifest.is_file() and manifest.read_bytes() == Path(local.output).read_bytes()):
        _copy(Path(local.output), manifest)
    for shared, copy in _journals(job, local):
        shared.unlink(missing_ok=True)
        copy.unlink(missing_ok=True)
    for path in [copy for _, copy in _pairs(job, local)] + [Path(local.output)]:
        path.unlink(missing_ok=True)

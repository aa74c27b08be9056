"""Searches on a disk of this node, for shared folders whose locks do not hold between nodes (NFS, Lustre).

A journal is appended under a lock of its file. With a scratch folder it lies there; finished pools and copies of the
journals reach the shared folder every minute, when the search ends and when it is told to end, so that another node
goes on from there. All copies are renamed into place, and a pool that is there is not replaced by an equal one: two
nodes that run the same search by mistake do the work twice and leave one of their pools. On one node the second waits
for nobody: it ends with a sentence.
"""

import contextlib
import fcntl
import logging
import os
import platform
import secrets
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bayes_hpo.campaign.copies import Copies, pools
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import PATIENCE_S, locked

TMPDIR = "TMPDIR"  # in place of a folder: the node's own folder of temporary files
INTERVAL_S = 60.0  # between two times at which files are shared
log = logging.getLogger(__name__)


def placed(job: SearchJob, scratch: str | None) -> contextlib.AbstractContextManager[SearchJob]:
    """The job where its files are written: below the folder `scratch` (`on_this_node`), or its own (`in_place`)."""
    return on_this_node(job, scratch) if scratch else in_place(job)


@contextlib.contextmanager
def on_this_node(job: SearchJob, scratch: str) -> Iterator[SearchJob]:
    """Yield the same job below the folder `scratch`; when the block succeeds, its pools are below the results.

    After an error, or a signal to end, finished pools are there too, and copies of the journals; the files in `scratch`
    stay for the next run here.
    Raises: RunError when the folder does not exist, when a file cannot be copied or locked, and when the same search
    runs on this node already.
    """
    top = tempfile.gettempdir() if scratch == TMPDIR else scratch
    if not Path(top).is_dir():
        raise RunError(f"there is no folder {top} on {platform.node()}; create it, or correct scratch_dir={scratch}")
    local = replace(job, results=str(Path(top, *Path(job.results).resolve().parts[1:])))
    with in_place(local), _alone(local):
        copies = Copies(job, local)
        with _one_sentence(local.folder):
            copies.fetch()
        try:
            with _shared_at_intervals(copies):
                yield local
        finally:
            copies.try_to_share()
        with _one_sentence(job.folder):
            copies.deliver()


@contextlib.contextmanager
def _alone(local):
    """Within the block no other job of this node runs a repetition of the job. Raises: RunError when one does."""
    with contextlib.ExitStack() as stack:
        for path in pools(local):
            lock = path.with_suffix(".lock")
            stack.enter_context(locked(lock, PATIENCE_S))
            stack.callback(lock.unlink, missing_ok=True)
        yield


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


@contextlib.contextmanager
def _shared_at_intervals(copies):
    """Within the block files are shared at intervals, and before SIGTERM ends the process.

    The search runs in a child process, which has no timer of its parent's and gives both signals their defaults.
    """
    owner = os.getpid()

    def share(*_):
        if os.getpid() == owner:
            copies.try_to_share()

    def end(number, _):
        share()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGALRM, share), signal.signal(signal.SIGTERM, end)
    signal.setitimer(signal.ITIMER_REAL, INTERVAL_S, INTERVAL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGTERM, before[1])

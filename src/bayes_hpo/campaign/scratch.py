"""Searches on a disk of this node, for shared folders whose locks do not work between nodes (NFS, Lustre).

A journal is appended to under a lock on its file. With a scratch folder it lies there; finished pools and copies of the
journals are written to the shared folder every minute, when the search ends and when it is told to terminate, so that
another node can resume it. Copies are renamed into place, and an existing pool is not replaced by an equal one: two
nodes that run the same search by mistake do the work twice and leave one of their pools. On the same node, the second
one does not wait but ends with an error.
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

TMPDIR = "TMPDIR"  # instead of a folder: the node's folder for temporary files
INTERVAL_S = 60.0  # seconds between two copies to the shared folder
log = logging.getLogger(__name__)


def placed(job: SearchJob, scratch: str | None) -> contextlib.AbstractContextManager[SearchJob]:
    """The job with its files in the folder `scratch` (`on_this_node`), or in place if there is none (`in_place`)."""
    return on_this_node(job, scratch) if scratch else in_place(job)


@contextlib.contextmanager
def on_this_node(job: SearchJob, scratch: str) -> Iterator[SearchJob]:
    """Yield the same job in the folder `scratch`; if the block succeeds, its pools are moved to the results.

    After an error or a termination signal, finished pools and copies of the journals are in the results, too; the files
    in `scratch` stay for the next run on this node.
    Raises: RunError when the folder does not exist, when a file cannot be copied or locked, and when the same search is
    already running on this node.
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
    """Exclude other jobs on this node from the job's repetitions within the block. Raises: RunError if one runs."""
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
    """Whether a lock on a new file at `path` excludes a second one; the file is deleted."""
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
    """Convert a file-system error within the block to a RunError that says what failed with files of `path`."""
    try:
        yield
    except OSError as problem:
        raise RunError(f"files of {path} could not be {what} ({problem.strerror}); finished work is kept") from problem


@contextlib.contextmanager
def _shared_at_intervals(copies):
    """Share files at intervals within the block, and before SIGTERM ends the process.

    The search runs in a child process, which does not inherit the timer and resets both signals to their defaults.
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

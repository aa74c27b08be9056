"""Atomic writing of files, and the journal from which a killed search resumes."""

import contextlib
import fcntl
import io
import itertools
import json
import logging
import math
import os
import secrets
import time
import weakref
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from bayes_hpo.errors import RunError

PATIENCE_S = 1.0  # seconds to wait for a journal locked by another process
PAUSE_S = 0.01  # seconds between two attempts to lock a file
LOCKED: weakref.WeakSet = weakref.WeakSet()  # files locked by this process
log = logging.getLogger(__name__)


def _close_inherited():
    """Close the parent's locked files in a forked process, so that stray processes of learners hold no locks."""
    for stream in LOCKED:
        stream.close()


os.register_at_fork(after_in_child=_close_inherited)


@contextlib.contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a hidden temporary path next to `path`; if the block succeeds, flush the file and rename it to `path`.

    After an error the temporary file is deleted, and an existing `path` stays as it was.
    Raises: RunError when the disk is full or the folder is not writable.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.touch(exist_ok=False)
        yield temporary
        with open(temporary, "rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        raise RunError(f"{path} could not be written ({problem.strerror}); finished work is not lost") from problem
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def leftovers(folder: str | Path, pattern: str = "**/.*.part", older_than_s: float = 86400) -> list[Path]:
    """Temporary files left by killed writers in `folder`: paths that match the pattern and have the minimum age."""
    oldest = time.time() - older_than_s
    return [path for path in sorted(Path(folder).glob(pattern)) if _modified(path) < oldest]


def _modified(path):
    """Modification time of a file; infinite if it no longer exists."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return math.inf


def set_aside(path: str | Path) -> Path:
    """Rename `path` to `path`.stale, or to `path`.2.stale, ... if that name is taken; return the new path."""
    names = itertools.chain([f"{path}.stale"], (f"{path}.{number}.stale" for number in itertools.count(2)))
    stale = next(Path(name) for name in names if not Path(name).exists())
    os.replace(path, stale)
    return stale


def locked(path: str | Path, patience_s: float) -> io.FileIO:
    """Open `path` for reading and appending, creating it if missing, and lock it until it is closed.

    Raises: RunError when another job keeps it locked for more than `patience_s` seconds, or when it cannot be opened.
    """
    deadline = time.monotonic() + patience_s
    while (stream := _try_to_lock(Path(path))) is None:
        if time.monotonic() > deadline:
            raise RunError(f"another job is writing {path} (waited {patience_s:g} s); wait for it or stop it")
        time.sleep(PAUSE_S)
    LOCKED.add(stream)
    return stream


def _try_to_lock(path):
    """The open, locked file; None if another job has locked it, or has just removed or renamed it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = open(path, "a+b", buffering=0)  # noqa: SIM115
    except OSError as problem:
        raise RunError(f"{path} could not be opened ({problem.strerror})") from problem
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(stream.fileno()), os.stat(path)):
            return stream
    stream.close()
    return None


class Journal:
    """Records of finished trials, one checksummed line each, appended by one job at a time.

    The first line contains the key, which identifies the search. Each checksum continues that of the previous line, so
    a record is valid only at its position and under its key. A journal with another key, or damaged before its first
    record, is set aside as `.stale`; anything after the last valid line is cut off.
    """

    def __init__(self, path: str | Path, key: dict) -> None:
        self.path, self.key = Path(path), key

    def __enter__(self) -> Self:
        """Lock the journal and read it. Raises: RunError when another job has locked it or it is not writable."""
        self._stream = locked(self.path, PATIENCE_S)  # the process of a killed search may take a moment to exit
        try:
            self._begin()
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(self, *_):
        self._stream.close()

    def _begin(self):
        """Read the records and move to the end of the last one, ready to append."""
        self.records, end = self._read()
        lost = self._stream.seek(0, os.SEEK_END) - end
        if end == 0 and lost:
            log.warning("%s is damaged or belongs to another search; set aside as %s", self.path, set_aside(self.path))
            self._stream.close()
            self._stream = locked(self.path, PATIENCE_S)
        elif lost:
            log.warning("%s: %d damaged bytes after %d valid trials were cut off", self.path, lost, len(self.records))
        self._stream.truncate(end)
        self._stream.seek(end)
        if end == 0:
            self.append({"key": self.key})

    def remove(self) -> None:
        """Delete the journal, once its trials are in the pool file."""
        self.path.unlink(missing_ok=True)

    def _read(self):
        records, end, self._check = read_lines(self._stream)
        if not records or records[0] != {"key": self.key}:
            self._check = 0
            return [], 0
        return records[1:], end

    def append(self, record: dict) -> None:
        """Append one record (JSON-serializable) without buffering. Raises: RunError when it cannot be written."""
        body = json.dumps(record, separators=(",", ":")).encode()
        check = zlib.crc32(body, self._check)
        line = b"%08x %b\n" % (check, body)
        start = self._stream.tell()
        try:
            if self._stream.write(line) != len(line):
                raise OSError(28, "No space left on device")
        except OSError as problem:
            self._stream.truncate(start)
            raise RunError(
                f"{self.path} could not be written ({problem.strerror}); its finished trials are kept"
            ) from problem
        self._check = check


def read_lines(stream: io.FileIO) -> tuple[list[dict], int, int]:
    """The valid records from the start of a journal.

    Returns (list of records, byte offset after the last one, its checksum).
    """
    stream.seek(0)
    records, end, last = [], 0, 0
    for line in stream:
        checksum, _, body = line.rstrip(b"\n").partition(b" ")
        check = zlib.crc32(body, last)
        if not line.endswith(b"\n") or checksum != b"%08x" % check:
            break
        records.append(json.loads(body))
        end, last = end + len(line), check
    return records, end, last

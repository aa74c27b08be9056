"""Download of one large file, which is complete or absent; resumes where an earlier attempt stopped."""

import contextlib
import gzip
import http.client
import os
import time
import urllib.error
import urllib.request
import zlib
from pathlib import Path

from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.storage.files import locked

BLOCK = 1 << 16


def download(url: str, target: Path, settings: Settings) -> Path:
    """Download the gzip file at `url` to `target` unless it exists; return `target`.

    Received bytes are kept in `target`.part; the next attempt or command resumes by a Range request. The file is
    renamed to `target` only if its size is as announced and its gzip checksum is correct. If another job is downloading
    the file, wait for it.
    Raises: UserError for an address that is not http(s); RunError when the download fails, when the disk is full or
    when another job takes longer than settings.deadline_s.
    """
    if not url.startswith(("http://", "https://")):
        raise UserError(f"data.archive_url={url} is not an address; it must start with http:// or https://")
    if target.is_file():
        return target
    with _part(target, settings.deadline_s) as part:
        if target.is_file():  # another job has downloaded it in the meantime
            os.unlink(part.name)
            return target
        for attempt in range(settings.attempts):
            if attempt:
                time.sleep(settings.pause_s)
            problem = _continued(url, part, settings.timeout_s) or _damage(part)
            if not problem:
                os.fsync(part.fileno())
                os.replace(part.name, target)
                return target
    raise RunError(f"{url} could not be downloaded ({problem}); run the command again to continue")


@contextlib.contextmanager
def _part(target, patience_s):
    """The partial file, open and locked (`files.locked`)."""
    path = f"{target}.part"
    try:
        with locked(path, patience_s) as part:
            yield part
    except OSError as problem:
        raise RunError(
            f"{path} could not be written ({problem.strerror}); the part received so far is kept"
        ) from problem


def _continued(url, part, timeout_s):
    """Append the missing bytes to `part`; return why it is still incomplete, or an empty string."""
    have = part.seek(0, os.SEEK_END)
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=timeout_s)
    except urllib.error.HTTPError as problem:
        nothing_more = problem.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE
        return "" if nothing_more else f"HTTP {problem.code}"
    except (OSError, http.client.HTTPException) as problem:
        return _reason(problem)
    with answer:
        if answer.status != http.client.PARTIAL_CONTENT:
            part.truncate(0)
        return _appended(answer, part)


def _appended(answer, part):
    announced = answer.length
    came = 0
    while True:
        try:
            block = answer.read1(BLOCK)
        except (OSError, http.client.HTTPException) as problem:
            return _reason(problem)
        if not block:
            break
        came += part.write(block)
    short = announced is not None and came != announced
    return f"{came} of {announced} bytes came" if short else ""


def _damage(part):
    """Why `part` is not a complete gzip file, or an empty string; a file that cannot be resumed is emptied."""
    if part.seek(0, os.SEEK_END) == 0:
        return "nothing came"
    part.seek(0)
    try:
        with gzip.open(part) as content:
            while content.read(1 << 20):
                pass
    except EOFError:
        return "not a complete gzip file: it is cut"
    except (OSError, zlib.error) as problem:
        part.truncate(0)
        return f"not a complete gzip file: {problem}"
    return ""


def _reason(problem):
    return str(getattr(problem, "reason", problem)) or type(problem).__name__

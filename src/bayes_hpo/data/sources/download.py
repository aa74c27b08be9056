"""One large file from an address: whole or absent, continued where an earlier attempt broke off."""

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
from bayes_hpo.errors import Fault, UserError
from bayes_hpo.storage.files import locked

BLOCK = 1 << 16


def download(url: str, target: Path, settings: Settings) -> Path:
    """Fetch the gzip file at `url` to `target` (Path) when it is not there; return `target`.

    What has come lies in `target`.part and is continued by a Range request, also by the next command. The size is
    compared with the announced one and the gzip checksum with the content before the file takes its name. What another
    job is fetching is waited for, and used.
    Raises: UserError for an address that is not http(s); Fault when it cannot be had, when the disk is full or when
    another job needs longer than settings.deadline_s.
    """
    if not url.startswith(("http://", "https://")):
        raise UserError(f"data.archive_url={url} is no address; it starts with http:// or https://")
    if target.is_file():
        return target
    with _part(target, settings.deadline_s) as part:
        if target.is_file():  # another job has fetched it while this one waited
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
    raise Fault(f"{url} could not be had ({problem}); run the command again, it continues what has come so far")


@contextlib.contextmanager
def _part(target, patience_s):
    """The file of what has come so far, open and locked (`files.locked`)."""
    path = f"{target}.part"
    try:
        with locked(path, patience_s) as part:
            yield part
    except OSError as problem:
        raise Fault(f"{path} could not be written ({problem.strerror}); what has come so far is kept") from problem


def _continued(url, part, timeout_s):
    """Append what `part` lacks; return why it is not complete, or an empty string."""
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
    """Why `part` is no whole gzip file, or an empty string; a foreign one is emptied, a cut one can be continued."""
    if part.seek(0, os.SEEK_END) == 0:
        return "nothing came"
    part.seek(0)
    try:
        with gzip.open(part) as content:
            while content.read(1 << 20):
                pass
    except EOFError:
        return "no whole gzip file: it is cut"
    except (OSError, zlib.error) as problem:
        part.truncate(0)
        return f"no whole gzip file: {problem}"
    return ""


def _reason(problem):
    return str(getattr(problem, "reason", problem)) or type(problem).__name__

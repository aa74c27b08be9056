"""The files of OpenML data sets in results/data/openml: complete and with correct checksums, or absent."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources import openml_child
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import leftovers

FILES = ("description.xml", "dataset.arff")
OML = "{http://openml.org/openml}"


def fetched(row: Row, settings: Settings) -> Path:
    """The folder with description.xml and dataset.arff of data set row.openml_id.

    The files are verified at every use (md5 in the description, sha256 in the registry) and downloaded if missing or
    damaged.
    Raises: RunError when the download fails (timeout, server error, wrong checksum, cut body) or cannot be written.
    """
    target = settings.folder / "openml" / str(row.openml_id)
    if not _damage(target, row):
        return target
    try:
        reason = _download(row, target, settings)
    except OSError as problem:
        raise RunError(
            f"{target} could not be written ({problem.strerror}); give a results_dir that can be"
        ) from problem
    if reason:
        raise RunError(
            f"OpenML data set {row.openml_id} could not be downloaded ({reason}); run the command again, or "
            "give a folder that holds its file: data.openml_dir=FOLDER (docs/data.md)"
        )
    return target


def _download(row, target, settings):
    """Download the files to `target`; return why the last attempt failed, or an empty string."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target)
    end = time.monotonic() + settings.deadline_s
    for attempt in range(settings.attempts):
        if attempt:
            time.sleep(settings.pause_s)
        left = end - time.monotonic()
        if attempt and left <= 0:
            break
        prefix = f".{row.openml_id}."
        with tempfile.TemporaryDirectory(prefix=prefix, dir=target.parent, ignore_cleanup_errors=True) as cache:
            problem = _fetch(row.openml_id, cache, settings, left) or _accept(Path(cache), target, row)
        if not problem:
            break
    return problem


def _fetch(number, cache, settings, left):
    """Run the client in a child process for at most `left` seconds; return what went wrong, or an empty string."""
    words = [str(number), cache, str(settings.timeout_s), settings.openml_server]
    home = {"OPENML_SKIP_PARQUET": "true", "OPENML_CACHE_DIR": cache, "XDG_CONFIG_HOME": cache}
    try:
        done = subprocess.run(
            [sys.executable, "-m", openml_child.__name__, *words],
            env=os.environ | home,
            capture_output=True,
            text=True,
            timeout=left,
        )
    except OSError as problem:
        return f"the client could not be started: {problem.strerror}"
    except subprocess.TimeoutExpired:
        return f"no answer within {settings.deadline_s:g} s"
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return lines[-1] if done.returncode else ""


def _accept(cache, target, row):
    """Move valid files from the client's cache to `target` by one rename; return why they are invalid, or ""."""
    downloaded = next((path.parent for path in cache.rglob("description.xml")), cache)
    if problem := _damage(downloaded, row):
        return problem
    complete = cache / "complete"
    complete.mkdir()
    for name in FILES:
        os.replace(downloaded / name, complete / name)
    with contextlib.suppress(FileNotFoundError):
        os.replace(target, cache / "damaged")
    with contextlib.suppress(OSError):  # another job was faster; its files are equivalent
        os.replace(complete, target)
    return _damage(target, row)


def _damage(folder, row):
    """Why the files in `folder` cannot be used, or an empty string."""
    try:
        description = ElementTree.parse(folder / "description.xml").getroot()
        content = (folder / "dataset.arff").read_bytes()
    except (OSError, ElementTree.ParseError) as problem:
        return f"incomplete download: {problem}"
    checksum = description.findtext(OML + "md5_checksum", "").strip().lower()
    if hashlib.md5(content, usedforsecurity=False).hexdigest() != checksum:
        return "dataset.arff differs from the md5 of its description"
    if known_sums(row) and hashlib.sha256(content).hexdigest() not in known_sums(row):
        return "dataset.arff differs from the sha256 in conf/datasets.csv"
    return ""


def known_sums(row: Row) -> tuple:
    """The sha256 sums of the ARFF file in the registry (tuple, may be empty)."""
    return row.layouts[0][0].sha256 if row.layouts else ()


def _sweep(target):
    """Remove temporary folders that killed downloads of this data set left behind more than a day ago."""
    for left in leftovers(target.parent, f".{target.name}.*"):
        shutil.rmtree(left, ignore_errors=True)

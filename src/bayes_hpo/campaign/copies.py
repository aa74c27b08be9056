"""The files of a search on the disk of a node, and their copies in the shared folder."""

import logging
import shutil
from pathlib import Path

from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic, read_lines, set_aside
from bayes_hpo.storage.manifest import pool_path, read_manifest, write_manifest
from bayes_hpo.storage.pools import hidden_file, read_pool

log = logging.getLogger(__name__)


def pools(job: SearchJob) -> list[Path]:
    """Paths of the pools of a search."""
    return [pool_path(job.folder, number) for number in range(job.first, job.last + 1)]


class Copies:
    """The files of a search on this node and in the shared folder.

    job, local: the search with the shared folder, and the same search on this node.
    times: dict, path on this node -> its modification time (ns) when it was last equal to the shared file.
    """

    def __init__(self, job: SearchJob, local: SearchJob) -> None:
        self.job, self.local = job, local
        self.pools = list(zip(pools(job), pools(local), strict=True))
        self.times: dict[Path, int] = {}

    def fetch(self) -> None:
        """Copy the results of earlier runs: pools, and journals that contain more than those on this node."""
        Path(self.local.folder).mkdir(parents=True, exist_ok=True)
        for shared, here in self.pools:
            if shared.is_file():
                _copy(hidden_file(shared), hidden_file(here))
                _copy(shared, here)
                self.times[here] = _time(here)
            if _holds_more(_journal(shared), _journal(here)):
                _copy(_journal(shared), _journal(here))

    def share(self) -> None:
        """Copy pools finished on this node, and journals that have grown."""
        for shared, here in self.pools:
            if self._is_new(here) and not _is_same_search(here, shared):
                for path in (hidden_file(shared), shared):
                    if path.is_file():
                        log.warning("%s depends on something else; set aside as %s", path, set_aside(path))
                _copy(hidden_file(here), hidden_file(shared))
                _copy(here, shared)
            if self._is_new(_journal(here)):
                _copy(_journal(here), _journal(shared))
            elif here.is_file() and not _journal(here).is_file():
                _journal(shared).unlink(missing_ok=True)

    def _is_new(self, path):
        """Whether a file on this node has changed since the last call, or was never shared."""
        if not path.is_file() or self.times.get(path) == _time(path):
            return False
        self.times[path] = _time(path)  # taken before the copy, so that what is appended meanwhile is copied next time
        return True

    def try_to_share(self) -> None:
        """`share`, but errors such as a full disk are only logged, since they cost work only if this node is lost.

        The next call tries again.
        """
        before = dict(self.times)
        try:
            self.share()
        except (OSError, RunError) as problem:
            self.times = before
            log.warning("the files in %s could not be copied: %s", self.local.folder, problem)

    def deliver(self) -> None:
        """Copy what is not shared yet, list the shared pools in a manifest, and delete the files on this node."""
        self.share()
        write_manifest(self.job.output, read_manifest(self.local.output)["depends"], pools(self.job))
        for _, here in self.pools:
            for path in (here, hidden_file(here), _journal(here)):
                path.unlink(missing_ok=True)
        Path(self.local.output).unlink(missing_ok=True)


def _journal(pool):
    return pool.with_suffix(".journal")


def _time(path):
    return path.stat().st_mtime_ns


def _copy(source, target):
    """Copy a file and its modification time atomically; a missing one is not copied."""
    if source.is_file():
        with atomic(target) as temporary:
            shutil.copy2(source, temporary)


def _holds_more(first, second):
    """Whether a journal has more trials than another one of the same search; of different searches, is newer."""
    if not (first.is_file() and second.is_file()):
        return first.is_file()
    records, others = _records(first), _records(second)
    return len(records) > len(others) if records[:1] == others[:1] else _time(first) > _time(second)


def _records(journal):
    with open(journal, "rb", buffering=0) as stream:
        return read_lines(stream)[0]


def _is_same_search(first, second):
    """Whether both files are valid pools with equal fingerprints: equal except for seconds and provenance."""
    try:
        return read_pool(first).fingerprint == read_pool(second).fingerprint
    except RunError:
        return False

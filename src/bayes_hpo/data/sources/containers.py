"""Where the archive's files lie: a folder, or the authors' data.tar.gz."""

import contextlib
import functools
import gzip
import shutil
import tarfile
import tempfile
import weakref
import zlib
from pathlib import Path, PurePosixPath

from bayes_hpo.errors import Fault, UserError


class Folder:
    """The archive's folder, one folder per data set; what stands in for absent files may lie in ../other."""

    def __init__(self, path):
        self.path = path

    def has(self, folder, name):
        """Whether file `name` of the set `folder` is there."""
        return self._find(folder, name) is not None

    def read(self, folder, name):
        """Bytes of a file that is there."""
        return self._find(folder, name).read_bytes()

    def _find(self, folder, name):
        for root in (self.path, self.path.resolve().parent / "other"):
            if (root / folder / name).is_file():
                return root / folder / name
        return None


class Tarball:
    """The authors' data.tar.gz, whatever folders lead to its sets; nothing is unpacked under a name from inside it.

    path: the file; folder: where a nameless uncompressed copy lies while the command runs. Raises: Fault when the file
    is cut or no tar.gz, or when the copy does not fit on the disk.
    """

    def __init__(self, path, folder):
        copy = _uncompressed(path, folder)
        weakref.finalize(self, copy.close)
        try:
            self._tar = tarfile.open(fileobj=copy, mode="r:")  # noqa: SIM115 - it lives as long as this object
            members = [member for member in self._tar if member.isfile()]
        except tarfile.TarError as problem:
            raise _unusable(path, problem) from problem
        self._members = {}
        for member in members:
            parts = PurePosixPath(member.name).parts
            for depth in (2, 3):  # set/file and set/original/file
                self._members.setdefault("/".join(parts[-depth:]), member)

    def has(self, folder, name):
        """Whether file `name` of the set `folder` is there."""
        return f"{folder}/{name}" in self._members

    def read(self, folder, name):
        """Bytes of a file that is there."""
        return self._tar.extractfile(self._members[f"{folder}/{name}"]).read()


def _uncompressed(path, folder):
    """A nameless file in `folder` with the content of the gzip file `path`, open at its start."""
    with contextlib.ExitStack() as undo:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            copy = undo.enter_context(tempfile.TemporaryFile(dir=folder))
            with gzip.open(path) as packed:
                shutil.copyfileobj(packed, copy, 1 << 20)
            copy.seek(0)
        except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
            raise _unusable(path, problem) from problem
        except OSError as problem:
            raise Fault(f"{path} could not be unpacked in {folder} ({problem.strerror}); make room there") from problem
        undo.pop_all()
        return copy


def _unusable(path, problem):
    return Fault(f"{path} is no whole tar.gz file ({problem}); fetch it again")


def opened(path, folder):
    """Return the Folder or the Tarball at `path`; `folder` is where a Tarball may keep its copy.

    Raises: UserError when there is nothing at `path`, Fault when the tar.gz is cut or none.
    """
    path = Path(path)
    if path.is_dir():
        return Folder(path)
    if not path.is_file():
        raise UserError(f"data.archive_dir={path} is not there; give the archive's folder or its data.tar.gz")
    status = path.stat()
    return _tarball(path, Path(folder), (status.st_size, status.st_mtime_ns))


@functools.lru_cache(maxsize=1)
def _tarball(path, folder, version):
    """One uncompressed copy per command: a suite reads its sets from the same Tarball."""
    return Tarball(path, folder)

"""Containers of the files of the archive: a folder, or the authors' data.tar.gz."""

import functools
import gzip
import shutil
import tarfile
import tempfile
import weakref
import zlib
from pathlib import Path, PurePosixPath

from bayes_hpo.data.sources.formats import READERS
from bayes_hpo.errors import RunError, UserError

BLOCK = 1 << 20


class Folder:
    """The folder of the archive, with one folder per data set; substitutes for missing files may be in ../other."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def has(self, folder: str, name: str) -> bool:
        """Whether file `name` of the data set `folder` exists."""
        return self._find(folder, name) is not None

    def read(self, folder: str, name: str) -> bytes:
        """Bytes of a file that exists."""
        return self._find(folder, name).read_bytes()

    def _find(self, folder, name):
        places = [root / folder / name for root in (self.path, self.path.resolve().parent / "other")]
        return next((place for place in places if place.is_file()), None)


class Tarball:
    """The authors' data.tar.gz, with folders at any depth; no file is created under a name from the tarball.

    path: path of the tarball.
    folder: folder for an anonymous temporary copy of the readable members.
    Raises: RunError when the file is truncated or not a tar.gz, or when the copy does not fit on the disk.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self._places: dict[str, tuple[int, int]] = {}  # set/file -> (start in the copy, size)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._copy = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with this object
            weakref.finalize(self, self._copy.close)
            with gzip.open(path) as packed:
                with tarfile.open(fileobj=packed, mode="r|") as tar:
                    self._keep(tar)
                while packed.read(BLOCK):  # the checksum is at the end
                    pass
        except (gzip.BadGzipFile, EOFError, zlib.error, tarfile.TarError) as problem:
            raise RunError(f"{path} is not a complete tar.gz file ({problem}); fetch it again") from problem
        except OSError as problem:
            raise RunError(
                f"{path} could not be unpacked in {folder} ({problem.strerror}); make room there"
            ) from problem

    def _keep(self, tar):
        """Copy the files of known formats; store position and size of each."""
        for member in tar:
            if member.isfile() and member.name.endswith(tuple(READERS)):
                parts = PurePosixPath(member.name).parts
                for depth in (2, 3):  # set/file and set/original/file
                    self._places.setdefault("/".join(parts[-depth:]), (self._copy.tell(), member.size))
                shutil.copyfileobj(tar.extractfile(member), self._copy, BLOCK)

    def has(self, folder: str, name: str) -> bool:
        """Whether file `name` of the data set `folder` exists."""
        return f"{folder}/{name}" in self._places

    def read(self, folder: str, name: str) -> bytes:
        """Bytes of a file that exists."""
        start, size = self._places[f"{folder}/{name}"]
        self._copy.seek(start)
        return self._copy.read(size)


def opened(path: str | Path, folder: str | Path) -> Folder | Tarball:
    """The Folder or Tarball at `path`; `folder` is for the temporary copy of a Tarball.

    Raises: UserError when `path` does not exist, RunError when it is not a complete tar.gz.
    """
    path = Path(path)
    if path.is_dir():
        return Folder(path)
    if not path.is_file():
        raise UserError(f"data.archive_dir={path} does not exist; give the archive's folder or its data.tar.gz")
    status = path.stat()
    return _tarball(path, Path(folder), (status.st_size, status.st_mtime_ns))


@functools.lru_cache(maxsize=1)
def _tarball(path, folder, version):
    """One uncompressed copy per command, shared by all data sets of a suite."""
    return Tarball(path, folder)

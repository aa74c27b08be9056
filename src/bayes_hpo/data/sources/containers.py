"""Where the archive's files lie: a folder, or the authors' data.tar.gz."""

import functools
import gzip
import shutil
import tarfile
import tempfile
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

    path: the file; folder: where a nameless uncompressed copy may lie while the command runs. Raises: Fault when the
    file is cut or no tar.gz.
    """

    def __init__(self, path, folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._copy = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - it lives as long as this object
            with gzip.open(path) as packed:
                shutil.copyfileobj(packed, self._copy, 1 << 20)
            self._copy.seek(0)
            self._tar = tarfile.open(fileobj=self._copy, mode="r:")  # noqa: SIM115
            members = [member for member in self._tar if member.isfile()]
        except (OSError, EOFError, zlib.error, tarfile.TarError) as problem:
            raise Fault(f"{path} is no whole tar.gz file ({problem}); fetch it again") from problem
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

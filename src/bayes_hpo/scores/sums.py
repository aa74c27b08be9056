"""The checksums of released files, in SHA256SUMS in their folder (for `sha256sum -c`)."""

import contextlib
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic, locked
from bayes_hpo.storage.layout import released_folder

NAME, LOCK = "SHA256SUMS", ".SHA256SUMS.lock"
PATIENCE_S = 60.0
LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


class Sums:
    """The checksums of a folder of released scores and measures.

    listed: dict, path of a file in the folder -> checksum (64 hex digits).
    """

    def __init__(self, folder: str | Path) -> None:
        """Read the list; it is empty if its file does not exist. Raises: RunError when a line is damaged."""
        self.folder, self.path = Path(folder), Path(folder, NAME)
        self.listed = self._read()

    def check(self, study: str, scale: str) -> Path:
        """Verify the files of a study at a scale and return their folder.

        Raises: RunError when a file differs from its checksum, is listed but missing, or is not listed.
        """
        self.verify(study, scale)
        for name in self._unlisted(study, scale):
            add = f"if it belongs there, list it with: {_release(study, scale)}"
            raise RunError(f"{self.folder / name} is not listed in {self.path}; {add}")
        return Path(released_folder(scale, study, self.folder))

    def verify(self, study: str, scale: str) -> None:
        """Verify the listed files of a study at a scale. Raises: RunError when a file is missing or differs."""
        for name, listed in self.listed.items():
            if name.startswith(f"{study}/{scale}/") and _sum(self.folder / name) != listed:
                restore = f"restore it with: git checkout -- {self.folder / name}"
                renew = f"if it is meant to be new, delete its line there and run: {_release(study, scale)}"
                raise RunError(f"{self.folder / name} is not the file that {self.path} lists; {restore} ({renew})")

    def add(self, study: str, scale: str) -> None:
        """List the unlisted files of a study at a scale, such as files copied by hand."""
        self._edit({name: _sum(self.folder / name) for name in self._unlisted(study, scale)})

    @contextlib.contextmanager
    def changing(self, path: Path) -> Iterator[None]:
        """Unlist a file while it is being written, so that the next release lists it if this one is killed."""
        name = path.relative_to(self.folder).as_posix()
        self._edit({name: None})
        try:
            yield
        finally:
            self._edit({name: _sum(path)})

    def _unlisted(self, study, scale):
        below = sorted(Path(released_folder(scale, study, self.folder)).rglob("[!.]*.parquet"))
        return [
            name for name in (path.relative_to(self.folder).as_posix() for path in below) if name not in self.listed
        ]

    def _read(self):
        try:
            lines = self.path.read_text(encoding="ascii").split("\n")[:-1]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as problem:
            raise RunError(
                f"{self.path} cannot be read ({problem}); restore it with: git checkout -- {self.path}"
            ) from problem
        matches = [LINE.fullmatch(line) for line in lines]
        if None in matches or len({match[2] for match in matches}) < len(lines):
            raise RunError(f"{self.path} has a damaged line; restore it with: git checkout -- {self.path}")
        return {match[2]: match[1] for match in matches}

    def _edit(self, sums):
        """Change lines of the list; sums: dict, path in the folder -> new checksum, or None to remove the line."""
        with locked(self.path.with_name(LOCK), PATIENCE_S):  # another release may be writing the list
            self._edit_alone(sums)

    def _edit_alone(self, sums):
        before = self._read()
        self.listed = {name: listed for name, listed in sorted((before | sums).items()) if listed}
        if self.listed != before:
            with atomic(self.path) as temporary:
                temporary.write_text(
                    "".join(f"{self.listed[name]}  {name}\n" for name in self.listed), encoding="ascii"
                )


def _sum(path):
    """The checksum of a file; None if it does not exist. Raises: RunError when it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise RunError(f"{path} cannot be read ({problem.strerror})") from problem


def _release(study, scale):
    return f"python -m bayes_hpo.stages.release study={study} scale={scale}"

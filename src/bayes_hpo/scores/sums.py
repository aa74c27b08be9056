"""The sums of released files, SHA256SUMS in their folder, by which any changed bit of them is told (`sha256sum -c`)."""

import contextlib
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from bayes_hpo.errors import Fault
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import released_folder

NAME = "SHA256SUMS"
LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


class Sums:
    """The list of a folder of released scores and measures; its methods are about the files of a study at a scale.

    listed: dict, path of a file in the folder -> its sum (64 hex digits).
    """

    def __init__(self, folder: str | Path) -> None:
        """Read the list, which is empty without its file. Raises: Fault when a line of it is damaged."""
        self.folder, self.path = Path(folder), Path(folder, NAME)
        self.listed = self._read()

    def check(self, study: str, scale: str) -> Path:
        """Return the folder of the files.

        Raises: Fault when one of them is not the one that is listed, is listed and absent, or is not listed.
        """
        self.verify(study, scale)
        for name in self._unlisted(study, scale):
            add = f"if it belongs there, list it with: {_release(study, scale)}"
            raise Fault(f"{self.folder / name} is not listed in {self.path}; {add}")
        return Path(released_folder(scale, study, self.folder))

    def verify(self, study: str, scale: str) -> None:
        """Raises: Fault when a listed file is another one or absent."""
        for name, listed in self.listed.items():
            if name.startswith(f"{study}/{scale}/") and _sum(self.folder / name) != listed:
                restore = f"restore it with: git checkout -- {self.folder / name}"
                renew = f"if it is meant to be new, delete its line there and run: {_release(study, scale)}"
                raise Fault(f"{self.folder / name} is not the file that {self.path} lists; {restore} ({renew})")

    def add(self, study: str, scale: str) -> None:
        """List the files that are not listed yet, such as those that were copied here by hand."""
        self._edit({name: _sum(self.folder / name) for name in self._unlisted(study, scale)})

    @contextlib.contextmanager
    def changing(self, path: Path) -> Iterator[None]:
        """Let a file be written. It is not listed meanwhile: what a killed release leaves is listed by the next one."""
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
            raise Fault(
                f"{self.path} cannot be read ({problem}); restore it with: git checkout -- {self.path}"
            ) from problem
        found = [LINE.fullmatch(line) for line in lines]
        if None in found or len({line[2] for line in found}) < len(lines):
            raise Fault(f"{self.path} has a damaged line; restore it with: git checkout -- {self.path}")
        return {line[2]: line[1] for line in found}

    def _edit(self, sums):
        """Change lines of the list; sums: dict, path in the folder -> its new sum, None for no line."""
        before = self._read()
        self.listed = {name: listed for name, listed in sorted((before | sums).items()) if listed}
        if self.listed != before:
            with atomic(self.path) as part:
                part.write_text("".join(f"{self.listed[name]}  {name}\n" for name in self.listed), encoding="ascii")


def _sum(path):
    """The sum of a file; None when it is not there. Raises: Fault when it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Fault(f"{path} cannot be read ({problem.strerror})") from problem


def _release(study, scale):
    return f"python -m bayes_hpo.stages.release study={study} scale={scale}"

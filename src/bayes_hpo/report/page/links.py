"""Links of the page to files of the checkout; they are relative, so that products can be moved with their page."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Link:
    """A link: its text, and its address relative to the page."""

    text: str
    address: str


def beside(page: str | Path, path: str | Path) -> str:
    """The address of a file, with an optional #anchor, relative to the page; both paths start in the current folder."""
    return Path(os.path.relpath(path, Path(page).parent)).as_posix()

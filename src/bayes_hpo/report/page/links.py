"""Links of the page to files of the checkout: relative, so that a folder of products can be moved with its page."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Link:
    """A link: its text, and its address relative to the page."""

    text: str
    address: str


def beside(page: str | Path, path: str | Path) -> str:
    """The address of a file, maybe with #anchor, as seen from the page; both paths start where the process runs."""
    return Path(os.path.relpath(path, Path(page).parent)).as_posix()

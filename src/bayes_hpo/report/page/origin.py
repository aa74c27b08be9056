"""What a page is made by and from, and how what it lacks is made: told by the stage that makes the page."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """How an artifact that is missing is made.

    commands: one after the other.
    core_hours: estimated, of the searches and refits that the commands start; 0 for none.
    data: pairs (suite, sources), the suites whose data have to be fetched and where from.
    """

    commands: tuple[str, ...]
    core_hours: float = 0.0
    data: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class Origin:
    """What a page is made by and from.

    revision, date: of the code; empty when they are unknown.
    released: folder of the released scores that the products were made from, None for those of one's own runs.
    recipe: function, (document, artifact) -> its Recipe, None where no study makes it at the page's scale.
    """

    revision: str = ""
    date: str = ""
    released: str | None = None
    recipe: Callable[[str, str], Recipe | None] | None = None

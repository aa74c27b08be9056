"""The origin of a page, and recipes for missing artifacts; the stage that makes the page provides both."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """How to make a missing artifact.

    commands: to be run in this order.
    core_hours: estimate for the searches and refits that the commands start; 0 for none.
    data: pairs (suite, sources): suites whose data have to be fetched, and their sources.
    """

    commands: tuple[str, ...]
    core_hours: float = 0.0
    data: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class Origin:
    """The code and the scores behind a page.

    revision, date: those of the code; empty if unknown.
    released: folder of the released scores behind the products, None for the user's own runs.
    recipe: function, (document, artifact) -> Recipe, or None if no study makes the artifact at the page's scale.
    """

    revision: str = ""
    date: str = ""
    released: str | None = None
    recipe: Callable[[str, str], Recipe | None] | None = None

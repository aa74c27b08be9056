"""The products of a study: tables and figures of its results, some of them together with those of other studies."""

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.compose import options, unknown, written
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import product_file

ALL = "all"  # the artifacts of a study without the page


def artifacts(grid: Grid, wanted: str | None = None) -> list[str]:
    """Names of the artifacts that the study makes; wanted: only this one.

    An artifact that several studies list is drawn from the results of all of them and made by the first.
    Raises: UserError for a wanted artifact that the study does not list.
    """
    every = grid.cfg["study"]["artifacts"]
    if wanted in (None, ALL):
        return [name for name in every if drawn_from(grid, name)[0] == grid.study]
    if not every:
        raise UserError(f"study={grid.study} has no artifacts; give the study that lists {wanted} (study.artifacts)")
    if wanted not in every:
        raise UserError(f"{unknown('artifact', wanted, every)}, the artifacts of study {grid.study}")
    return [wanted]


def drawn_from(grid: Grid, artifact: str) -> list[str]:
    """Names of the studies, sorted, from whose results an artifact is drawn: those that list it and have the scale."""
    document = grid.cfg["study"]["document"]
    return [name for name in options("study") if name == grid.study or _lists(name, artifact, document, grid.scale)]


def products(grid: Grid, folder: str = ".") -> list[str]:
    """The first file below `folder` of every artifact that the study makes."""
    document = grid.cfg["study"]["document"]
    return [product_file(grid.scale, document, name, folder) for name in artifacts(grid)]


def _lists(study, artifact, document, scale):
    """Whether the file of a study lists an artifact of a document, and has the scale."""
    node = written("study", study)
    return (
        node.get("document") == document and scale in node.get("scales", ()) and artifact in node.get("artifacts", ())
    )

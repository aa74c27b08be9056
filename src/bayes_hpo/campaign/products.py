"""The products of a study: tables and figures of its results, some of them drawn together with other studies."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.needs import with_results
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.options import CONF, options, written
from bayes_hpo.data.registry import suite
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import product_file, with_released

ALL = "all"  # all artifacts of a study, without the page


class Listed(NamedTuple):
    """An artifact of a document, as listed by a study."""

    document: str
    name: str


def listed(study: dict) -> list[Listed]:
    """The artifacts that a study (its configuration) lists, ordered by document."""
    return [Listed(document, name) for document, names in study["artifacts"].items() for name in names]


def artifacts(grid: Grid, wanted: str | None = None, released: str | None = None) -> list[Listed]:
    """The artifacts that the study makes. wanted: only those with this name, or DOCUMENT/NAME.

    An artifact listed by several studies is drawn from the results of all of them, and made by the first.
    released: folder of released scores to draw from, if any.
    Raises: UserError for a wanted artifact that the study does not list.
    """
    every = listed(grid.cfg["study"])
    if wanted in (None, ALL):
        return [artifact for artifact in every if drawn_from(grid, artifact, released)[0] == grid.study]
    if not every:
        raise UserError(f"study={grid.study} has no artifacts; give the study that lists {wanted} (study.artifacts)")
    matching = [artifact for artifact in every if wanted in (artifact.name, "/".join(artifact))]
    if not matching:
        names, others = [artifact.name for artifact in every], _listing_it(wanted, every[0].document)
        elsewhere = f"; artifact={wanted} is of study={others[0]}" if others else ""
        raise UserError(f"{unknown('artifact', wanted, names)}, the artifacts of study {grid.study}{elsewhere}")
    return matching


def drawn_from(grid: Grid, artifact: Listed, released: str | None = None) -> list[str]:
    """Names of the studies, sorted, from whose results an artifact is drawn: those that list it and have the scale.

    released: folder of released scores; studies without any in it are left out, except that of the grid.
    """
    return sorted({grid.study, *with_released(studies_of(artifact, grid.scale), grid.scale, released)})


def studies_of(artifact: Listed, scale: str) -> list[str]:
    """Names of the studies, sorted, that list an artifact and have the scale."""
    return sorted(name for name, scales in _listing(CONF.resolve()).get(artifact, []) if scale in scales)


def drawn_together(
    grid: Grid, wanted: str | None = None, released: str | None = None
) -> dict[tuple[str, tuple[str, ...]], list[str]]:
    """The `artifacts` that the study makes: dict, (document, studies that they are drawn from) -> names."""
    together: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for artifact in artifacts(grid, wanted, released):
        together.setdefault((artifact.document, tuple(drawn_from(grid, artifact, released))), []).append(artifact.name)
    return together


def reported_on(cfg: dict) -> list[Grid]:
    """The grid of the study in a configuration, or else of every study of the scale that makes artifacts.

    Raises: UserError for an artifact without its study, and for methods and data sets that the study cannot have.
    """
    if cfg["names"]["study"] in (studies := options("study")):
        grid = Grid(cfg, cfg["without"])
        _check("study.methods", cfg["study"]["methods"], options("method"))
        _check("without", grid.without, suite(grid.scale_settings["suite"]))
        return [grid]
    if cfg["artifact"]:
        raise UserError(f"artifact={cfg['artifact']} needs a study; allowed: {', '.join(studies)}")
    names = with_results(cfg["scale"]["name"], cfg["scores"])
    grids = [Grid.of(name, cfg["scale"]["name"], cfg["results_dir"], cfg["without"]) for name in names]
    return [grid for grid in grids if listed(grid.cfg["study"])]


def products(grid: Grid, folder: str = ".") -> list[str]:
    """The first file in `folder` of every artifact that the study makes."""
    return [product_file(grid.scale, *artifact, folder) for artifact in artifacts(grid)]


def _listing_it(wanted, document):
    """Names of the studies that list an artifact of a document, sorted. wanted: its name, or DOCUMENT/NAME."""
    listing = _listing(CONF.resolve())
    keys = {Listed(document, str(wanted)), Listed(*str(wanted).partition("/")[::2])}
    return sorted(name for key in keys for name, _ in listing.get(key, []))


def _check(key, names, allowed):
    """Check the names. Raises: UserError for the first one that is not allowed."""
    for name in names:
        if name not in allowed:
            raise UserError(unknown(key, name, allowed))


@cache
def _listing(conf: Path) -> dict[Listed, list[tuple]]:
    """The studies that list each artifact, (name, its scales), in a folder of configuration; cached."""
    studies: dict[Listed, list[tuple]] = {}
    for name in options("study"):
        node = {"artifacts": {}, "scales": ()} | written("study", name)
        for artifact in listed(node):
            studies.setdefault(artifact, []).append((name, tuple(node["scales"])))
    return studies

"""Make tables, figures and the page of a scale from scores, and print them."""

from typing import Any

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.needs import with_results
from bayes_hpo.campaign.products import Listed, artifacts, drawn_from, listed
from bayes_hpo.configuration.options import options
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Make one artifact, all artifacts of a study, the page, or all artifacts of all studies and then the page."""
    scale, wanted, problems = cfg["scale"]["name"], cfg["artifact"], []
    grids = [] if wanted == "page" else _grids(cfg, scale)
    from bayes_hpo.report import artifact  # loads pandas, once the command is known to be right
    from bayes_hpo.report.page import page

    for grid in grids:
        together = dict[tuple, list]()
        for document, name in artifacts(grid, wanted):
            together.setdefault((document, *drawn_from(grid, Listed(document, name))), []).append(name)
        known = {grid.study: results_of(grid, cfg["scores"])}
        for (document, *studies), names in together.items():
            for other in set(studies) - set(known):
                known[other] = results_of(Grid.of(other, scale, grid.results, grid.without), cfg["scores"])
            drawn = {study: known[study] for study in studies}
            problems += artifact.make_all(names, document, drawn, cfg["products_dir"])
    if wanted in (None, "page"):
        problems += page.make(scale, cfg["products_dir"])
    if problems:
        raise RunError("\nerror: ".join(problems))


def _grids(cfg, scale):
    """The grid of the study that is named, or else of every study of the scale that makes artifacts."""
    if cfg["names"]["study"] in (studies := options("study")):
        return [Grid(cfg, cfg["without"])]
    if cfg["artifact"]:
        raise UserError(f"artifact={cfg['artifact']} needs a study; allowed: {', '.join(studies)}")
    grids = [Grid.of(name, scale, cfg["results_dir"], cfg["without"]) for name in with_results(scale, cfg["scores"])]
    return [grid for grid in grids if listed(grid.cfg["study"])]


def results_of(grid: Grid, folder: str | None) -> Any:
    """The Results of a study; folder: that of released scores, or None for those of results_dir."""
    from bayes_hpo.report.results import Results
    from bayes_hpo.scores import released

    scores, measures = released.folders(grid.scale, grid.study, results=grid.results, released=folder)
    names = {"study": grid.study, "scale": grid.scale, "setting": grid.cfg["scale"]["gp"]["name"]}
    names |= {"scores_dir": scores, "measures_dir": measures, "released": folder, "left_out": tuple(grid.without)}
    expected = None if folder else Grid.of(grid.study, grid.scale, grid.results).digests  # without overrides
    return Results.of(grid.rows, grid.cfg["study"], **names, expected=expected)


if __name__ == "__main__":
    run("report", main)

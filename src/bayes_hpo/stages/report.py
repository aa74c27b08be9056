"""Make tables, figures and the page of a scale from scores, and print them."""

from bayes_hpo.campaign.grid import Grid, scales_of
from bayes_hpo.campaign.products import artifacts
from bayes_hpo.configuration.compose import options
from bayes_hpo.errors import Fault, UserError
from bayes_hpo.stages.entry import run
from bayes_hpo.storage.layout import with_released


def main(cfg):
    """Make one artifact or all of the study, or the page, or the page and before it all artifacts of the studies."""
    scale, wanted, problems = cfg["scale"]["name"], cfg["artifact"], []
    grids = [] if wanted == "page" else _grids(cfg, scale)
    from bayes_hpo.report import artifact  # loads pandas, once the command is known to be right
    from bayes_hpo.report.page import page

    for grid in grids:
        given, study = given_of(grid, cfg["scores"]), grid.cfg["study"]
        problems += artifact.make_all(artifacts(grid, wanted), study["document"], given, cfg["products_dir"])
    if wanted in (None, "page"):
        problems += page.make(scale, cfg["products_dir"])
    if problems:
        raise Fault("\nerror: ".join(problems))


def _grids(cfg, scale):
    """The study that is named, or else every study of the scale that makes artifacts."""
    if cfg["names"]["study"] in (studies := options("study")):
        return [Grid(cfg, cfg["without"])]
    if cfg["artifact"]:
        raise UserError(f"artifact={cfg['artifact']} needs a study; allowed: {', '.join(studies)}")
    wanted = with_released([name for name in studies if scale in scales_of(name)], scale, cfg["scores"])
    grids = [Grid.of(name, scale, cfg["results_dir"], cfg["without"]) for name in wanted]
    return [grid for grid in grids if grid.cfg["study"]["artifacts"]]


def given_of(grid, folder):
    """What the artifacts of a study are made from; folder: None, or the one that holds released scores."""
    from bayes_hpo.report import artifact_input
    from bayes_hpo.scores import released

    scores, measures = released.folders(grid.scale, grid.study, results=grid.results, released=folder)
    return artifact_input.ArtifactInput.of(
        grid.rows,
        grid.cfg["study"],
        study=grid.study,
        scale=grid.scale,
        setting=grid.cfg["scale"]["gp"]["name"],
        scores_dir=scores,
        measures_dir=measures,
        left_out=tuple(grid.without),
        released=folder,
        expected=None if folder else Grid.of(grid.study, grid.scale, grid.results).digests,  # without overrides
    )


if __name__ == "__main__":
    run("report", main)

"""Make tables, figures and the page of a scale from scores, and print them."""

from bayes_hpo.configuration import options
from bayes_hpo.errors import UserError
from bayes_hpo.grid import Grid, scales_of
from bayes_hpo.stages.entry import run

PAGE = "page"


def main(cfg):
    """Make one artifact, or the page, or the page and before it all artifacts of the study, or of all studies."""
    scale, wanted = cfg["scale"]["name"], cfg["artifact"]
    grids = [] if wanted == PAGE else _grids(cfg, scale)
    from bayes_hpo.report import artifact, page  # pandas is loaded only once the command is known to be right

    for grid in grids:
        given, study = _given(grid, cfg["scores"]), grid.cfg["study"]
        for name in [wanted] if wanted else study["artifacts"]:
            artifact.make(name, document=study["document"], given=given, products_dir=cfg["products_dir"])
    if wanted in (None, PAGE):
        print(page.write(scale, cfg["products_dir"]))


def _grids(cfg, scale):
    """The study that is named, or else every study of the scale that makes artifacts."""
    if cfg["names"]["study"] in (studies := options("study")):
        return [Grid(cfg, cfg["without"])]
    if cfg["artifact"]:
        raise UserError(f"artifact={cfg['artifact']} needs a study; allowed: {', '.join(studies)}")
    place = scale, cfg["results_dir"], cfg["without"]
    grids = [Grid.of(name, *place) for name in studies if scale in scales_of(name)]
    return [grid for grid in grids if grid.cfg["study"]["artifacts"]]


def _given(grid, released):
    """What the artifacts of a study are made from; released: None, or the folder that holds released scores."""
    from bayes_hpo.report.artifact_input import ArtifactInput
    from bayes_hpo.report.released import folders

    scores, measures = folders(grid.scale, grid.study, results=grid.results, released=released)
    return ArtifactInput.of(
        {name: grid.registered[name] for name in grid.datasets},
        study=grid.study,
        scale=grid.scale,
        setting=grid.cfg["scale"]["gp"]["name"],
        methods=tuple(grid.cfg["study"]["methods"]),
        scores_dir=scores,
        measures_dir=measures,
        left_out=tuple(grid.without),
        released=released,
        expected=None if released else Grid.of(grid.study, grid.scale, grid.results).score_depends,
    )


if __name__ == "__main__":
    run("report", main)

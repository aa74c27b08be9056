"""Make tables and figures of a study from its scores, and print them."""

from pathlib import Path

from bayes_hpo.grid import GROUPS, Grid
from bayes_hpo.layout import score_folder
from bayes_hpo.stages.entry import run


def main(cfg):
    """Make one artifact, or all of the study."""
    grid = Grid(cfg)
    from bayes_hpo.report.artifact import make  # pandas is loaded only once the command is known to be right
    from bayes_hpo.report.artifact_input import ArtifactInput

    rows = {name: grid.registered[name] for name in grid.datasets if name in grid.registered}
    folder = Path(score_folder(grid.scale, grid.study, grid.results))
    given = ArtifactInput(
        study=grid.study,
        scale=grid.scale,
        methods=tuple(grid.methods),
        datasets=tuple(grid.datasets),
        scores_dir=folder,
        published_names={name: rows[name].published_name if name in rows else "" for name in grid.datasets},
        copies=tuple(name for name, row in rows.items() if row.source == "bundled"),
    )
    for name in [cfg["artifact"]] if cfg["artifact"] else cfg["study"]["artifacts"]:
        make(name, document=cfg["study"]["document"], given=given, products_dir=cfg["products_dir"])


if __name__ == "__main__":
    run("report", main, groups=GROUPS)

"""Make tables and figures of a study from its scores, and print them."""

from pathlib import Path

from bayes_hpo.grid import Grid
from bayes_hpo.layout import score_folder
from bayes_hpo.stages.entry import run


def main(cfg):
    """Make one artifact, or all of the study."""
    grid = Grid.of(cfg["names"]["study"], cfg["scale"]["name"], cfg["results_dir"])
    from bayes_hpo.report.artifact import make  # pandas is loaded only once the command is known to be right
    from bayes_hpo.report.sources import Sources

    folder = Path(score_folder(grid.scale, grid.study, grid.results))
    sources = Sources(grid.study, grid.scale, tuple(grid.methods), tuple(grid.datasets), folder)
    for name in [cfg["artifact"]] if cfg["artifact"] else cfg["study"]["artifacts"]:
        make(name, document=cfg["study"]["document"], sources=sources, products_dir=cfg["products_dir"])


if __name__ == "__main__":
    run("report", main)

"""Compute one measure of a study, write its frame, and print the path."""

from bayes_hpo.campaign.fingerprint import measure_depends
from bayes_hpo.campaign.finished import FinishedGrid
from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.campaign.jobs import MeasureJob
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Run one measure job."""
    grid = FinishedGrid(cfg) if cfg["finished"] else Grid(cfg)
    output = MeasureJob(grid.study, grid.scale, cfg["names"]["measure"], grid.results).output
    from bayes_hpo.measures.job import run_measure  # loads pandas, so only after the command is validated

    depends = measure_depends(grid.owner, cfg["measure"])
    run_measure(cfg["measure"], grid, output=output, depends=depends, extend=cfg["finished"])
    print(output)


if __name__ == "__main__":
    run("measure", main, groups=GROUPS)

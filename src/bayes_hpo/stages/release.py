"""Release the finished scores and measures of a study: bring what is new to the folder that is committed."""

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.stages.entry import run
from bayes_hpo.stages.report import results_of


def main(cfg):
    """Release, and print what was added, and what of it other code or settings have made."""
    grid = Grid(cfg)
    from bayes_hpo.report import caption, fidelity  # pandas is loaded only once the command is known to be right
    from bayes_hpo.report.tables import releases
    from bayes_hpo.scores import released

    place = {"results": grid.results, "released": cfg["released_dir"]}
    for said in released.release(grid.scale, grid.study, grid.datasets, **place):
        print(said)
    releases.update(cfg["released_dir"])
    for said in fidelity.update(results_of(grid, cfg["released_dir"])):
        print(said)
    grid = Grid.of(grid.study, grid.scale, grid.results)  # with all that scores and measures depend on
    scores, measures = released.folders(grid.scale, grid.study, results=grid.results, released=None)
    for said in [
        *caption.old_scores(grid.study, grid.scale, scores, grid.datasets, grid.digests.score_depends),
        *caption.old_measures(grid.study, grid.scale, measures, grid.measures, grid.digests.measure_depends),
    ]:
        print(said)


if __name__ == "__main__":
    run("release", main)

"""Copy new finished scores and measures of a study to the committed folder, and print what was added."""

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Release results; print what was added, and which of the released files are outdated."""
    grid = Grid(cfg)
    from bayes_hpo.campaign.results import results_of  # loads pandas, so only after the command is validated
    from bayes_hpo.report import caption, fidelity
    from bayes_hpo.report.tables import releases
    from bayes_hpo.scores import released

    what = {"results": grid.results, "released": cfg["released_dir"], "worst_loss": cfg["study"]["task"]["worst_loss"]}
    for sentence in released.release(grid.scale, grid.study, grid.datasets, **what):
        print(sentence)
    releases.update(cfg["released_dir"])
    for sentence in fidelity.update(results_of(grid, cfg["released_dir"])):
        print(sentence)
    grid = Grid.of(grid.study, grid.scale, grid.results)  # with all GROUPS, which its digests need
    scores, measures = released.folders(grid.scale, grid.study, results=grid.results, released=None)
    for sentence in [
        *caption.old_scores(grid.study, grid.scale, scores, grid.datasets, grid.digests.score_depends),
        *caption.old_measures(grid.study, grid.scale, measures, grid.measures, grid.digests.measure_depends),
    ]:
        print(sentence)


if __name__ == "__main__":
    run("release", main)

"""The results of a study at a scale, found by its grid."""

from bayes_hpo.campaign import gaussian_processes
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.overrides import settings
from bayes_hpo.report.results import Results
from bayes_hpo.scores import released


def results_of(grid: Grid, folder: str | None) -> Results:
    """The Results of a study. folder: that of released scores, or None for those in results_dir."""
    scores, measures = released.folders(grid.scale, grid.study, results=grid.results, released=folder)
    written = Grid.of(grid.study, grid.scale, grid.results)  # without overrides
    names = {"study": grid.study, "scale": grid.scale, "setting": gaussian_processes.of_scores(written)}
    names |= {"measure_settings": {name: gaussian_processes.of_measure(written, name) for name in written.measures}}
    names |= {"results_dir": grid.results, "overrides": settings(grid.cfg["overrides"])}
    names |= {"scores_dir": scores, "measures_dir": measures, "released": folder, "left_out": tuple(grid.without)}
    names |= {"repetitions": grid.scale_settings["repetitions"]}
    return Results.of(grid.rows, grid.cfg["study"], **names, expected=None if folder else written.digests)

"""Make tables, figures and the page of a scale from scores, and print them."""

from typing import Any

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import ALL, drawn_together, reported_on
from bayes_hpo.errors import RunError
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Make one artifact, all artifacts of a study, the page, or all artifacts of all studies and then the page.

    When all are made, those without released scores are skipped and listed in one paragraph.
    """
    scale, wanted, folder, problems, left = cfg["scale"]["name"], cfg["artifact"], cfg["scores"], [], []
    grids = [] if wanted == "page" else reported_on(cfg)
    from bayes_hpo.campaign.recipes import origin  # loads pandas, so only after the command is validated
    from bayes_hpo.campaign.results import results_of
    from bayes_hpo.report import artifact, caption
    from bayes_hpo.report.page import page

    known = dict[str, Any]()
    for grid in grids:
        for (document, studies), names in drawn_together(grid, wanted, folder).items():
            for study in set(studies) - set(known):
                of_study = grid if study == grid.study else Grid.of(study, scale, grid.results, grid.without)
                known[study] = results_of(of_study, folder)
            drawn = {study: known[study] for study in studies}
            unmade = artifact.make_all(names, document, drawn, cfg["products_dir"])
            may_lack = folder and wanted in (None, ALL)
            problems += unmade.problems + ([] if may_lack else unmade.missing)
            left += unmade.names if may_lack else []
    if wanted in (None, "page"):
        problems += page.make(scale, cfg["products_dir"], origin(scale, cfg["results_dir"], folder))
    if left:
        print(caption.left(left, scale, folder))
    if problems:
        raise RunError("\nerror: ".join(problems))


if __name__ == "__main__":
    run("report", main)

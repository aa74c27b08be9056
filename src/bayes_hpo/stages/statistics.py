"""Print the ledger of a scale, every published claim with its verdict from the finished runs, and write its files."""

from pathlib import Path

from bayes_hpo.campaign.estimates import pools
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.configuration.options import options
from bayes_hpo.errors import UserError
from bayes_hpo.scores.sums import Sums
from bayes_hpo.stages.entry import run
from bayes_hpo.storage.layout import ledger_file, measure_folder, score_files, score_folder


def main(cfg: dict) -> None:
    """Write ledger.csv and ledger.tex and print the ledger; with released scores, update the headlines of README.md."""
    scale, released = cfg["scale"]["name"], cfg["scores"]
    names = [name for name in options("study") if scale in scales_of(name)]
    grids = [Grid.of(name, scale, cfg["results_dir"], cfg["without"]) for name in names]
    folders = {grid.study: _folders(grid, released) for grid in grids}
    scored = {grid.study for grid in grids if score_files(folders[grid.study][0], grid.datasets)}
    if released and not scored:
        raise UserError(f"scores={released} holds no scores of scale {scale}; leave scores out, or release some first")
    from bayes_hpo.claims import ledger, study
    from bayes_hpo.report import caption
    from bayes_hpo.report.tables.ledger import update_readme, write
    from bayes_hpo.scores import frames  # loads pandas, so only after the command is validated

    studies, warnings, hint = {}, [], frames.RESTORE if released else None
    for grid, (folder, measures) in zip(grids, folders.values(), strict=True):
        which = {"scale": scale, "datasets": grid.datasets, "registered": grid.registered, "pools": pools(grid)}
        which |= {"scored": grid.study in scored, "hint": hint}
        studies[grid.study] = study.read(grid.study, grid.cfg["study"], folder, measures, **which)
        if not released:
            warnings += caption.old_scores(grid.study, scale, folder, grid.datasets, grid.digests.score_depends)
            warnings += caption.old_measures(grid.study, scale, measures, grid.measures, grid.digests.measure_depends)
    frame = ledger.ledger(studies, grids[0].registered if grids else {}, scale, skip=released)
    command = caption.command(ledger_file(scale), cfg["without"], cfg["results_dir"])
    if released:
        command = caption.stage_command("statistics", cfg["without"], scale=scale, scores=released)
        update_readme(frame, scale, Path(cfg["products_dir"], "README.md"))
    setting = cfg["scale"]["gp"]["name"]
    write(frame, scale, cfg["products_dir"], caption.Caption(scale, setting, command, tuple(warnings)))


def _folders(grid, released):
    """Folders (Path) of the scores and measures of a study. released: folder of released ones, or None."""
    if released:
        folder = Sums(released).check(grid.study, grid.scale)
        return folder, folder / "measures"
    return tuple(Path(path(grid.scale, grid.study, grid.results)) for path in (score_folder, measure_folder))


if __name__ == "__main__":
    run("statistics", main)

"""The ledger of a scale: every published claim with the verdict of the runs that there are."""

from collections import Counter
from pathlib import Path

from bayes_hpo.configuration import options
from bayes_hpo.errors import UserError
from bayes_hpo.grid import Grid, protocol_name, scales_of, validation_name
from bayes_hpo.layout import released_folder, score_folder
from bayes_hpo.stages.entry import run


def main(cfg):
    """Write ledger.csv and ledger.tex, and print the ledger."""
    scale, released = cfg["scale"]["name"], cfg["scores"]
    names = [name for name in options("study") if scale in scales_of(name)]
    grids = [Grid.of(name, scale, cfg["results_dir"], cfg["without"]) for name in names]
    folders = {grid.study: Path(_folder(grid, released)) for grid in grids}
    there = {name for name, folder in folders.items() if any(folder.glob("*/*/*.parquet"))}
    if released and not there:
        raise UserError(f"scores={released} holds no scores of scale {scale}; leave it away, or release some first")
    from bayes_hpo import scores  # pandas is loaded only once the command is known to be right
    from bayes_hpo.claims.ledger import ledger
    from bayes_hpo.claims.study import Study
    from bayes_hpo.report.ledger_table import write

    studies, remedy = {}, scores.RESTORE if released else None
    for grid in grids:
        whose = {"study": grid.study, "scale": scale, "datasets": grid.datasets, "remedy": remedy}
        found = scores.read(folders[grid.study], **whose) if grid.study in there else None
        studies[grid.study] = Study(found, _pools(grid))
    rows = grids[0].registered if grids else {}
    write(ledger(studies, rows, scale), scale, cfg["products_dir"])


def _folder(grid, released):
    """Where the scores of a study lie; released: a folder of released ones, or None."""
    if released:
        return released_folder(grid.scale, grid.study, released)
    return score_folder(grid.scale, grid.study, grid.results)


def _pools(grid):
    """The pool of each method and its estimated core-hours: dict, (validation, method) -> (name, hours)."""
    from bayes_hpo.costs import Costs, estimates

    hours = {(one.validation, one.searcher): one.hours for one in estimates(grid, Costs.read())}
    sharing = Counter((validation_name(protocol), searcher) for protocol, searcher in grid.pools)
    pools = {}
    for validation in grid.cfg["study"]["validations"]:
        for name, method in grid.methods.items():
            search = validation, method["searcher"]
            pool = grid.owner, protocol_name(validation, method), method["searcher"]
            pools[validation, name] = pool, hours[search] / sharing[search]
    return pools


if __name__ == "__main__":
    run("statistics", main)

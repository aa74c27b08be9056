"""Release the finished scores and measures of a study: bring what is new to the folder that is committed."""

from bayes_hpo.grid import Grid
from bayes_hpo.stages.entry import run


def main(cfg):
    """Release, and print what was added."""
    grid = Grid(cfg)
    from bayes_hpo.report import released, released_table  # pandas is loaded only once the command is known to be right

    place = {"results": grid.results, "released": cfg["released_dir"]}
    for said in released.release(grid.scale, grid.study, grid.datasets, **place):
        print(said)
    released_table.update(cfg["released_dir"])


if __name__ == "__main__":
    run("release", main)

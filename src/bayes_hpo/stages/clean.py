"""Print the removable files in the results, each with a reason; delete them with apply=true."""

from bayes_hpo.campaign.cleaning import removable_files
from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Print the files, and delete them with apply=true."""
    grid = Grid(cfg)
    files = removable_files(grid, cfg["outdated"])
    for path, reason in files:
        print(f"{path}: {reason}")
        if cfg["apply"]:
            path.unlink(missing_ok=True)
    outcome = "deleted" if cfg["apply"] else "would be deleted; apply=true deletes them"
    print(f"{len(files)} files {outcome}")


if __name__ == "__main__":
    run("clean", main, groups=GROUPS)

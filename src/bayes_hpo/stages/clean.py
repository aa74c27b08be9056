"""List what nothing needs any more below results; delete it with apply=true."""

from bayes_hpo.campaign.cleaning import removable_files
from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """List, or delete."""
    grid = Grid(cfg)
    found = removable_files(grid, cfg["outdated"])
    for path, reason in found:
        print(f"{path}: {reason}")
        if cfg["apply"]:
            path.unlink(missing_ok=True)
    done = "deleted" if cfg["apply"] else "would be deleted; apply=true deletes them"
    print(f"{len(found)} files {done}")


if __name__ == "__main__":
    run("clean", main, groups=GROUPS)

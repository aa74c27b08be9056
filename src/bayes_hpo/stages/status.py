"""Say what is done, running, failed, missing and outdated in a study's grid at a scale."""

from collections import Counter

from bayes_hpo.grid import GROUPS, Grid
from bayes_hpo.progress import states
from bayes_hpo.stages.entry import run


def main(cfg):
    """Print the jobs that are not done, each with its command, and the counts."""
    grid = Grid(cfg)
    found = states(grid)
    for state in found:
        if state.state != "done":
            print(state)
    counts = Counter(state.state for state in found)
    print(f"{grid.study} at scale {grid.scale}: " + ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))


if __name__ == "__main__":
    run("status", main, groups=GROUPS)

"""Print the states of the jobs of a study at a scale."""

from collections import Counter

from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.campaign.jobs import ScoreJob
from bayes_hpo.campaign.progress import states
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Print the unfinished jobs with their commands, the counts, and why trials of scored searches failed."""
    grid = Grid(cfg)
    jobs = states(grid)
    for state in jobs:
        if state.state != "done":
            print(state)
    counts = Counter(state.state for state in jobs)
    print(f"{grid.study} at scale {grid.scale}: " + ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    from bayes_hpo.report import caption
    from bayes_hpo.scores import frames  # pyarrow is loaded only once the command is known to be right

    scored = [state.job.output for state in jobs if state.state == "done" and isinstance(state.job, ScoreJob)]
    for sentence in caption.failed_trials(*frames.failures(scored, frames.remake(grid.study, grid.scale))):
        print(sentence)


if __name__ == "__main__":
    run("status", main, groups=GROUPS)

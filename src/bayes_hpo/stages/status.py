"""Say what is done, running, failed, missing and outdated in a study's grid at a scale."""

from collections import Counter

from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.campaign.jobs import ScoreJob
from bayes_hpo.campaign.progress import states
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Print the jobs that are not done, each with its command, the counts, and why trials of scored searches failed."""
    grid = Grid(cfg)
    found = states(grid)
    for state in found:
        if state.state != "done":
            print(state)
    counts = Counter(state.state for state in found)
    print(f"{grid.study} at scale {grid.scale}: " + ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    from bayes_hpo.report import caption
    from bayes_hpo.scores import frames  # pyarrow is loaded only once the command is known to be right

    scored = [state.job.output for state in found if state.state == "done" and isinstance(state.job, ScoreJob)]
    for sentence in caption.failed_trials(*frames.failures(scored, frames.remake(grid.study, grid.scale))):
        print(sentence)


if __name__ == "__main__":
    run("status", main, groups=GROUPS)

"""Print the states of the jobs of a study at a scale, or the progress of a campaign: all studies of a scale."""

import sys
import time
from collections import Counter

from bayes_hpo.campaign.grid import Grid, groups_for
from bayes_hpo.campaign.jobs import ScoreJob
from bayes_hpo.campaign.needs import with_results
from bayes_hpo.campaign.progress import scores_of_no_search, states
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Print the jobs of a study, or without one the core-hours of each study, the pace, the end, and failures."""
    if cfg["names"]["study"] == "None":
        print_campaign(cfg["scale"]["name"], cfg["results_dir"], cfg["without"], cfg["skip"])
    else:
        print_jobs(Grid(cfg, cfg["without"], cfg["skip"]))


def print_jobs(grid: Grid) -> None:
    """Print the unfinished jobs with their commands, the counts, and why trials of scored searches failed."""
    jobs = states(grid)
    for state in jobs:
        if state.state != "done":
            print(state)
    for path in scores_of_no_search(grid):
        print(f"{'outdated':8}  {path}: of no search of the study; delete it, or give its method back to the study")
    counts = Counter(state.state for state in jobs)
    print(f"{grid.study} at scale {grid.scale}: " + ", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    from bayes_hpo.report import caption
    from bayes_hpo.scores import failures, frames  # loads pyarrow, so only after the command is validated

    scored = [state.job.output for state in jobs if state.state == "done" and isinstance(state.job, ScoreJob)]
    failed = failures.failures(scored, frames.remake(grid.study, grid.scale))
    for sentence in caption.failed_trials({grid.study: failed}):
        print(sentence)


def print_campaign(scale: str, results: str, without: list[str], skip: str | None) -> None:
    """Print the progress of the studies of a scale."""
    from bayes_hpo.campaign import overview
    from bayes_hpo.campaign.costs import Costs

    grids = [Grid.of(study, scale, results, without, skip) for study in with_results(scale, None)]
    jobs = overview.jobs_of(grids, Costs.read())
    every = [cost for costs in jobs.values() for cost in costs]
    print(*overview.table(jobs), overview.forecast(every, time.time()), sep="\n")
    for title, lines in {
        "jobs that failed, by reason:": overview.failures(every),
        "attempts that Slurm ended, of all results folders:": overview.ended_by_slurm(scale),
    }.items():
        if lines:
            print(title, *lines, sep="\n")


if __name__ == "__main__":
    run("status", main, groups=groups_for(sys.argv))

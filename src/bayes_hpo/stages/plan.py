"""Print the estimated cost of a study at a scale, or of all its studies, and the data that must be fetched first."""

import sys
from shlex import quote

from bayes_hpo.campaign.grid import Grid, groups_for
from bayes_hpo.campaign.needs import with_results
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Print the estimates and their sum, how long they take on some cores, and how to fetch the data."""
    from bayes_hpo.campaign import fetching
    from bayes_hpo.campaign.batches import batches, joined
    from bayes_hpo.campaign.costs import Costs
    from bayes_hpo.campaign.estimates import estimates, score_seconds, search_seconds  # loads numpy, so only here
    from bayes_hpo.campaign.schedule import lasting, lines, of_scale, of_study

    costs, scale, skip = Costs.read(), cfg["scale"]["name"], cfg["skip"]
    how, config = "snakemake --profile profiles/workstation", f" --config {quote('skip=' + skip)}" if skip else ""
    if cfg["names"]["study"] == "None":
        grids = [Grid.of(name, scale, cfg["results_dir"], cfg["without"], skip) for name in with_results(scale, None)]
        studies = of_scale(grids, costs, cfg["least_seconds"])
        width = max(map(len, studies))
        for name, tasks in studies.items():
            seconds = sum(task.seconds for task in tasks)
            print(f"{name:{width}}  {len(tasks):6} batches  {lasting(seconds / 3600):>14} of one core")
        every = [task for tasks in studies.values() for task in tasks]
        print(*lines(every, cfg["cores"]), *fetching.lines(grids), sep="\n")
        print(f"estimated from conf/costs.csv; start it with: {how} {scale}{config}")
        return
    grid = Grid(cfg, cfg["without"], skip)
    rows = estimates(grid, costs)
    print(f"{grid.study} at scale {grid.scale}: {len(grid.datasets)} data sets, {len(grid.methods)} methods")
    width = max(len(row.searcher) for row in rows)
    print(f"validation  {'searcher':{width}}      jobs     runs       models   time of one core")
    for row in rows:
        counts = f"{row.jobs:8}  {row.runs:7}  {row.models:11}  {lasting(row.hours):>17}"
        print(f"{row.validation:10}  {row.searcher:{width}}  {counts}")
    jobs, runs, models = (sum(getattr(row, name) for row in rows) for name in ("jobs", "runs", "models"))
    print(f"{'all':10}  {'':{width}}  {jobs:8}  {runs:7}  {models:11}  {lasting(sum(row.hours for row in rows)):>17}")
    kinds = (grid.search_jobs(), search_seconds(grid, costs)), (grid.score_jobs(), score_seconds(grid, costs))
    target = cfg["scale"]["batch_seconds"]
    searches, scores = (joined(batches(jobs, seconds, target), cfg["least_seconds"]) for jobs, seconds in kinds)
    print(f"in batches of {target:g} s or more: {len(searches)} of searches, {len(scores)} of scores")
    print(*lines(of_study(grid, searches, scores), cfg["cores"]), *fetching.lines([grid]), sep="\n")
    searchers = dict.fromkeys(searcher for _, searcher in grid.pools)
    for sentence in costs.unmeasured(cfg["study"]["learner"], searchers):
        print(sentence)
    print(f"estimated from conf/costs.csv; start it with: {how} {grid.scale}_{grid.study}{config}")


if __name__ == "__main__":
    run("plan", main, groups=groups_for(sys.argv))

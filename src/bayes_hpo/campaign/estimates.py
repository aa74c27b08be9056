"""The estimated cost of a grid: jobs, runs, models and core-hours, from measured costs."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.fingerprint import targets
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.protocols import protocol_name
from bayes_hpo.campaign.run_costs import refit_cost, run_cost
from bayes_hpo.scoring import as_trained
from bayes_hpo.selection import stacking


@dataclass(frozen=True)
class Estimate:
    """The cost of one searcher under one validation; a run is one repetition of a pool."""

    validation: str
    searcher: str
    jobs: int
    runs: int
    models: int
    hours: float


def estimates(grid: Grid, costs: Costs) -> list[Estimate]:
    """The estimate for each validation and searcher of a grid; refits are listed as a separate searcher, (refits)."""
    totals: defaultdict = defaultdict(int)
    cap = grid.cfg["study"]["refit_cap"]
    for dataset in grid.datasets:
        for protocol, searcher in grid.pools:
            key = grid.validation(protocol), searcher
            job, runs = grid.job(protocol, searcher), len(grid.wanted(dataset, protocol, searcher))
            models, seconds = run_cost(job, searcher, grid.registered[dataset], costs)
            totals[key, "jobs"] += len(grid.blocks(dataset, protocol, searcher))
            totals[key, "runs"] += runs
            totals[key, "models"] += runs * models
            totals[key, "hours"] += runs * seconds / 3600
            refit = grid.validation(protocol), "(refits)"
            totals[refit, "jobs"] += bool(runs)
            refits = runs * _refits(grid, protocol, searcher, costs)
            totals[refit, "models"] += round(refits)
            totals[refit, "hours"] += refits * refit_cost(job, grid.registered[dataset], costs, cap) / 3600
    keys = dict.fromkeys(key for key, _ in totals)
    return [Estimate(*key, *(totals[key, what] for what in ("jobs", "runs", "models", "hours"))) for key in keys]


def search_seconds(grid: Grid, costs: Costs) -> Callable[[SearchJob], float]:
    """Function, search job -> estimated CPU seconds. grid: that of the study that owns the pools."""

    @cache
    def of_run(dataset, protocol, searcher):
        return run_cost(grid.job(protocol, searcher), searcher, grid.registered[dataset], costs)[1]

    return lambda job: (job.last - job.first + 1) * of_run(job.dataset, job.protocol, job.searcher)


def score_seconds(grid: Grid, costs: Costs) -> Callable[[ScoreJob], float]:
    """Function, score job -> estimated CPU seconds: those of its refits, or of scoring the models of the search."""

    def of_pool(job):
        if _is_as_trained(grid):
            return costs.scoring
        settings = grid.job(job.protocol, job.searcher)
        refit = refit_cost(settings, grid.registered[job.dataset], costs, grid.cfg["study"]["refit_cap"])
        return _refits(grid, job.protocol, job.searcher, costs) * refit

    return lambda job: len(grid.wanted(job.dataset, job.protocol, job.searcher)) * of_pool(job)


def _is_as_trained(grid):
    """Whether a study scores the models of the searches themselves."""
    return as_trained.__name__ in targets(grid.cfg["study"]["final"])


def _refits(grid, protocol, searcher, costs):
    """Models fitted per scored pool: none if those of the search are scored; for a stack, its out-of-fold models."""
    if _is_as_trained(grid):
        return 0
    if "folds" in grid.cfg["study"]["final"]:
        return _out_of_fold(grid, protocol, searcher)
    job = grid.job(protocol, searcher)
    return costs.refitting(job["learner"], searcher, job["protocol"]["selection_share"])


def _out_of_fold(grid, protocol, searcher):
    """Number of models that the stacks of a pool's methods fit: each base model once per fold."""
    selectors = [method["selector"] for method in grid.scoring(protocol, searcher)["methods"].values()]
    bases = sum(selector["size"] for selector in selectors if stacking.__name__ in targets(selector))
    return bases * grid.cfg["study"]["final"]["folds"]["folds"]


def pools(grid: Grid) -> dict:
    """(validation, method) -> (its pool as (owner, protocol, searcher), estimated core-hours without refits)."""
    hours = {(cost.validation, cost.searcher): cost.hours for cost in estimates(grid, Costs.read())}
    sharing = Counter((grid.validation(protocol), searcher) for protocol, searcher in grid.pools)
    shared = {}
    for validation in grid.cfg["study"]["validations"]:
        for name, method in grid.methods.items():
            search = validation, method["searcher"]
            pool = grid.owner, protocol_name(validation, method), method["searcher"]
            shared[validation, name] = pool, hours[search] / sharing[search]
    return shared

"""The estimated cost of a grid: jobs, runs, models and core-hours, from measured costs."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.protocols import protocol_name
from bayes_hpo.data.registry import Row


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
    """The estimate of each validation and searcher of a grid; refits count as a searcher of their own, (refits)."""
    totals: Counter = Counter()
    cap = grid.cfg["study"]["refit_cap"]
    for dataset in grid.datasets:
        for protocol, searcher in grid.pools:
            key = grid.validation(protocol), searcher
            job, runs = grid.job(protocol, searcher), len(grid.wanted(dataset, protocol, searcher))
            models, seconds = _run(job, searcher, grid.registered[dataset], costs)
            totals[key, "jobs"] += len(grid.blocks(dataset, protocol, searcher))
            totals[key, "runs"] += runs
            totals[key, "models"] += runs * models
            totals[key, "hours"] += runs * seconds / 3600
            refit = grid.validation(protocol), "(refits)"
            totals[refit, "jobs"] += bool(runs)
            models = runs * costs.refitting(job["learner"], searcher, job["protocol"]["selection_share"])
            totals[refit, "models"] += round(models)
            totals[refit, "hours"] += models * _refit(job, grid.registered[dataset], costs, cap) / 3600
    keys = dict.fromkeys(key for key, _ in totals)
    return [Estimate(*key, *(totals[key, what] for what in ("jobs", "runs", "models", "hours"))) for key in keys]


def search_seconds(grid: Grid, costs: Costs) -> Callable[[SearchJob], float]:
    """Function, search job -> its estimated CPU seconds; grid: of the study that owns the pools."""

    @cache
    def of_run(dataset, protocol, searcher):
        return _run(grid.job(protocol, searcher), searcher, grid.registered[dataset], costs)[1]

    return lambda job: (job.last - job.first + 1) * of_run(job.dataset, job.protocol, job.searcher)


def score_seconds(grid: Grid, costs: Costs) -> Callable[[ScoreJob], float]:
    """Function, score job -> the estimated CPU seconds of its refits."""

    def of_job(job):
        node = grid.job(job.protocol, job.searcher)
        models = costs.refitting(node["learner"], job.searcher, node["protocol"]["selection_share"])
        refit = _refit(node, grid.registered[job.dataset], costs, grid.cfg["study"]["refit_cap"])
        return len(grid.wanted(job.dataset, job.protocol, job.searcher)) * models * refit

    return of_job


def _run(job, searcher, row, costs):
    """(models, CPU seconds of their fits and predictions and of the suggestions) of one search on a data set."""
    folds, train, predicted = sizes(job, row)
    models = folds * job["budget"]
    candidates = job["searcher"].get("candidates", {}).get("size", 0)
    suggesting = job["budget"] * costs.suggesting(job["learner"], searcher, candidates)
    return models, models * costs.seconds(job["learner"], train, predicted, row.p) + suggesting


def _refit(job, row, costs, cap):
    """CPU seconds of one refit on at most `cap` rows and its prediction of the test part."""
    return costs.seconds(job["learner"], *refit_sizes(job, row, cap), row.p)


def sizes(job: dict, row: Row) -> tuple[int, float, float]:
    """(folds, training rows of a model, rows that it predicts) of a search; job: its configuration (`job_config`)."""
    validation = job["protocol"]["validation"]
    folds = validation.get("folds", 1)
    share = validation.get("share", 1 / folds)
    rows = row.n - _test_rows(job, row)
    train = min(job["training_cap"], (1 - share) * (1 - job["protocol"]["selection_share"]) * rows)
    return folds, train, rows - train


def refit_sizes(job: dict, row: Row, cap: int) -> tuple[float, float]:
    """(training rows, rows of the test part) of a refit on at most `cap` rows."""
    test = _test_rows(job, row)
    return min(cap, row.n - test), test


def _test_rows(job, row):
    return row.n_test or row.n * job["test_percent"] / 100


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

"""The cost of one run (a repetition of a search) and of a refit, from sizes and measured costs."""

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.data.registry import Row


def run_cost(job: dict, searcher: str, row: Row, costs: Costs) -> tuple[int, float]:
    """(models, CPU seconds of their fits, predictions and suggestions) of one search on a data set.

    job: its configuration (`job_config`).
    searcher: its name.
    row: row of the data set in the registry.
    """
    folds, train, predicted = sizes(job, row)
    models = folds * job["budget"]
    candidates = job["searcher"].get("candidates", {}).get("size", 0)
    suggesting = job["budget"] * costs.suggesting(job["learner"], searcher, candidates)
    fitting = costs.seconds(job["learner"], train, predicted, row.p) * costs.relative(job["learner"], searcher)
    return models, models * fitting + suggesting


def runs_in(seconds: float, job: dict, searcher: str, row: Row, costs: Costs) -> int:
    """Number of runs, at least 1, that take this many CPU seconds one after the other."""
    return max(1, int(seconds / run_cost(job, searcher, row, costs)[1]))


def refit_cost(job: dict, row: Row, costs: Costs, cap: int) -> float:
    """CPU seconds of one refit on at most `cap` rows, with its predictions on the test part."""
    return costs.seconds(job["learner"], *refit_sizes(job, row, cap), row.p)


def sizes(job: dict, row: Row) -> tuple[int, float, float]:
    """(number of folds, training rows of a model, rows that it predicts) of a search."""
    validation = job["protocol"]["validation"]
    folds = validation.get("folds", 1)
    share = validation.get("share", 1 / folds)
    rows = rows_used(job, row) - _test_rows(job, row)
    train = min(job["training_cap"], (1 - share) * (1 - job["protocol"]["selection_share"]) * rows)
    return folds, train, rows - train


def refit_sizes(job: dict, row: Row, cap: int) -> tuple[float, float]:
    """(training rows, rows of the test part) of a refit on at most `cap` rows."""
    test = _test_rows(job, row)
    return min(cap, rows_used(job, row) - test), test


def _test_rows(job, row):
    return row.n_test or rows_used(job, row) * job["test_percent"] / 100


def rows_used(job: dict, row: Row) -> int:
    """Number of rows of a data set that a study uses, including the test part."""
    return min(row.n, job["most_rows"] + row.n_test)  # a given test part is not capped

"""Laws of what jobs ask a queue for: more with each attempt, never less than was measured, for every job."""

import csv
from dataclasses import replace

import pytest

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.jobs import ScoreJob
from bayes_hpo.campaign.memory import MEMORY, WORKFLOW, Demand, Memory, demand, refit_demand
from bayes_hpo.campaign.requests import LEAST_MINUTES, UNREGISTERED, Request, least_seconds, request
from bayes_hpo.data.registry import find
from bayes_hpo.errors import RunError, UserError

LEARNERS = ["rbf_svm", "random_forest", "cash", "never_measured"]


def _node(name):
    return {"_target_": f"learners.{name}.Name"}


@pytest.mark.parametrize("attempt", [1, 2, 3])
def test_an_attempt_asks_for_more_than_the_one_before_and_than_the_estimate(attempt):
    wanted = Request(seconds=1234.0, mb=777.0)
    assert wanted.runtime(attempt + 1) > wanted.runtime(attempt) >= 1234 / 60 + LEAST_MINUTES
    assert wanted.mem_mb(attempt + 1) > wanted.mem_mb(attempt) > 777


def test_a_job_of_twenty_minutes_and_its_attempts_ask_for_what_the_page_on_clusters_says():
    """15 minutes and three times the estimate, doubled at each attempt; 1.25 times the memory, half as much more."""
    wanted = Request(seconds=1200.0, mb=800.0)
    assert [wanted.runtime(attempt) for attempt in (1, 2, 3)] == [75, 150, 300]
    assert [wanted.mem_mb(attempt) for attempt in (1, 2, 3)] == [1000, 1500, 2300]


@pytest.mark.parametrize("learner", LEARNERS)
def test_memory_grows_with_the_data_the_kernel_and_what_is_stored(learner):
    memory, small = Memory.read(), Demand(1.0, 1.0, 1.0)
    for name in ("data", "kernel", "stored"):
        assert memory.mb(_node(learner), replace(small, **{name: 100.0})) >= memory.mb(_node(learner), small)
    assert memory.mb(_node(learner), Demand(100.0, 100.0, 100.0)) > memory.mb(_node(learner), small) > memory.workflow


def test_no_measured_peak_lies_above_the_law():
    memory = Memory.read()
    with open(MEMORY, encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["learner"] != WORKFLOW]
    for row in rows:
        demand = Demand(*(float(row[name]) for name in ("data", "kernel", "stored")))
        assert memory.mb(_node(row["learner"]), demand) - memory.workflow >= float(row["mb"]) * (1 - 1e-9)
        assert memory.mb(_node("never_measured"), demand) >= memory.mb(_node(row["learner"]), demand)


def test_a_law_with_four_copies_of_what_is_stored_is_found_again_in_megabytes(tmp_path):
    measured = [(1.0, 2.0, 300.0), (50.0, 1.0, 0.0), (3.0, 40.0, 100.0), (20.0, 10.0, 7.0), (5.0, 5.0, 500.0)]
    rows = [f"rbf_svm,d,6,{d},{k},{s},{100 + 2 * d + 3 * k + 4 * s}" for d, k, s in measured]
    lines = ["learner,name,trials,data,kernel,stored,mb", *rows, "snakemake,job,,,,,233"]
    (tmp_path / "memory.csv").write_text("\n".join(lines))
    memory = Memory.read(tmp_path / "memory.csv")
    for data, kernel, stored in [*measured, (0.0, 0.0, 1000.0)]:
        wanted = 233 + 100 + 2 * data + 3 * kernel + 4 * stored
        assert memory.mb(_node("rbf_svm"), Demand(data, kernel, stored)) == pytest.approx(wanted)


def test_what_a_study_allows_a_trial_bounds_the_memory_of_its_models():
    memory, large = Memory.read(), Demand(1e6, 200.0, 0.0)
    bounded = memory.mb(_node("pipeline"), replace(large, limit=8000.0))
    assert bounded == memory.mb(_node("pipeline"), Demand(0.0, 0.0, 0.0)) + 8000 < memory.mb(_node("pipeline"), large)


def test_a_file_without_measurements_is_refused(tmp_path):
    (tmp_path / "memory.csv").write_text("learner,name\nrbf_svm,iris\n")
    with pytest.raises(RunError, match="holds no measured memory"):
        Memory.read(tmp_path / "memory.csv")


@pytest.mark.parametrize(("study", "scale"), [("overfitting", "paper"), ("divbo", "paper"), ("esmbo_svr", "smoke")])
def test_every_job_asks_for_memory_and_time(grid_of, study, scale):
    grid, costs, memory = grid_of(study, scale), Costs.read(), Memory.read()
    for job in [*grid.search_jobs(), *grid.score_jobs()]:
        wanted = request([job], grid, costs, memory)
        assert wanted.runtime(1) >= LEAST_MINUTES
        assert 500 < wanted.mem_mb(1) < 64_000


def test_jobs_one_after_the_other_take_the_sum_of_their_time_and_the_most_of_their_memory(grid_of):
    grid, costs, memory = grid_of("overfitting", "paper"), Costs.read(), Memory.read()
    jobs = grid.search_jobs()[::500]
    single = [request([job], grid, costs, memory) for job in jobs]
    together = request(jobs, grid, costs, memory)
    assert together.seconds == pytest.approx(sum(one.seconds for one in single))
    assert together.mb == max(one.mb for one in single)


def test_a_data_set_that_is_not_registered_asks_for_a_fixed_amount(grid_of):
    job = ScoreJob("overfitting", "toy", "openml-9999", "holdout", "gp")
    known = replace(job, dataset="sklearn-iris")
    for jobs in ([job], [known, job]):
        assert request(jobs, grid_of(), Costs.read(), Memory.read()) == UNREGISTERED


ROW = replace(find("letter"), n=10_000, p=10, classes=3, n_test=0)


@pytest.mark.parametrize(("study", "width"), [("ensembles_svm", 1), ("divbo", 3)])
def test_a_search_stores_a_prediction_of_each_trial_for_each_validated_row(grid_of, study, width):
    """Votes of five folds for all rows but the test half; probabilities for a fifth of what is not tested."""
    job = grid_of(study, "small").job(
        {"ensembles_svm": "kfold", "divbo": "holdout"}[study], "random" if width > 1 else "bo"
    )
    job |= {"test_percent": 50, "most_rows": 8000, "training_cap": 8000, "budget": 200, "memory_limit": 2}
    share = job["protocol"]["validation"].get("share", 1.0)
    train = 4000 * (0.8 if width == 1 else 1 - share)
    found = demand(job, ROW)
    assert found.data == pytest.approx(8 * 8000 * 10 / 1e6)
    assert found.kernel == pytest.approx(8 * train**2 / 1e6)
    assert found.stored == pytest.approx(4 * width * 200 * 4000 * share / 1e6)
    assert found.limit == pytest.approx(2 * 2**30 / 1e6)
    scored = refit_demand(job, ROW, 6000)
    assert scored.kernel == pytest.approx(8 * 4000**2 / 1e6)
    assert scored.stored >= 4 * width * 200 * (4000 * share + 4000) / 1e6


def test_a_kernel_of_more_rows_than_libsvm_holds_is_as_large_as_its_cache(grid_of):
    job = grid_of("ensembles_svm", "small").job("kfold", "bo") | {"training_cap": 10**6, "most_rows": 10**6}
    assert demand(job, replace(ROW, n=100_000)).kernel == pytest.approx(8 * 5000**2 / 1e6)


@pytest.mark.parametrize("value", ["-1", "nan", "inf", "text", ""])
def test_least_seconds_that_are_no_time_are_refused(value):
    with pytest.raises(UserError, match="least_seconds"):
        least_seconds(value)


def test_least_seconds_are_a_number():
    assert least_seconds("600") == least_seconds(600) == 600.0

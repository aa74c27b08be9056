"""Laws of the overview of a campaign: what is done and left adds up, the pace is that of the files' times."""

import os
from copy import copy
from datetime import datetime
from pathlib import Path

import pytest
import yaml

from bayes_hpo.campaign import overview
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.overview import HOUR, Cost
from bayes_hpo.campaign.progress import State
from bayes_hpo.storage.layout import log_file

NOW = 2e9


def _cost(results, name, state="done", ended_h=1.0, hours=1.0, detail=""):
    """A job of some core-hours that ended some hours before NOW."""
    job = ScoreJob("overfitting", "small", name, "holdout", "gp", str(results))
    if state == "done":
        path = Path(job.output)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (NOW - ended_h * HOUR,) * 2)
    return Cost(State(job, state, detail), hours * HOUR)


def test_the_pace_is_what_ended_over_the_time_since_the_first_end(tmp_path):
    costs = [_cost(tmp_path, f"d{k}", ended_h=k, hours=2.0) for k in range(1, 6)]
    # four jobs of 2 hours each ended in the 5 hours after the first one
    assert overview.pace(costs, NOW) == pytest.approx(8 / 5)


def test_what_ended_before_the_last_day_does_not_count(tmp_path):
    recent = [_cost(tmp_path, f"d{k}", ended_h=k) for k in (1, 2)]
    assert overview.pace([*recent, _cost(tmp_path, "old", ended_h=30, hours=1000)], NOW) == overview.pace(recent, NOW)


def test_what_ended_after_this_moment_by_the_clock_of_another_machine_does_not_count(tmp_path):
    recent = [_cost(tmp_path, f"d{k}", ended_h=k) for k in (1, 2)]
    ahead = _cost(tmp_path, "ahead", ended_h=-5, hours=1000)
    assert overview.pace([*recent, ahead], NOW) == overview.pace(recent, NOW)


def test_the_end_is_what_is_left_at_that_pace(tmp_path):
    costs = [_cost(tmp_path, f"d{k}", ended_h=k) for k in (1, 3)] + [_cost(tmp_path, "x", "missing", hours=4.0)]
    assert overview.pace(costs, NOW) == pytest.approx(1 / 3)
    assert overview.done(costs) == 2 * HOUR
    assert overview.left(costs) == 4 * HOUR
    sentence = overview.forecast(costs, NOW)
    assert sentence.startswith("4.00 core-hours are left; at 0.33 an hour")
    assert sentence.endswith(f"until {datetime.fromtimestamp(NOW + 12 * HOUR):%Y-%m-%d %H:%M}")


@pytest.mark.parametrize(("count", "words"), [(0, "no pace is known"), (1, "no pace is known")])
def test_without_two_ends_there_is_no_pace(tmp_path, count, words):
    costs = [_cost(tmp_path, f"d{k}") for k in range(count)] + [_cost(tmp_path, "x", "missing")]
    assert words in overview.forecast(costs, NOW)


def test_a_finished_campaign_has_nothing_left(tmp_path):
    assert overview.forecast([_cost(tmp_path, "d")], NOW) == "nothing is left"


def test_the_table_adds_up(tmp_path):
    jobs = {
        "one": [_cost(tmp_path, "a"), _cost(tmp_path, "b", "missing", hours=3.0)],
        "two": [_cost(tmp_path, "c", "failed", hours=2.0), _cost(tmp_path, "d", "running")],
        "three": [_cost(tmp_path, name, "started") for name in "efg"],
    }
    assert overview.table(jobs)[0].split()[:6] == ["study", "jobs", "done", "running", "started", "failed"]
    rows = {line.split()[0]: line.split()[1:] for line in overview.table(jobs)[1:]}
    assert rows["one"] == ["2", "1", "0", "0", "0", "1.00", "3.00"]
    assert rows["two"] == ["2", "0", "1", "0", "1", "0.00", "3.00"]
    assert rows["three"] == ["3", "0", "0", "3", "0", "0.00", "3.00"]
    assert rows["all"] == ["7", "1", "1", "3", "1", "1.00", "9.00"]
    assert overview.failures(jobs["three"]) == []  # the log of a score job that is running holds no error


def test_a_score_job_with_a_log_without_an_error_is_counted_as_started(grid_of, tmp_path):
    from bayes_hpo.campaign.costs import Costs

    grid = copy(grid_of())
    grid.results = str(tmp_path)
    job = grid.score_jobs()[0]
    log = Path(log_file(job.output, job.scale, job.results))
    log.parent.mkdir(parents=True)
    log.write_text("10:00:00 refit 3 of 40\n")
    jobs = overview.jobs_of([grid], Costs.read())
    assert overview.table(jobs)[-1].split()[2:6] == ["0", "0", "1", "0"]
    assert overview.failures(jobs["overfitting"]) == []


def test_failures_are_grouped_by_their_reason_the_most_frequent_first(tmp_path):
    details = [
        "error: results/a/rep_000.journal could not be written (No space left on device); resumes: rep_000 at trial 3",
        "error: the search was killed from outside (-9), for lack of memory perhaps; run it again",
        "error: results/b/rep_001.journal could not be written (No space left on device)",
    ]
    found = overview.failures([_cost(tmp_path, f"d{k}", "failed", detail=text) for k, text in enumerate(details)])
    assert [line.split()[0] for line in found] == ["2", "1"]
    assert "No space left on device" in found[0]
    assert "dataset=d0" in found[0]


def test_what_slurm_ended_is_told_by_reason(tmp_path):
    for number, text in enumerate(
        [
            "slurmstepd: error: *** JOB 7 ON node1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TIME LIMIT ***",
            "slurmstepd: error: *** JOB 9 ON node2 CANCELLED AT 2026-01-02T10:00:00 DUE TO TIME LIMIT ***",
            "slurmstepd: error: *** STEP 8.0 ON node2 CANCELLED AT 2026-01-02T10:00:00 DUE TO NODE FAILURE ***",
            "slurmstepd-node2: error: *** STEP 15.0 ON node2 CANCELLED AT 2026-11-23T08:22:24 ***",
            "Error in rule searches",
        ]
    ):
        path = tmp_path / "slurm_logs/rule_searches/small_overfitting_iris_0" / f"{number}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"something\n{text}\n")
    found = [line.split("\n")[0].strip() for line in overview.ended_by_slurm("small", str(tmp_path / "slurm_logs"))]
    assert found == ["2  CANCELLED DUE TO TIME LIMIT", "1  CANCELLED DUE TO NODE FAILURE", "1  CANCELLED"]
    assert overview.ended_by_slurm("smoke", str(tmp_path / "slurm_logs")) == []


def test_slurms_logs_are_read_where_the_profile_writes_them_whatever_the_results_dir(monkeypatch, tmp_path):
    profile = Path("profiles/slurm/config.yaml").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    log = tmp_path / yaml.safe_load(profile)["slurm-logdir"] / "rule_searches/small_overfitting_iris_0/7.log"
    log.parent.mkdir(parents=True)
    log.write_text("slurmstepd: error: *** JOB 7 ON node1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TIME LIMIT ***\n")
    assert [line.split("\n")[0].strip() for line in overview.ended_by_slurm("small")] == [
        "1  CANCELLED DUE TO TIME LIMIT"
    ]


@pytest.mark.parametrize("order", [1, -1])
def test_a_search_that_several_studies_use_counts_once_for_its_owner(grid_of, order):
    from bayes_hpo.campaign.costs import Costs

    grids = [grid_of("conditional", "toy"), grid_of("ensembles_sklearn", "toy")]
    together = overview.jobs_of(grids[::order], Costs.read())
    outputs = [cost.state.job.output for costs in together.values() for cost in costs]
    assert len(outputs) == len(set(outputs))
    searches = {study for study, costs in together.items() for cost in costs if isinstance(cost.state.job, SearchJob)}
    assert searches == {"conditional"}

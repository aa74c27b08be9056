"""The scheduler of Snakemake: chains by hand, the order of jobs, and what fits into the resources."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from bayes_hpo.campaign.schedule import Task, makespan
from snakemake_scheduler_plugin_bayes_hpo import Scheduler, chains


@dataclass(eq=False)
class Job:
    seconds: float
    needs: tuple = ()
    priority: int = 0
    memory: int = 1

    @property
    def scheduler_resources(self):
        return {"_cores": 1, "mem_mb": self.memory, "core_seconds": self.seconds}


def scheduler():
    return Scheduler(SimpleNamespace(job_dependencies=lambda job: job.needs), None, None)


def selected(jobs, remaining=(), cores=2, mem_mb=10):
    return scheduler().select_jobs(jobs, [*jobs, *remaining], {"_cores": cores, "mem_mb": mem_mb}, {})


def test_a_chain_is_the_job_and_the_longest_that_needs_it():
    first, second = Job(2.0), Job(3.0)
    score = Job(5.0, (first, second))
    figure = Job(1.0, (score,))
    assert chains([first, second, score, figure], lambda job: job.needs) == {
        first: 8.0,
        second: 9.0,
        score: 6.0,
        figure: 1.0,
    }


def test_the_longest_chains_go_first_and_a_priority_before_them():
    short, long, asked = Job(1.0), Job(3.0), Job(0.5, priority=1)
    leads = Job(2.0)
    after = Job(4.0, (leads,))
    assert selected([short, long, leads, asked], [after], cores=3) == [asked, leads, long]


def test_a_job_that_does_not_fit_leaves_its_place_to_one_that_does():
    large, small = Job(9.0, memory=11), Job(1.0)
    assert selected([large, small]) == [small]
    assert selected([large, small], cores=1, mem_mb=20) == [large]
    assert selected([large, small], cores=0) == []


def test_groups_weigh_as_much_as_their_longest_chain():
    long, short, single = Job(5.0), Job(1.0), Job(3.0)
    group = SimpleNamespace(jobs=[short, long], priority=0, scheduler_resources={"_cores": 1, "mem_mb": 1})
    assert selected([single, group], cores=1) == [group]


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_it_makes_the_schedule_that_is_simulated(cores):
    searches = [Job(seconds) for seconds in (4.0, 3.0, 2.5, 1.0, 0.5)]
    jobs = [*searches, Job(3.5, (searches[3],)), Job(1.0, tuple(searches[:2]))]
    tasks = [Task(job.seconds, tuple(jobs.index(needed) for needed in job.needs)) for job in jobs]
    plugin, now, done, running = scheduler(), 0.0, set(), []
    while len(done) < len(jobs):
        free = {"_cores": cores - len(running), "mem_mb": 10}
        waiting = [job for job in jobs if job not in done and all(job is not one for _, one in running)]
        ready = [job for job in waiting if set(job.needs) <= done]
        running += [(now + job.seconds, job) for job in plugin.select_jobs(ready, waiting, free, {})]
        running.sort(key=lambda pair: pair[0])
        now, ended = running.pop(0)
        done.add(ended)
    assert now == pytest.approx(makespan(tasks, cores))

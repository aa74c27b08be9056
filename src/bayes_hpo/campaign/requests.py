"""What a job requests from a queue: memory and time from the estimates, increased at each attempt."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import score_seconds, search_seconds
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.memory import Memory, score_mb, search_mb
from bayes_hpo.errors import UserError

Estimates = dict[str, Callable[[Grid, Any], Callable[[Any], float]]]  # stage -> function such as search_seconds
SECONDS: Estimates = {"search": search_seconds, "score": score_seconds}
MEGABYTES: Estimates = {"search": search_mb, "score": score_mb}
SLACK = {"runtime": 3.0, "mem_mb": 1.25}  # factor on the estimate, for slower machines and larger configurations
GROWTH = {"runtime": 2.0, "mem_mb": 1.5}  # factor at each attempt
LEAST_MINUTES = 15  # for starting the processes, and for what is not estimated
STEP_MB = 100  # requests are rounded up to multiples of this


@dataclass(frozen=True)
class Request:
    """The estimated needs of jobs that run one after the other: CPU seconds on one core, and 10^6 bytes."""

    seconds: float
    mb: float

    def runtime(self, attempt: int) -> int:
        """Minutes to request. attempt: from 1."""
        minutes = LEAST_MINUTES + SLACK["runtime"] * self.seconds / 60
        return math.ceil(minutes * GROWTH["runtime"] ** (attempt - 1))

    def mem_mb(self, attempt: int) -> int:
        """10^6 bytes to request. attempt: from 1."""
        needed = SLACK["mem_mb"] * self.mb * GROWTH["mem_mb"] ** (attempt - 1)
        return STEP_MB * math.ceil(needed / STEP_MB)


UNREGISTERED = Request(seconds=3600.0, mb=3000.0)  # for a user's data set, whose size is known only from its file


def request(jobs: Sequence[SearchJob] | Sequence[ScoreJob], grid: Grid, costs: Costs, memory: Memory) -> Request:
    """The Request of jobs of one stage that run one after the other. grid: that of the study that owns them."""
    if any(job.dataset not in grid.registered for job in jobs):
        return UNREGISTERED
    seconds, mb = SECONDS[jobs[0].stage](grid, costs), MEGABYTES[jobs[0].stage](grid, memory)
    return Request(sum(map(seconds, jobs)), max(map(mb, jobs)))


def least_seconds(value: object) -> float:
    """The setting `least_seconds` as a number. Raises: UserError unless it is a finite number of at least 0."""
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise UserError(f"least_seconds={value} is not a number of seconds of at least 0; give for example 600")
    return seconds

"""The progress of a campaign: core-hours done and left by study, pace, expected end, and failures by reason."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import score_seconds, search_seconds
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import MeasureJob, SearchJob
from bayes_hpo.campaign.progress import State, states

HOUR = 3600.0
WINDOW_S = 24 * HOUR  # window over which the pace is measured
COUNTED = ("done", "running", "started", "failed")  # states with a column; "started" is running or killed
SLURM_LOGS = "results/slurm_logs"  # set in profiles/slurm, independent of results_dir; contains Slurm's messages
ENDED = re.compile(r"slurmstepd\S*: error: .*?((?:CANCELLED|oom).*|exceeded.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Cost:
    """A job's state and its estimated CPU seconds; 0 for a measure, which has no estimate."""

    state: State
    seconds: float

    @property
    def is_done(self) -> bool:
        """Whether its result exists and is current."""
        return self.state.state == "done"


def jobs_of(grids: Iterable[Grid], costs: Costs) -> dict[str, list[Cost]]:
    """Study -> its jobs with their costs; a search whose pools several studies use is counted once, for their owner."""
    counted: set[str] = set()
    by_study: defaultdict[str, list[Cost]] = defaultdict(list)
    for grid in grids:
        seconds: dict[str, Callable[[Any], float]] = {
            "search": search_seconds(grid, costs),
            "score": score_seconds(grid, costs),
        }
        new = [state for state in states(grid) if state.job.output not in counted]
        counted.update(state.job.output for state in new if isinstance(state.job, SearchJob))
        for state in new:
            cost = 0.0 if isinstance(state.job, MeasureJob) else seconds[state.job.stage](state.job)
            by_study[state.job.study].append(Cost(state, cost))
    return dict(by_study)


def table(jobs: dict[str, list[Cost]]) -> list[str]:
    """A line per study and one for all: jobs by state, core-hours done and left.

    Only a search records that it is running: any other job that has a log without an error and no result counts as
    started, and so does a search that was killed.
    """
    width = max(map(len, ("study", *jobs)))
    heads = "".join(f"{head:>10}" for head in ("jobs", *COUNTED))
    lines = [f"{'study':{width}}{heads}   hours done   hours left"]
    for name, costs in [*jobs.items(), ("all", [cost for of_study in jobs.values() for cost in of_study])]:
        states = Counter(cost.state.state for cost in costs)
        counts = len(costs), *(states[name] for name in COUNTED)
        hours = done(costs) / HOUR, left(costs) / HOUR
        numbers = "".join(f"{count:10}" for count in counts) + "".join(f"{value:13.2f}" for value in hours)
        lines.append(f"{name:{width}}{numbers}")
    return lines


def done(costs: Iterable[Cost]) -> float:
    """Estimated CPU seconds of the finished jobs."""
    return sum(cost.seconds for cost in costs if cost.is_done)


def left(costs: Iterable[Cost]) -> float:
    """Estimated CPU seconds of the unfinished jobs."""
    return sum(cost.seconds for cost in costs if not cost.is_done)


def pace(costs: Sequence[Cost], now: float) -> float:
    """Estimated CPU seconds finished per second over the last day, or since the first job that ended in it.

    now: seconds since the epoch. 0 if no job ended in that time, or all at the same moment.
    """
    ends = {cost.state.job.output: _time(cost.state.job.output) for cost in costs if cost.is_done}
    recent = [cost for cost in costs if now - WINDOW_S <= ends.get(cost.state.job.output, 0.0) <= now]
    since = min((ends[cost.state.job.output] for cost in recent), default=now)
    # the job that ended first ran before `since`
    finished = sum(cost.seconds for cost in recent if ends[cost.state.job.output] > since)
    return finished / (now - since) if now > since else 0.0


def forecast(costs: Sequence[Cost], now: float) -> str:
    """The sentence on the pace and the expected end."""
    rate, rest = pace(costs, now), left(costs)
    if not rest:
        return "nothing is left"
    if not rate:
        return f"{rest / HOUR:.2f} core-hours are left; no pace is known: fewer than two jobs ended in the last day"
    end = datetime.fromtimestamp(now) + timedelta(seconds=min(rest / rate, 1e9))
    return (
        f"{rest / HOUR:.2f} core-hours are left; at {rate:.2f} an hour, as in the last day, until {end:%Y-%m-%d %H:%M}"
    )


def failures(costs: Iterable[Cost]) -> list[str]:
    """A line for each reason why jobs failed: their number, the reason, and one of their commands."""
    reasons = defaultdict(list)
    for cost in costs:
        if cost.state.state == "failed":
            reasons[reason(cost.state.detail)].append(cost.state.job)
    ordered = sorted(reasons.items(), key=lambda pair: -len(pair[1]))
    return [f"{len(jobs):6}  {text}\n{'':8}{jobs[0].command}" for text, jobs in ordered]


def reason(detail: str) -> str:
    """The part of a detail shared by jobs that fail for the same reason: its first sentence, no paths or numbers."""
    text = re.sub(r"\S*/\S*", "...", detail.partition("; resumes:")[0])
    return re.sub(r"\d+(\.\d+)?", "N", text)


def ended_by_slurm(scale: str, folder: str = SLURM_LOGS) -> list[str]:
    """A line for each reason why Slurm ended jobs of a scale: number of attempts, and one of their logs.

    Snakemake's plug-in deletes the logs of other attempts. A folder is named after the rule, its subfolders after
    wildcards.
    """
    logs = defaultdict(list)
    for log in sorted(Path(folder).glob(f"*/{scale}_*/*.log")):
        endings = ENDED.findall(log.read_text(encoding="utf-8", errors="replace"))
        if endings:
            logs[" ".join(re.sub(r"AT \S+|\*", "", endings[-1]).split())].append(log)
    return [f"{len(paths):6}  {text}\n{'':8}{paths[-1]}" for text, paths in logs.items()]


def _time(path):
    """Modification time of a file, seconds since the epoch; 0 if it does not exist."""
    try:
        return Path(path).stat().st_mtime
    except FileNotFoundError:
        return 0.0

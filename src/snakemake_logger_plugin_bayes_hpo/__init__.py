"""What `snakemake` prints here: a line for each finished job, what is done and left; with `--verbose` everything.

Snakemake finds this module by its name (its interface for plug-ins of logging); profiles/default chooses it.
"""

import re
import sys
import time
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from logging import WARNING, LogRecord
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from bayes_hpo.campaign.progress import last_error
from bayes_hpo.campaign.targets import missing_target

HOUR = 3600
KNOWN = (
    "CalledProcessError",
    "Exiting because a job",
    "At least one job did not",
)  # what the line of a failed job says
NO_RULE = re.compile(r"No rule to produce (\S+)")
OF_FUNCTION = re.compile(r"^Error:\n(.*?)^Wildcards:$", re.MULTILINE | re.DOTALL)  # an error of a rule's function
KIND = re.compile(r"\s*(WorkflowError|UserError|RunError)\b.*?:")  # of an error that is a sentence
NO_CORES = "cores have to be specified"
LOCKED = "Directory cannot be locked"
TOLD = ("Nothing to be done", "SLURM run ID")  # by the latter a person finds the jobs of a run in the queue


class LogHandler(LogHandlerBase):
    """Prints the events of one run of Snakemake.

    The core-hours of a job are its resource `core_seconds`; those of all jobs come from the hook `onstart`.
    """

    writes_to_stream = True
    writes_to_file = has_filter = has_formatter = needs_rulegraph = False

    def __post_init__(self) -> None:
        self.jobs: dict[int, Any] = {}  # number -> record of JOB_INFO
        self.total, self.done = 0.0, 0.0  # core-seconds
        self.last, self.begin = "", time.monotonic()
        self.of_event = {
            LogEvent.JOB_INFO: self._job,
            LogEvent.JOB_FINISHED: self._finished,
            LogEvent.JOB_ERROR: self._failed,
            LogEvent.PROGRESS: self._progress,
            LogEvent.ERROR: self._error,
            None: self._message,
        }

    def emit(self, record: LogRecord) -> None:
        """Print what a person wants to know of an event."""
        if self.common_settings.verbose:
            self._print(self.format(record))
        elif of_event := self.of_event.get(getattr(record, "event", None)):
            of_event(record)

    def close(self) -> None:
        """Print the table of a dry run."""
        if self.common_settings.dryrun and self.jobs and not self.common_settings.verbose:
            self._print(plan(list(self.jobs.values())))
            self.jobs = {}
        super().close()

    def _job(self, record: Any) -> None:
        self.jobs[record.jobid] = record

    def _finished(self, record: Any) -> None:
        job = self.jobs.pop(record.job_id)
        self.done += core_seconds(job)
        self.last = label(job)

    def _progress(self, record: Any) -> None:
        width = len(str(record.total))
        self._print(f"{record.done:{width}} of {record.total}  {self.last}{self._left()}")

    def _left(self) -> str:
        """The core-hours that are left, and when they end at the pace so far."""
        left = max(0.0, self.total - self.done)
        if not self.done or not left:
            return ""
        end = datetime.now() + timedelta(seconds=(time.monotonic() - self.begin) * left / self.done)
        return f"  ({hours(left)} core-hours left, until {end:%a %H:%M})"

    def _failed(self, record: Any) -> None:
        sentences = [sentence for log in record.log if (sentence := last_error(log.split(" ")[0]))]
        self._print(
            f"failed: {label(self.jobs.get(record.jobid, record))}: {' '.join(sentences) or 'no error in its log'}"
        )

    def _error(self, record: LogRecord) -> None:
        text = record.getMessage()
        if sentence(text).startswith(KNOWN) or text.startswith(KNOWN):
            return
        if found := NO_RULE.search(text):
            self._print(f"error: {missing_target(found[1])}")
        elif NO_CORES in text:
            self._print("error: the number of cores is missing; give it, for example --cores 2, or --cores all")
        elif LOCKED in text:
            self._print(f"error: {sentence(text)} End first what still runs, also on nodes (squeue --me).")
        else:
            self._print(f"error: {sentence(text)}")

    def _message(self, record: Any) -> None:
        self.total = getattr(record, "core_seconds", self.total)
        text = record.getMessage()
        if (record.levelno >= WARNING and not text.startswith(KNOWN)) or text.startswith(TOLD):
            self._print(text)

    def _print(self, text: str) -> None:
        print(text, file=sys.stdout if self.common_settings.stdout else sys.stderr, flush=True)


def core_seconds(job: Any) -> float:
    """The estimated core-seconds of a job; 0 for one that is not estimated, such as a figure."""
    return float(dict(job.resources.items()).get("core_seconds", 0))


def hours(seconds: float) -> str:
    """Hours as text, such as 0.03 or 5.2."""
    return f"{seconds / HOUR:.1f}" if seconds >= HOUR else f"{seconds / HOUR:.1g}"


def label(job: Any) -> str:
    """A job in words: its rule and wildcards."""
    return " ".join([job.rule_name, *map(str, getattr(job, "wildcards", {}).values())])


def sentence(text: str) -> str:
    """An error of Snakemake without its kind, the place in its files, the wildcards and the traceback."""
    if found := OF_FUNCTION.search(text):
        return " ".join(KIND.sub("", found[1], count=1).split())
    lines = text.strip().removeprefix("Error: ").splitlines()
    if len(lines) > 1 and re.fullmatch(r"\w+( in (file|rule) .*)?:", lines[0]):
        lines = lines[1:]
    end = next((place for place, line in enumerate(lines) if line.startswith("  File ")), len(lines))
    return " ".join(line.strip() for line in lines[:end])


def plan(jobs: list[Any]) -> str:
    """The table of a dry run: jobs and core-hours by scale and study, under the names of the targets."""
    count: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    for job in jobs:
        place = dict(job.wildcards)
        study = place.get("study") or place.get("owner")
        name = f"{place['scale']}_{study}" if study else "data" if "dataset" in place else "other"
        count[name] += 1
        seconds[name] += core_seconds(job)
    rows = [f"{name:40} {count[name]:8} {hours(seconds[name]):>12}" for name in [*count]]
    total = f"{'all':40} {count.total():8} {hours(sum(seconds.values())):>12}"
    return "\n".join([f"{'':40} {'jobs':>8} {'core-hours':>12}", *rows, total])

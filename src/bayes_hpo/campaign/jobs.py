"""The kinds of jobs: the output of each, and its command."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

from bayes_hpo.configuration.overrides import word
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import RESULTS, manifest_file, measure_file, pool_folder, score_file

POOL = ("study", "dataset", "protocol", "searcher", "scale")  # arguments of a command on the pools of a search


def blocks(numbers: list[int], size: int) -> list[tuple[int, int]]:
    """(first, last) of each block of at most `size` consecutive repetitions. numbers: list of int, ascending."""
    by_run = itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])  # constant within a run
    runs = [[number for _, number in run] for _, run in by_run]
    return [(run[k], run[k : k + size][-1]) for run in runs for k in range(0, len(run), size)]


def parse_repetitions(text: str, number: int) -> list[int]:
    """The repetitions in a text such as "3" or "0-4", of the `number` at this scale.

    Raises: UserError for any other text, and for repetitions beyond the scale.
    """
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not (last.isdecimal() and int(first) <= int(last))):
        raise UserError(f"repetitions={text} is neither a number nor a range; give for example 3 or 0-4")
    if int(last or first) >= number:
        allowed = f"0 to {number - 1}" if number > 1 else "0"
        raise UserError(f"repetitions={text} goes beyond the scale; allowed: {allowed} (repetitions in study.scales)")
    return list(range(int(first), int(last or first) + 1))


@dataclass(frozen=True)
class SearchJob:
    """Repetitions `first` to `last` of one search on one data set; `study` owns the pools."""

    stage: ClassVar = "search"
    study: str
    scale: str
    dataset: str
    protocol: str
    searcher: str
    first: int
    last: int
    results: str = RESULTS

    @property
    def folder(self) -> str:
        """The folder of its pools."""
        return pool_folder(self.scale, self.study, self.dataset, self.protocol, self.searcher, self.results)

    @property
    def output(self) -> str:
        """The manifest, written once all its pools are."""
        return manifest_file(self.folder, self.first, self.last)

    @property
    def pool(self) -> str:
        """Its entry in the argument `pools` of a batch."""
        return f"{self.protocol}/{self.searcher}/{self.first}-{self.last}"

    @property
    def command(self) -> str:
        """The command that runs the job."""
        return f"{_command('search', self, POOL)} repetitions={self.first}-{self.last}"


@dataclass(frozen=True)
class ScoreJob:
    """All methods of a study on the pools of one search on one data set."""

    stage: ClassVar = "score"
    study: str
    scale: str
    dataset: str
    protocol: str
    searcher: str
    results: str = RESULTS

    @property
    def output(self) -> str:
        """The score file."""
        return score_file(self.scale, self.study, self.dataset, self.protocol, self.searcher, self.results)

    @property
    def pool(self) -> str:
        """Its entry in the argument `pools` of a batch."""
        return f"{self.protocol}/{self.searcher}"

    @property
    def command(self) -> str:
        """The command that runs the job."""
        return _command("score", self, POOL)


@dataclass(frozen=True)
class MeasureJob:
    """One measure of a study."""

    study: str
    scale: str
    measure: str
    results: str = RESULTS

    @property
    def output(self) -> str:
        """The file with its frame."""
        return measure_file(self.scale, self.study, self.measure, self.results)

    @property
    def command(self) -> str:
        """The command that runs the job."""
        return _command("measure", self, ("study", "measure", "scale"))


def _command(stage, job, keys):
    names = " ".join(f"{key}={getattr(job, key)}" for key in keys)
    results = "" if job.results == RESULTS else f" {word('results_dir', job.results)}"
    return f"python -m bayes_hpo.stages.{stage} {names}{results}"

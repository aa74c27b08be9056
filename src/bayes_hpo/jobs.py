"""The kinds of job: what each writes, and the command that does it."""

from dataclasses import dataclass

from bayes_hpo.layout import RESULTS, manifest_file, measure_file, pool_folder, score_file

POOL = ("study", "dataset", "protocol", "searcher", "scale")  # names that a command about the pools of a search takes


@dataclass(frozen=True)
class SearchJob:
    """Repetitions first to last of one search on one data set; study is the one that owns the pools."""

    study: str
    scale: str
    dataset: str
    protocol: str
    searcher: str
    first: int
    last: int
    results: str = RESULTS

    @property
    def folder(self):
        """Where its pools go."""
        return pool_folder(self.scale, self.study, self.dataset, self.protocol, self.searcher, self.results)

    @property
    def output(self):
        """The manifest that says the job is done."""
        return manifest_file(self.folder, self.first, self.last)

    @property
    def command(self):
        """The command that does the job."""
        return f"{_command('search', self, POOL)} repetitions={self.first}-{self.last}"


@dataclass(frozen=True)
class ScoreJob:
    """All methods of a study on the pools of one search on one data set."""

    study: str
    scale: str
    dataset: str
    protocol: str
    searcher: str
    results: str = RESULTS

    @property
    def output(self):
        """The file of scores."""
        return score_file(self.scale, self.study, self.dataset, self.protocol, self.searcher, self.results)

    @property
    def command(self):
        """The command that does the job."""
        return _command("score", self, POOL)


@dataclass(frozen=True)
class MeasureJob:
    """One measure of a study."""

    study: str
    scale: str
    measure: str
    results: str = RESULTS

    @property
    def output(self):
        """The file of its frame."""
        return measure_file(self.scale, self.study, self.measure, self.results)

    @property
    def command(self):
        """The command that does the job."""
        return _command("measure", self, ("study", "measure", "scale"))


def _command(stage, job, keys):
    names = " ".join(f"{key}={getattr(job, key)}" for key in keys)
    results = "" if job.results == RESULTS else f" results_dir={job.results}"
    return f"python -m bayes_hpo.stages.{stage} {names}{results}"

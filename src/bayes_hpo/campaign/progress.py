"""The states of jobs, from manifests, scores, journals and logs, without loading pools."""

import fcntl
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from bayes_hpo.campaign.fingerprint import changes
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import MeasureJob, ScoreJob, SearchJob
from bayes_hpo.configuration.overrides import word
from bayes_hpo.errors import RunError
from bayes_hpo.storage import provenance
from bayes_hpo.storage.files import read_lines
from bayes_hpo.storage.layout import (
    data_file,
    ledger_file,
    log_file,
    marker_file,
    page_file,
    product_file,
    score_files,
    score_folder,
)
from bayes_hpo.storage.manifest import pool_path, read_manifest

# error of a stage, end of a traceback, or error of the shell; not Snakemake's heading before a message
ERROR = re.compile(r"error: |[\w.]*(Error|Exception|Interrupt)\b(?!:\s*$)|\S*bash: line \d+: ")


@dataclass(frozen=True)
class State:
    """The state of a job.

    state: done, outdated, running, started, failed or missing.
    detail: explanation in words.
    """

    job: SearchJob | ScoreJob | MeasureJob
    state: str
    detail: str = ""

    def __str__(self):
        return f"{self.state:8}  {self.job.output}{': ' if self.detail else ''}{self.detail}\n{'':10}{self.job.command}"


def states(grid: Grid) -> list[State]:
    """The state of every search, score and measure job of a grid."""
    now = grid.digests
    return [
        *(_state(job, now.search_depends[job.protocol, job.searcher], manifest_depends) for job in grid.search_jobs()),
        *(_state(job, now.score_depends[job.protocol, job.searcher], provenance.depends) for job in grid.score_jobs()),
        *(_of_measure(grid, job, now.measure_depends[job.measure]) for job in grid.measure_jobs()),
    ]


def _of_measure(grid, job, depends):
    """The State of a measure; it is also missing if it was made while some searches were unfinished."""
    state = _state(job, depends, provenance.depends)
    lacking = [path for path in grid.measure_inputs(job.measure) if not Path(path).is_file()]
    if state.state != "done" or not lacking:
        return state
    return State(job, "missing", f"made of a part: {len(lacking)} of the files that it reads are not there")


def scores_of_no_search(grid: Grid) -> list[Path]:
    """The score files of the study that belong to no search of it, such as those of a removed searcher."""
    folder, known = score_folder(grid.scale, grid.study, grid.results), grid.digests.score_depends
    return [path for path in score_files(folder, grid.datasets) if (path.parent.name, path.stem) not in known]


def summary(
    results: str,
    since: float,
    products: str = ".",
    sources: str = "",
    without: Sequence[str] = (),
    skip: str | None = None,
) -> str:
    """The report at the end of a run, on the jobs whose log is newer than `since` (seconds since the epoch).

    products: folder of the products.
    sources: overrides of `data.*`, as words of the commands to paste.
    without, skip: as in `Grid`.
    """
    grids = [Grid.of(study, scale, results, without, skip) for scale, study in _studies(results, since)]
    ended = [state for grid in grids for state in states(grid) if _log_time(state.job) >= since]
    failed = [str(state) for state in ended if state.state != "done"]
    unmade = _unmade_data(results, since, sources) + _unmade_products(results, since, products)
    done = len(ended) - len(failed)
    lines = [f"{done} job{'s' * (done != 1)} done, {len(failed) + len(unmade)} failed"]
    if failed or unmade:
        lines.append("run one by its command, or all by the same snakemake command (finished trials are kept):")
    return "\n".join([*lines, *unmade, *failed])


def _unmade_data(results, since, sources):
    """A line for each missing data set whose log is newer than `since`."""
    return [
        f"failed    {data_file(log.stem, results)}: {last_error(log)}\n"
        f"{'':10}python -m bayes_hpo.stages.data dataset={log.stem} {word('results_dir', results)} {sources}".rstrip()
        for log in _logs(results, "logs/data/*.log", since)
        if not Path(data_file(log.stem, results)).is_file()
    ]


def _unmade_products(results, since, products):
    """A line for each missing product whose log is newer than `since`."""
    logs = _logs(results, "*/logs/report/*/*.log", since)
    paths = {log: product_file(log.parts[-5], log.parts[-2], log.stem, products) for log in logs}
    for name, path_of in {"ledger": ledger_file, "page": page_file}.items():
        paths |= {log: path_of(log.parts[-4], products) for log in _logs(results, f"*/logs/report/{name}.log", since)}
    for log in _logs(results, "*/logs/report/*.log", since):  # logs of all artifacts of a study
        paths.setdefault(log, marker_file(log.parts[-4], log.stem, "report", results))
    return [
        f"failed    {path}: {last_error(log)}\n{'':10}snakemake --cores 1 {quote(path)}"
        for log, path in paths.items()
        if not Path(path).is_file()
    ]


def _logs(results, pattern, since):
    return [log for log in sorted(Path(results).glob(pattern)) if log.stat().st_mtime >= since]


def _studies(results, since):
    """(scale, study) of every study with a log newer than `since`."""
    kinds = ("pools", "scores", "measures")
    logs = [log for kind in kinds for log in _logs(results, f"*/logs/{kind}/*/**/*.log", since)]
    places = sorted({log.relative_to(results).parts[:4] for log in logs})  # scale, "logs", kind, study
    return list(dict.fromkeys((place[0], place[3]) for place in places))


def _state(job, depends, recorded):
    old = recorded(job.output)
    if old is not None:
        changed = changes(old, depends)
        return State(job, "outdated", f"changed: {', '.join(changed)}") if changed else State(job, "done")
    journals = [journal for journal in map(_journal, _journals(job)) if journal]
    if any(running for running, _ in journals):
        return State(job, "running", "; ".join(text for running, text in journals if running))
    if not Path(_log(job)).is_file():
        return State(job, "missing", "; ".join(text for _, text in journals))
    resumes = [f"resumes: {text}" for _, text in journals]
    error = last_error(_log(job))
    if error:
        return State(job, "failed", "; ".join([error, *resumes]))
    return State(job, "started", "; ".join(["running, killed, or its files are missing or damaged", *resumes]))


def _journals(job):
    """Paths of the journals of a search job's repetitions."""
    numbers = range(job.first, job.last + 1) if isinstance(job, SearchJob) else ()
    return [pool_path(job.folder, number).with_suffix(".journal") for number in numbers]


def _journal(path):
    """(whether its search is running, its progress in words) of a journal; None if it does not exist."""
    try:
        with open(path, "rb") as stream:
            records, running = read_lines(stream)[0][1:], _is_locked(stream)
    except FileNotFoundError:
        return None
    except OSError as problem:
        return False, f"{path.name} cannot be read ({problem.strerror})"
    try:
        losses = [r["losses"]["values"] for r in records if r["status"] == "finished"]
        best = min((sum(of_folds) / len(of_folds) for of_folds in losses), default=float("inf"))
        seconds = sum(r["seconds"] + r["seconds_proposal"] for r in records)
        failed = Counter(r["reason"].partition(":")[0] for r in records if r["status"] != "finished")
    except (KeyError, TypeError):
        return running, f"{path.name} belongs to another search; the next run sets it aside"
    reasons = "".join(f", {count} failed: {reason}" for reason, count in failed.most_common())
    return running, f"{path.stem} at trial {len(records) + 1}, best {best:.4f}, {seconds:.1f} s so far{reasons}"


def _is_locked(stream):
    try:
        fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def manifest_depends(path: str | Path) -> dict | None:
    """What the pools of a manifest depend on; None if it is missing or damaged, or one of them is missing."""
    try:
        manifest = read_manifest(path)
    except RunError:
        return None
    complete = all((Path(path).parent / name).is_file() for name in manifest["pools"])
    return manifest["depends"] if complete else None


def _log(job):
    return log_file(job.output, job.scale, job.results)


def _log_time(job):
    path = Path(_log(job))
    return path.stat().st_mtime if path.is_file() else 0.0


def last_error(path):
    """The last error in the log of a command, of a stage, a traceback or the shell; empty if there is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    except OSError as problem:
        return f"error: {path} cannot be read ({problem.strerror})"
    return next((line for line in reversed(lines) if ERROR.match(line)), "")

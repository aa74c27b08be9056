# Common to all rules: the settings of the command, and the grids with their composed configurations and digests.
import sys
from functools import cache
from math import ceil
from pathlib import Path
from shlex import quote

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.options import options, written
from bayes_hpo.data.registry import find
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.campaign.batches import batches, joined, markers
from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.dating import date_manifest, date_request, date_scores, is_scored, is_searched
from bayes_hpo.campaign.estimates import score_seconds, search_seconds
from bayes_hpo.campaign.memory import Memory
from bayes_hpo.campaign.requests import least_seconds, request
from bayes_hpo.campaign.fingerprint import artifact_depends, description, ledger_depends, page_depends, search_depends
from bayes_hpo.campaign.modules import digest
from bayes_hpo.campaign.products import Listed, artifacts, drawn_from, listed, products
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.needs import runnable
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.campaign.targets import measure_job, missing_target, score_job, search_job
from bayes_hpo.storage.layout import (
    data_file,
    figure_file,
    ledger_file,
    log_file,
    manifest_file,
    marker_file,
    measure_file,
    page_file,
    pool_folder,
    product_file,
    score_file,
    table_file,
)
from bayes_hpo.configuration.overrides import word

CONFIG = ("results_dir", "products_dir", "archive_dir", "archive_url", "openml_dir", "cifar_dir", "without", "skip", "least_seconds", "scratch_dir")


def without_traceback(function, *arguments):
    """The result of the function; converts its one-sentence error, or a file-system error, to a WorkflowError."""
    try:
        return function(*arguments)
    except (UserError, RunError, OSError) as problem:
        raise WorkflowError(str(problem)) from problem


def print_at_once(text):
    """Print the text and its final line break in one write, because another thread writes the log."""
    sys.stdout.write(f"{text}\n")


for key in config:
    if key not in CONFIG:
        raise WorkflowError(unknown("--config", key, CONFIG))

PYTHON = quote(sys.executable)  # that of the environment, whatever `python` is on the path
RESULTS = config.get("results_dir", "results")
PRODUCTS = config.get("products_dir", ".")
for key in ("results_dir", "products_dir", "skip", "scratch_dir"):
    if set(str(config.get(key, ""))) & set(" \t'\"$;&|<>()"):
        raise WorkflowError(f"--config {key}={config[key]} holds a space or a sign of the shell; give another folder")
for key in ("archive_dir", "openml_dir", "cifar_dir"):
    if workflow.is_main_process and config.get(key) and not Path(config[key]).exists():  # jobs on nodes need no downloads
        raise WorkflowError(f"--config {key}={config[key]} does not exist; give the folder of the downloads (docs/data.md)")
WITHOUT = [name for name in str(config.get("without") or "").split(",") if name]  # unavailable data sets
for name in WITHOUT:
    without_traceback(find, name)
SKIP = config.get("skip")  # folder of released scores, whose repetitions need no job; products are made from them later
LEAST = without_traceback(least_seconds, config.get("least_seconds", 0))  # CPU seconds; shorter batches are joined
SCALES, STUDIES = options("scale"), options("study")
RUNNABLE = without_traceback(runnable, STUDIES)  # prints the others to stderr
WRITTEN = {study: without_traceback(written, "study", study) for study in STUDIES}  # for scales and owners of pools


wildcard_constraints:
    scale="|".join(SCALES),
    owner="|".join(STUDIES),
    study="|".join(STUDIES),
    first=r"\d+",
    last=r"\d+",
    number=r"\d+",
    dataset="[^/]+",
    protocol="[^/]+",
    searcher="[^/]+",
    measure="[^/]+",


@cache
def studies(scale):
    """The studies that can run at a scale."""
    return [study for study in RUNNABLE if scale in WRITTEN[study]["scales"]]


@cache
def grid(scale, study):
    """The grid of a study at a scale, with its fingerprints computed."""

    def computed():
        grid = Grid.of(study, scale, RESULTS, WITHOUT, SKIP)
        return grid, grid.pools, grid.digests.score_depends, grid.digests.measure_depends

    return without_traceback(computed)[0]


@cache
def costs():
    return without_traceback(Costs.read)


@cache
def memory():
    return without_traceback(Memory.read)


@cache
def needed(jobs):
    """The Request of jobs of one study (tuple) that run one after the other."""
    return without_traceback(request, jobs, grid(jobs[0].scale, jobs[0].study), costs(), memory())


@cache
def searches(scale, owner):
    """The batches of searches whose pools a study owns, for itself and for other studies that use them."""
    users = [study for study in studies(scale) if owner in (study, WRITTEN[study].get("pools"))]
    jobs = dict.fromkeys(job for study in users for job in grid(scale, study).search_jobs())
    return _batches(jobs, grid(scale, owner), search_seconds)


@cache
def scores(scale, study):
    """The batches of score jobs of a study."""
    return _batches(grid(scale, study).score_jobs(), grid(scale, study), score_seconds)


def _batches(jobs, grid, seconds):
    """The batches of some jobs. seconds: function, (grid, costs) -> function, job -> CPU seconds."""
    by_dataset = batches(jobs, without_traceback(seconds, grid, costs()), grid.cfg["scale"]["batch_seconds"])
    return joined(by_dataset, LEAST)


@cache
def marked(of, scale, study):
    """dict, output of a job of a study -> marker of its batch. of: `searches` or `scores`."""
    return without_traceback(markers, of(scale, study), is_current)


def is_current(job):
    """Whether the output of a job was made by the present code and settings."""
    pool = job.protocol, job.searcher
    if isinstance(job, SearchJob):
        return is_searched(job, searched_with(job.scale, job.study, *pool))
    scored = grid(job.scale, job.study)
    return is_scored(job, scored.digests.score_depends[pool], len(scored.wanted(job.dataset, *pool)))


@cache
def by_place(of, scale, study):
    """The batches, by the wildcards of their markers: dict, (data set, number) -> Batch."""
    return {(group.jobs[0].dataset, str(group.number)): group for group in of(scale, study)}


def batch(of, scale, study, dataset, number):
    """One batch, given the wildcards of its marker."""
    if group := by_place(of, scale, study).get((dataset, number)):
        return group
    raise WorkflowError(f"study {study} has no batch {number} of {dataset} at scale {scale}")


@cache
def searched_with(scale, owner, protocol, searcher):
    """What a search in a study's pools depends on; the searcher may belong to another study that uses these pools."""
    return without_traceback(search_depends, grid(scale, owner).job(protocol, searcher))


@cache
def score_fingerprint(scale, study, protocol, searcher):
    return grid(scale, study).digests.score_depends[protocol, searcher]["fingerprint"]


@cache
def artifact_fingerprint(scale, study, artifact):
    return artifact_depends(*artifact, grid(scale, study).cfg, grid(scale, study).rows)["fingerprint"]


@cache
def file_digests(*patterns):
    """Digests of the text files that match the patterns, by path."""
    paths = sorted(path for pattern in patterns for path in Path(".").glob(pattern))
    return {str(path): digest(path.read_text(encoding="utf-8")) for path in paths}


PLACE = word("results_dir", RESULTS)
SCRATCH = word("scratch_dir", config["scratch_dir"]) if config.get("scratch_dir") else ""
LEFT_OUT = f"'without=[{','.join(WITHOUT)}]'"
POOLS = pool_folder("{scale}", "{owner}", "{dataset}", "{protocol}", "{searcher}", RESULTS)
MANIFEST = manifest_file(POOLS, "{first}", "{last}")
SEARCHES = marker_file("{scale}", "{owner}", "{dataset}/search_{number}", RESULTS)
SCORED = marker_file("{scale}", "{study}", "{dataset}/score_{number}", RESULTS)
REPORTED = marker_file("{scale}", "{study}", "report", RESULTS)
SCORES = score_file("{scale}", "{study}", "{dataset}", "{protocol}", "{searcher}", RESULTS)
MEASURE = measure_file("{scale}", "{study}", "{measure}", RESULTS)

"""Sets the time stamps of outdated files back, so that Snakemake reruns their jobs when they are requested by name.

Snakemake does not record what a file of a batch depends on; the file itself does. Nothing is deleted.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.progress import manifest_depends
from bayes_hpo.storage import provenance

OLDEST = 1  # seconds since the epoch; Snakemake takes 0 for a missing file


def is_searched(job: SearchJob, depends: dict) -> bool:
    """Whether a search job is done. depends: what it depends on now (`fingerprint.depends`)."""
    return (manifest_depends(job.output) or {}).get("fingerprint") == depends["fingerprint"]


def is_scored(job: ScoreJob, depends: dict, repetitions: int) -> bool:
    """Whether a score job is done with the wanted number of repetitions. depends: as in `is_searched`."""
    scored = provenance.pools(job.output)
    return provenance.is_current(job.output, depends) and (scored is None or len(scored) == repetitions)


def date_manifest(job: SearchJob, depends: dict) -> None:
    """Set back the time stamp of a search job's manifest if it is outdated."""
    if Path(job.output).is_file() and not is_searched(job, depends):
        os.utime(job.output, (OLDEST, OLDEST))


def date_scores(job: ScoreJob, depends: dict, repetitions: int) -> None:
    """Set back the time stamp of a score file if it is outdated or has another number of repetitions."""
    if Path(job.output).is_file() and not is_scored(job, depends, repetitions):
        os.utime(job.output, (OLDEST, OLDEST))


def date_request(path: str, files: Iterable[str]) -> str:
    """Create the file at `path`, an input of a product next to `files`: new if one of these is missing, else very old.

    Without it, Snakemake finds nothing to do for an existing product, such as a committed one, whose inputs are
    missing.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).touch()
    if all(Path(file).is_file() for file in files):
        os.utime(path, (OLDEST, OLDEST))
    return path

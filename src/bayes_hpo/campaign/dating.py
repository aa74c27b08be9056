"""Outdated files are dated back, so that Snakemake runs their jobs again when the files are requested by name.

Snakemake does not record what a file of a batch depended on; the file itself does. Nothing is deleted.
"""

import os
from pathlib import Path

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.progress import manifest_depends
from bayes_hpo.storage import provenance

OLDEST = 1  # second of the epoch; Snakemake takes 0 for a missing file


def date_manifest(job: SearchJob, depends: dict) -> None:
    """Date the manifest of a search job back when it is outdated. depends: of the job now (`fingerprint.depends`)."""
    if Path(job.output).is_file() and (manifest_depends(job.output) or {}).get("fingerprint") != depends["fingerprint"]:
        os.utime(job.output, (OLDEST, OLDEST))


def date_scores(job: ScoreJob, depends: dict, repetitions: int) -> None:
    """Date a score file back when it is outdated or holds another number of repetitions."""
    if not Path(job.output).is_file():
        return
    scored = provenance.pools(job.output)
    if not provenance.is_current(job.output, depends) or (scored is not None and len(scored) != repetitions):
        os.utime(job.output, (OLDEST, OLDEST))

"""Outdated files get the oldest time, so that Snakemake makes them again when they are asked for by their names.

It keeps no record of what a file depended on that was made in a batch; the file itself does. Nothing is deleted.
"""

import os
from pathlib import Path

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.progress import manifest_depends
from bayes_hpo.storage import provenance

OLDEST = 1  # second of the epoch; Snakemake takes 0 for a file that is not there


def date_manifest(job: SearchJob, depends: dict) -> None:
    """Date the manifest of a search job back unless it depends on what is wanted (`fingerprint.depends`)."""
    if Path(job.output).is_file() and (manifest_depends(job.output) or {}).get("fingerprint") != depends["fingerprint"]:
        os.utime(job.output, (OLDEST, OLDEST))


def date_scores(job: ScoreJob, depends: dict, repetitions: int) -> None:
    """Date a score file back unless it depends on what is wanted and holds that many repetitions."""
    if not Path(job.output).is_file():
        return
    scored = provenance.pools(job.output)
    if not provenance.is_current(job.output, depends) or (scored is not None and len(scored) != repetitions):
        os.utime(job.output, (OLDEST, OLDEST))

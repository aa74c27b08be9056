# What the rules share: the grids, one composed configuration each, and their digests.
from functools import cache

from bayes_hpo.errors import Fault, UserError
from bayes_hpo.fingerprint import artifact_depends, digest
from bayes_hpo.grid import Grid, scales_of
from bayes_hpo.layout import (
    data_file,
    figure_file,
    log_file,
    manifest_file,
    pool_folder,
    score_file,
    table_file,
)


SCALES_OF = {study: scales_of(study) for study in STUDIES}


wildcard_constraints:
    scale="|".join(SCALES),
    owner="|".join(STUDIES),
    study="|".join(STUDIES),
    first=r"\d+",
    last=r"\d+",
    dataset="[^/]+",
    protocol="[^/]+",
    searcher="[^/]+",


def studies(scale):
    """The studies that can be run at a scale."""
    return [study for study in STUDIES if scale in SCALES_OF[study]]


@cache
def grid(scale, study):
    try:
        return Grid.of(study, scale, RESULTS, WITHOUT)
    except (UserError, Fault) as problem:
        raise WorkflowError(str(problem)) from problem


@cache
def search_digest(scale, owner, protocol, searcher):
    return digest(grid(scale, owner).search_depends[protocol, searcher])


@cache
def score_digest(scale, study, protocol, searcher):
    return digest(grid(scale, study).score_depends[protocol, searcher])


@cache
def artifact_digest(document, artifact):
    return digest(artifact_depends(document, artifact))


PLACE = f"results_dir={RESULTS}"
POOLS = pool_folder("{scale}", "{owner}", "{dataset}", "{protocol}", "{searcher}", RESULTS)
MANIFEST = manifest_file(POOLS, "{first}", "{last}")
SCORES = score_file("{scale}", "{study}", "{dataset}", "{protocol}", "{searcher}", RESULTS)

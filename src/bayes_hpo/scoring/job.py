"""A score job: all methods of a study on the pools of one search, as tidy rows in one parquet file."""

import logging
from pathlib import Path

import pyarrow as pa

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.repetition import Repetition, pool_key, repetition_key
from bayes_hpo.scoring.row_losses import has_row_losses, write_row_losses
from bayes_hpo.scoring.score import score_pool
from bayes_hpo.storage import parquet
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import SCORES_SCHEMA, searched
from bayes_hpo.storage.manifest import file_digest, pool_path, verified
from bayes_hpo.storage.pools import read_pool
from bayes_hpo.storage.provenance import footer, is_current, pools

log = logging.getLogger(__name__)


def run_score(
    job: dict,
    scoring: dict,
    *,
    blocks: list[str] | list[Path],
    data_path: str | Path,
    output: str | Path,
    depends: dict,
    pool_fingerprint: str,
    refit_fingerprint: str,
    columns: dict,
    stated: dict | None = None,
) -> None:
    """Score every repetition of every block and write `output`, unless it is up to date.

    job: resolved configuration of the pools (`campaign.job_config`).
    scoring: methods, name -> {selector: node, along_search: bool}; checkpoint, trials between two scores along the
        search; final, node; refit_cap, maximum rows of a refit; row_losses, whether to keep the loss of every test row.
    blocks: paths of the manifests of the pools.
    data_path, output: paths of the prepared data and of the score file.
    depends: what the scores depend on in addition to the pools.
    pool_fingerprint, refit_fingerprint: digests of what a pool and a refit depend on in addition to the data.
    columns, stated: values shared by all rows; the registry's statements about the data set (`Data.load`).
    Raises: RunError when a pool or manifest is missing, damaged, altered, of another job or without a finished trial.
    """
    paths = [pool for block in blocks for pool in verified(block)]
    digests = [file_digest(path) for path in paths]
    if _is_current(output, depends, digests) and (not scoring["row_losses"] or has_row_losses(output, depends)):
        log.info("the scores are up to date: %s", output)
        return
    data, rows = Data.load(data_path, stated), []
    for path in paths:
        pool = _read(path, data, pool_fingerprint)
        scored = _score(job, scoring, data, pool, path, f"{refit_fingerprint}-{data.digest}")
        rows += [(columns | row, losses) for row, losses in scored]
        log.info("scored %s", path)
    if scoring["row_losses"]:
        write_row_losses(rows, output, depends)
    with atomic(Path(output)) as file:
        parquet.write(pa.Table.from_pylist([row for row, _ in rows]), file, footer(depends, searched(output), digests))


def _is_current(output, depends, digests):
    """Whether `output` is complete and records these digests of the pools and the same dependencies."""
    if not is_current(output, depends) or pools(output) != digests:
        return False
    try:
        parquet.read(output)
    except parquet.DAMAGE:
        return False
    return True


def _read(path, data, fingerprint):
    """The pool at `path`. Raises: RunError when its key does not match its file name, the data and the fingerprint."""
    pool = read_pool(path)
    wanted = repetition_key(f"{fingerprint}-{data.digest}", data.name, _number(pool))
    if pool_key(pool) != wanted or path != pool_path(path.parent, _number(pool)):
        raise RunError(f"{path} was searched with other code, settings or data; run its search again")
    return pool


def _number(pool):
    return pool.provenance.get("repetition", -1)


def _score(job, scoring, data, pool, path, fingerprint):
    """Pairs (row of scores, losses (n_test,)) of the pool at `path`. fingerprint: that of its refits."""
    repetition = Repetition.of(job, data, _number(pool))
    space = build(job["space"], "space")
    selectors = {
        method: (build(node["selector"], f"selector of {method}", space=space), node["along_search"])
        for method, node in scoring["methods"].items()
    }
    most = scoring["refit_cap"]
    store = path.with_suffix(f".refits_{most}.npz")  # shared by studies with the same cap on refit rows
    final = {"pool_path": path, "most": most, "store": store, "fingerprint": fingerprint}
    predict = build(scoring["final"], "study.final", repetition=repetition, **final)
    y_test, how = data.y[repetition.parts.test], {"task": repetition.task, "every": scoring["checkpoint"]}
    try:
        rows = list(score_pool(pool, selectors, predict, y_test, repetition.seeds, **how))
    except EmptyPoolError as problem:
        why = "bayes-hpo inspect shows why they failed; mend that, delete the pool and run its search again"
        raise EmptyPoolError(f"{path}: {problem}; {why}") from problem
    finally:
        predict.save()
    shared = {"repetition": _number(pool), "revision": pool.provenance["revision"], "schema": SCORES_SCHEMA}
    return [(shared | row, losses) for row, losses in rows]

"""A score job: all methods of a study on the pools of one search, as tidy rows in one parquet file."""

import logging
from pathlib import Path

import pyarrow as pa

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import Fault
from bayes_hpo.repetition import Repetition, key, key_of
from bayes_hpo.scoring.row_losses import write_row_losses
from bayes_hpo.scoring.score import score_pool
from bayes_hpo.storage import parquet
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import SCORES_SCHEMA, searched
from bayes_hpo.storage.manifest import file_digest, pool_path, verified
from bayes_hpo.storage.pools import read_pool
from bayes_hpo.storage.provenance import footer, is_current, pools

log = logging.getLogger(__name__)


def run_score(
    job, scoring, *, blocks, data_path, output, depends, pool_fingerprint, refit_fingerprint, columns, stated=None
):
    """Score every repetition of every block and write `output`, unless it is there, made from these pools.

    job: the resolved configuration of the pools (`job_config`). scoring: {"methods": method -> {"selector": node,
    "along_search": bool}, "checkpoint": trials between two steps of a curve, "final": node, "refit_cap": most rows of a
    refit, "row_losses": whether the loss of every test row is kept, in a file beside `output`}.
    blocks: manifests (list of path) of the pools.
    depends: what the scores depend on beside the pools; pool_fingerprint, refit_fingerprint: of what a pool and a refit
    depend on beside the data.
    columns: dict of values that every row shares. stated: what the registry states of the data set (`Data.load`).
    Raises: Fault when a pool or manifest is missing, damaged, altered or of another job.
    """
    paths = [pool for block in blocks for pool in verified(block)]
    digests = [file_digest(path) for path in paths]
    if _is_there(output, depends, digests):
        log.info("its scores are there: %s", output)
        return
    data, rows = Data.load(data_path, stated), []
    for path in paths:
        pool = read_pool(path)
        wanted = key(f"{pool_fingerprint}-{data.digest}", data.name, _number(pool))
        if key_of(pool) != wanted or path != pool_path(path.parent, _number(pool)):
            raise Fault(f"{path} was searched with other code, settings or data; run its search again")
        final = _final_settings(path, scoring["refit_cap"], f"{refit_fingerprint}-{data.digest}")
        rows += [(columns | row, losses) for row, losses in _score(job, scoring, data, pool, final)]
        log.info("scored %s", path)
    if scoring["row_losses"]:
        write_row_losses(rows, output, depends)
    with atomic(Path(output)) as part:
        parquet.write(pa.Table.from_pylist([row for row, _ in rows]), part, footer(depends, searched(output), digests))


def _is_there(output, depends, digests):
    """Whether `output` is whole, depends on what is wanted and was made from the pools with these digests."""
    if not is_current(output, depends) or pools(output) != digests:
        return False
    try:
        parquet.read(output)
    except parquet.DAMAGE:
        return False
    return True


def _number(pool):
    return pool.provenance.get("repetition", -1)


def _final_settings(pool, most, fingerprint):
    """What a final may take of the pool at this path; studies that refit on as many rows share a store."""
    store = pool.with_suffix(f".refits_{most}.npz")
    return {"pool_path": pool, "most": most, "store": store, "fingerprint": fingerprint}


def _score(job, scoring, data, pool, final):
    """Rows (list of dict) of one pool, each with its losses. final: what the final models may take."""
    repetition = Repetition.of(job, data, _number(pool))
    space = build(job["space"], "space")
    selectors = {
        method: (build(node["selector"], f"selector of {method}", space=space), node["along_search"])
        for method, node in scoring["methods"].items()
    }
    predict = build(scoring["final"], "study.final", repetition=repetition, **final)
    y_test, how = data.y[repetition.parts.test], {"task": repetition.task, "every": scoring["checkpoint"]}
    try:
        rows = list(score_pool(pool, selectors, predict, y_test, repetition.seeds, **how))
    finally:
        predict.save()
    same = {"repetition": _number(pool), "revision": pool.provenance["revision"], "schema": SCORES_SCHEMA}
    return [(same | row, losses) for row, losses in rows]

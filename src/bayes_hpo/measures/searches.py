"""The finished searches that a measure reads: each pool with its searcher and seeds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.contracts import Searcher
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.pool import Pool
from bayes_hpo.repetition import pool_key
from bayes_hpo.seeds import Seeds
from bayes_hpo.storage.manifest import pool_path, verified
from bayes_hpo.storage.pools import read_pool


class Grid(Protocol):
    """The interface of a study at a scale that measures use (`campaign.grid.Grid`).

    owner: study that owns the pools.
    draws: study that owns the seeds.
    results: folder of the results.
    """

    study: str
    scale: str
    owner: str
    draws: str
    results: str

    @property
    def datasets(self) -> Sequence[str]:
        """Names of the data sets."""

    @property
    def methods(self) -> Mapping[str, dict]:
        """Methods of the study, name -> configuration."""

    @property
    def pools(self) -> Sequence[tuple[str, str]]:
        """(protocol, searcher) of each search."""

    def methods_on(self, protocol: str, searcher: str, /) -> Sequence[str]:
        """Names of the methods that select from the pools of a search."""

    def validation(self, protocol: str, /) -> str:
        """Name of the validation of a protocol."""

    def job(self, protocol: str, searcher: str, /) -> dict:
        """The configuration that determines the pools of a search."""

    def blocks(self, dataset: str, protocol: str, searcher: str, /) -> Iterable[Any]:
        """The search jobs of one data set, protocol and searcher; the `output` of each is a manifest."""


@dataclass(frozen=True)
class Search:
    """A search that a method selects from; searcher.propose(pool.history[:t], seeds) reproduces trial t's proposal.

    key: dict of data set, repetition, validation and method, as in scores.
    path: path of the pool file.
    """

    key: dict
    path: Path
    pool: Pool
    searcher: Searcher
    seeds: Seeds


def searches(grid: Grid, methods: Sequence[str]) -> Iterator[Search]:
    """Yield the Search behind each score of some methods, ordered by method, then data set.

    Raises: UserError when `methods` is empty or names a method that the study does not have; RunError when a pool is
    missing, damaged or altered, or no search is finished.
    """
    if not methods:
        raise UserError(f"measure.methods=[] names no method; allowed: {', '.join(grid.methods)}")
    if others := [name for name in methods if name not in list(grid.methods)]:
        raise UserError(unknown("measure.methods", others[0], grid.methods))
    names, path = dict.fromkeys(methods), None
    for method, (protocol, name) in [(m, pool) for m in names for pool in grid.pools if m in grid.methods_on(*pool)]:
        job = grid.job(protocol, name)
        searcher = build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=job["budget"])
        for dataset in grid.datasets:
            for path in _pools(grid, dataset, protocol, name):
                pool = _checked(read_pool(path), path, job, dataset)
                seeds = Seeds(grid.draws, dataset, pool.provenance["repetition"])
                named = {"validation": grid.validation(protocol), "method": method}
                key = {"dataset": dataset, "repetition": seeds.repetition} | named
                yield Search(key, path, pool, searcher, seeds)
    if path is None:
        raise RunError(f"no search of {', '.join(names)} is finished below {grid.results}; run one first")


def _pools(grid, *search):
    """The paths of the pools of a search on a data set, without duplicates: blocks of different sizes may overlap."""
    return dict.fromkeys(pool for block in grid.blocks(*search) for pool in verified(block.output))


def _checked(pool, path, job, dataset):
    """The pool read from `path`. Raises: RunError when it belongs to another job, data set or repetition."""
    of = pool_key(pool)
    known = pool.provenance.get("job") == job and of["dataset"] == dataset
    if not known or path != pool_path(path.parent, of["repetition"]):
        raise RunError(f"{path} was searched with other settings or data; run its search again")
    return pool

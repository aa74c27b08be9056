"""The grid of a study at a scale: all its jobs, from one composed configuration."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bayes_hpo.campaign.composed import composed
from bayes_hpo.campaign.fingerprint import measure_depends, score_depends, search_depends
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.jobs import MeasureJob, ScoreJob, SearchJob, blocks
from bayes_hpo.campaign.protocols import pools_of, protocol_name, protocols
from bayes_hpo.campaign.scale_settings import scale_settings
from bayes_hpo.configuration.compose import draws, unknown
from bayes_hpo.data.registry import Row, checked_name, find, registry, suite
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import RESULTS, data_file, released_file

if TYPE_CHECKING:
    from bayes_hpo.campaign.costs import Costs

GROUPS = ("searcher", "protocol", "method", "selector", "measure")  # a Grid needs every option of these


def groups_for(arguments: Sequence[str]) -> tuple[str, ...]:
    """GROUPS for a command that names a study, else empty."""
    return GROUPS if any(argument.startswith("study=") for argument in arguments) else ()


class Grid:
    """All jobs of one study at one scale, from one composed configuration."""

    def __init__(self, cfg: dict, without: Sequence[str] = (), skip: str | None = None) -> None:
        """Store the settings and check the names.

        cfg: configuration of a stage, with the groups that it needs.
        without: data sets of the suite to leave out.
        skip: folder of released scores, whose repetitions need no job.
        Raises: UserError for an unknown name or scale, or when `skip` does not exist.
        """
        self.cfg, self.without, self.skip = cfg, without, skip
        self.study, self.scale, self.results = cfg["names"]["study"], cfg["scale"]["name"], cfg["results_dir"]
        self.owner = cfg["study"]["pools"] or self.study
        self.draws = draws(cfg["study"], self.study)
        self.scale_settings = scale_settings(cfg)
        for name in without:
            find(name)
        if skip and not Path(skip).is_dir():
            raise UserError(f"skip={skip} is not a folder; give that of released scores, such as skip=released")

    @classmethod
    def of(
        cls, study: str, scale: str, results: str = RESULTS, without: Sequence[str] = (), skip: str | None = None
    ) -> Self:
        """The grid of a study at a scale. Raises: UserError for an unknown one, or an unknown name in its files."""
        return cls(composed(study, scale, results, GROUPS), without, skip)

    @cached_property
    def registered(self) -> dict[str, Row]:
        """The registry of data sets, read once."""
        return registry()

    @cached_property
    def costs(self) -> "Costs":
        """The measured costs, which determine the sizes of blocks, read once."""
        from bayes_hpo.campaign.costs import Costs

        return Costs.read()

    @property
    def rows(self) -> dict[str, Row]:
        """dict, data set -> row of the registry."""
        return {name: self.registered[name] for name in self.datasets}

    @cached_property
    def datasets(self) -> list[str]:
        """Names of the data sets."""
        suite_name = self.scale_settings["suite"]
        names = [name for name in suite(suite_name) if name not in self.without]
        if not names:
            raise UserError(f"without={','.join(self.without)} leaves no data set of suite {suite_name}")
        return names

    @cached_property
    def methods(self) -> dict[str, dict]:
        """Methods of the study: dict, name -> configuration, in the study's order."""
        methods = {name: self._option("methods", name) for name in self.cfg["study"]["methods"]}
        for name in self.cfg["study"]["curves"]:
            if name not in methods:
                raise UserError(f"{unknown('study.curves', name, methods)}; curves are of methods of the study")
        return methods

    @cached_property
    def measures(self) -> dict[str, dict]:
        """Measures of the study: dict, name -> configuration, in the study's order."""
        return {name: self._option("measures", name) for name in self.cfg["study"]["measures"]}

    @cached_property
    def pools(self) -> list[tuple[str, str]]:
        """(protocol, searcher) of every search: one for all methods that select from its pools."""
        validations = self.cfg["study"]["validations"]
        pairs = [(protocol_name(v, m), m["searcher"]) for v in validations for m in self.methods.values()]
        return list(dict.fromkeys(pairs))

    def methods_on(self, protocol: str, searcher: str) -> list[str]:
        """Names of the methods that select from one pool."""
        validation = self.validation(protocol)
        pools = {name: (protocol_name(validation, m), m["searcher"]) for name, m in self.methods.items()}
        chosen = [name for name, pool in pools.items() if pool == (protocol, searcher)]
        if not chosen:
            raise UserError(f"study={self.study} has no method with searcher={searcher} and protocol={protocol}")
        return chosen

    def repetitions(self, protocol: str) -> int:
        """Number of repetitions under a protocol."""
        return self.scale_settings["repetitions"][self.validation(protocol)]

    def validation(self, protocol: str) -> str:
        """Name of the validation of a protocol. Raises: UserError when the scale has no repetitions for it."""
        if protocol not in self._protocols:
            pools = pools_of(self.cfg["study"]["methods"], self.scale_settings["repetitions"])
            known = unknown("protocol", protocol, dict.fromkeys(name for name, _ in pools))
            raise UserError(f"{known}, the protocols of the methods of study {self.study}")
        return self._protocols[protocol].validation

    @cached_property
    def _protocols(self):
        return protocols(self.scale_settings["repetitions"])

    def wanted(self, dataset: str, protocol: str, searcher: str) -> list[int]:
        """The repetitions that jobs must make: all of a pool except those with scores in `skip`."""
        every = list(range(self.repetitions(protocol)))
        if not self.skip:
            return every
        done = self.scored(
            released_file(self.scale, self.study, dataset, protocol, searcher, self.skip), protocol, searcher
        )
        return [number for number in every if number not in done]

    def scored(self, path: str | Path, protocol: str, searcher: str) -> set[int]:
        """Repetitions for which a score file contains all methods of a pool; empty if the file does not exist."""
        from bayes_hpo.scores.frames import finished  # pyarrow is loaded only when needed

        methods, worst_loss = tuple(self.methods_on(protocol, searcher)), self.cfg["study"]["task"]["worst_loss"]
        return finished(path, methods, study=self.study, scale=self.scale, worst_loss=worst_loss)

    def search_jobs(self) -> list[SearchJob]:
        """All search jobs."""
        return [job for dataset in self.datasets for pool in self.pools for job in self.blocks(dataset, *pool)]

    def blocks(self, dataset: str, protocol: str, searcher: str) -> list[SearchJob]:
        """The search jobs on one data set, protocol and searcher: blocks of at most `block_seconds`, or one repetition.

        For an unregistered data set, whose size is known only from its file, all repetitions are one block.
        """
        wanted, size = self.wanted(dataset, protocol, searcher), self.repetitions(protocol)
        if dataset in self.registered:
            from bayes_hpo.campaign.run_costs import runs_in  # SciPy is loaded only when blocks are sized

            job, seconds = self.job(protocol, searcher), self.cfg["scale"]["block_seconds"]
            size = runs_in(seconds, job, searcher, self.registered[dataset], self.costs)
        names = (self.owner, self.scale, dataset, protocol, searcher)
        return [SearchJob(*names, first, last, self.results) for first, last in blocks(wanted, size)]

    def score_jobs(self) -> list[ScoreJob]:
        """All score jobs."""
        names = [(dataset, *pool) for dataset in self.datasets for pool in self.pools]
        return [ScoreJob(self.study, self.scale, *name, self.results) for name in names if self.wanted(*name)]

    def measure_jobs(self) -> list[MeasureJob]:
        """All measure jobs except those that read a pool with scores in `skip`: that pool may not exist."""
        names = [name for name in self.measures if not any(map(self._is_skipped, self.read_pools(name)))]
        return [MeasureJob(self.study, self.scale, name, self.results) for name in names]

    def _is_skipped(self, pool):
        """Whether `skip` contains a score of the pool (protocol, searcher)."""
        return any(len(self.wanted(name, *pool)) < self.repetitions(pool[0]) for name in self.datasets)

    def read_pools(self, measure: str) -> list[tuple[str, str]]:
        """The pools (protocol, searcher) of the methods that the settings of a measure name."""
        wanted = set(self.measures[measure].get("methods", ()))
        if others := sorted(wanted - set(self.methods)):
            raise UserError(unknown(f"measure {measure}: method", others[0], self.methods))
        return [pool for pool in self.pools if wanted & set(self.methods_on(*pool))]

    def measure_inputs(self, name: str) -> list[str]:
        """Files of the data set and of the scores (hence pools) of the methods named in the settings of a measure."""
        node, pools = self.measures[name], self.read_pools(name)
        data = [data_file(node["dataset"], self.results)] if "dataset" in node else []
        return data + [job.output for job in self.score_jobs() if (job.protocol, job.searcher) in pools]

    @cached_property
    def digests(self) -> "Digests":
        """The fingerprints of the jobs."""
        return Digests(self)

    def job(self, protocol: str, searcher: str) -> dict:
        """The configuration on which the pools of a search depend (`job_config`)."""
        parts = {"protocol": self._option("protocols", protocol), "searcher": self._option("searchers", searcher)}
        return job_config(self.cfg | parts | {"budget": self.scale_settings["budget"]}, self.draws)

    def scoring(self, protocol: str, searcher: str) -> dict:
        """The configuration of a score job: its methods with their selectors, and the iterations of the curves."""
        study = self.cfg["study"]
        methods = {}
        for name in self.methods_on(protocol, searcher):
            selector = self._option("selectors", self.methods[name]["selector"])
            methods[name] = {"selector": selector, "along_search": name in study["curves"]}
        return {"methods": methods} | {key: study[key] for key in ("checkpoint", "final", "refit_cap", "row_losses")}

    def _option(self, group, name):
        """An option by name: from all options of its group, or the one with which a stage was composed."""
        chosen = group.removesuffix("s")
        if group not in self.cfg and self.cfg["names"].get(chosen) == name:
            return self.cfg[chosen]
        if name not in self.cfg[group]:
            raise UserError(f"study {self.study}: {unknown(chosen, name, sorted(self.cfg[group]))}")
        return self.cfg[group][name]


class Digests:
    """What the jobs of a grid depend on (`fingerprint.depends`), computed once."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    @cached_property
    def search_depends(self) -> dict[tuple[str, str], dict]:
        """(protocol, searcher) -> what a search depends on besides its data."""
        return {pool: search_depends(self.grid.job(*pool)) for pool in self.grid.pools}

    @cached_property
    def score_depends(self) -> dict[tuple[str, str], dict]:
        """(protocol, searcher) -> what a score job depends on besides its pools."""
        return {pool: score_depends(self.grid.job(*pool), self.grid.scoring(*pool)) for pool in self.grid.pools}

    @cached_property
    def measure_depends(self) -> dict[str, dict]:
        """Name -> what a measure depends on besides the files that it reads."""
        return {name: measure_depends(self.grid.owner, node) for name, node in self.grid.measures.items()}


def dataset_file(name: str, results: str = RESULTS) -> str:
    """Path of a prepared data set. Raises: UserError when it neither exists nor is registered."""
    path = data_file(checked_name(name), results)
    if not Path(path).is_file():
        find(name)
    return path

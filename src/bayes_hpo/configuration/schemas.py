"""Schemas of the configuration; `build` checks the arguments of a `_target_` against its annotations instead."""

import math
from dataclasses import dataclass, field
from typing import Annotated, Any

from omegaconf import MISSING

from bayes_hpo.configuration.limits import NonNegativeFloat, NonNegativeInt, PositiveInt, Range
from bayes_hpo.configuration.study_schema import Study

Seconds = Annotated[float, Range(ge=0.001, le=1e6)]


@dataclass
class GaussianProcess:
    """A preset of the Gaussian process: number of candidates per suggestion, and of slice-sampling sweeps."""

    name: str = MISSING
    candidates: PositiveInt = MISSING
    burn_in: NonNegativeInt = MISSING
    restart_burn_in: NonNegativeInt = MISSING
    samples: PositiveInt = MISSING


@dataclass
class Scale:
    """How much of a study is run.

    block_seconds: maximum duration of a block of repetitions, unless it is a single repetition.
    batch_seconds: duration of a batch of blocks.
    members: number of members of a searched ensemble.
    """

    name: str = MISSING
    gp: GaussianProcess = field(default_factory=GaussianProcess)
    block_seconds: Annotated[float, Range(gt=0, lt=math.inf)] = MISSING
    batch_seconds: Annotated[float, Range(gt=0, lt=math.inf)] = MISSING
    members: PositiveInt = MISSING


@dataclass
class Method:
    """A method: searcher, splits (fixed | reshuffled), selection split and selector; place: where it is described."""

    searcher: str = MISSING
    splits: str = MISSING
    selection_split: bool = MISSING
    selector: str = MISSING
    summary: str = ""
    place: str = ""


@dataclass
class Stage:
    """Settings of every stage; the nodes of groups have schemas of their own."""

    results_dir: str = MISSING
    names: dict[str, str] = field(default_factory=dict)  # the option chosen in each group


@dataclass
class Sources:
    """The settings of data sources (`data.sources.settings`)."""

    archive_dir: str = MISSING
    archive_url: str = MISSING
    openml_dir: str = MISSING
    cifar_dir: str = MISSING
    csv: str = MISSING
    target: str = MISSING
    openml_server: str = MISSING
    timeout_s: Seconds = MISSING
    deadline_s: Seconds = MISSING
    attempts: Annotated[int, Range(ge=1, le=1000)] = MISSING
    pause_s: Annotated[float, Range(ge=0, le=1e6)] = MISSING


@dataclass
class Data(Stage):
    """Settings of `stages.data`."""

    dataset: str | None = None
    suite: str | None = None
    list: bool = False
    data: Sources = field(default_factory=Sources)


@dataclass
class Grid(Stage):
    """Settings of a stage that works on one study at one scale."""

    study: Any = MISSING
    scale: Any = MISSING


@dataclass
class Status(Grid):
    """Settings of `stages.status`."""

    without: list[str] = MISSING
    skip: str | None = None


@dataclass
class Plan(Status):
    """Settings of `stages.plan`."""

    cores: list[PositiveInt] = MISSING
    least_seconds: NonNegativeFloat = MISSING


@dataclass
class Pools(Grid):
    """Settings of a stage that works on the pools of one search on one data set."""

    dataset: str = MISSING
    protocol: Any = MISSING
    searcher: Any = MISSING
    pools: str | None = None
    repetitions: str | None = None
    budget: PositiveInt = MISSING


@dataclass
class Search(Pools):
    """Settings of `stages.search`."""

    scratch_dir: str | None = None


@dataclass
class Score(Pools):
    """Settings of `stages.score`."""

    skip: str | None = None


@dataclass
class Measure(Grid):
    """Settings of `stages.measure`."""

    measure: Any = MISSING
    finished: bool = False


@dataclass
class Products:
    """Settings of the stages that make products: where scores are read and products written."""

    scores: str | None = None
    without: list[str] = MISSING
    products_dir: str = MISSING


@dataclass
class Report(Products, Grid):
    """Settings of `stages.report`."""

    artifact: str | None = None


@dataclass
class Release(Grid):
    """Settings of `stages.release`."""

    released_dir: str = MISSING


@dataclass
class Statistics(Products, Stage):
    """Settings of `stages.statistics`."""

    scale: Any = MISSING


@dataclass
class Inspect(Stage):
    """Settings of `stages.inspect`."""

    pool: str = MISSING


@dataclass
class Methods(Stage):
    """Settings of `stages.methods`."""

    name: str | None = None


@dataclass
class Clean(Grid):
    """Settings of `stages.clean`."""

    outdated: bool = False
    apply: bool = False


GROUPS = {"study": Study, "scale": Scale, "method": Method}
STAGES = {
    "data": Data,
    "search": Search,
    "score": Score,
    "measure": Measure,
    "report": Report,
    "statistics": Statistics,
    "release": Release,
    "plan": Plan,
    "status": Status,
    "inspect": Inspect,
    "clean": Clean,
    "methods": Methods,
}

"""The schema of a study: all keys of its file and its setting."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from omegaconf import MISSING

from bayes_hpo.configuration.limits import PositiveFloat, PositiveInt, Range

REPETITIONS = 1000  # maximum of a study: file names have three digits for the repetition
Rows = Annotated[int, Range(ge=2, le=1e9)]
SplitRows = Annotated[int, Range(ge=3, le=1e9)]  # at least one row each for training, validation and test
TrialSeconds = Annotated[float, Range(ge=0.001, le=1e9)]
UNLIMITED = 1e9  # CPU seconds, or GiB


@dataclass
class ScaleSettings:
    """The settings of a study at one scale; repetitions: validation -> number."""

    suite: str = MISSING
    budget: PositiveInt = MISSING
    repetitions: dict[str, Annotated[int, Range(ge=1, le=REPETITIONS)]] = MISSING


@dataclass
class Study:
    """The suite, methods and validations behind some tables and figures.

    pools: study that owns the pools.
    seeds: study that owns the seeds of the pools, so that the two studies are paired.
    evaluation: evaluates trials and determines what they store (`evaluation`).
    holdout: selects the validation rows under hold-out (`splits`).
    time_limit, cpu_limit, memory_limit: limits of a trial in wall-clock seconds, CPU seconds and GiB (`search.limits`).
    artifacts: document -> names of tables and figures.
    """

    document: str = MISSING
    final: dict[str, Any] = MISSING
    validations: list[str] = MISSING
    methods: list[str] = MISSING
    curves: list[str] = MISSING
    checkpoint: PositiveInt = MISSING
    artifacts: dict[str, list[str]] = MISSING
    task: dict[str, Any] = MISSING
    preparation: dict[str, Any] = MISSING
    learner: dict[str, Any] = MISSING
    space: dict[str, Any] = MISSING
    evaluation: dict[str, Any] = MISSING
    test_draw: dict[str, Any] = MISSING
    test_percent: Annotated[int, Range(ge=1, le=99)] = MISSING
    holdout: dict[str, Any] = MISSING
    selection_share: Annotated[float, Range(gt=0, lt=1)] = MISSING
    training_cap: Rows = MISSING
    most_rows: SplitRows = 10**9
    refit_cap: Rows = MISSING
    time_limit: TrialSeconds = MISSING
    cpu_limit: TrialSeconds = UNLIMITED
    memory_limit: Annotated[float, Range(ge=0.1, le=UNLIMITED)] = UNLIMITED
    scales: dict[str, ScaleSettings] = MISSING
    measures: list[str] = field(default_factory=list)
    epochs: dict[str, PositiveInt] = field(default_factory=dict)  # scale -> training epochs of a network
    row_caps: dict[str, SplitRows] = field(default_factory=dict)  # scale -> maximum rows of a data set
    training_caps: dict[str, Rows] = field(default_factory=dict)  # scale -> training_cap
    cpu_limits: dict[str, TrialSeconds] = field(default_factory=dict)  # scale -> cpu_limit
    needs: dict[str, str] = field(default_factory=dict)  # module -> extra of pyproject.toml that provides it
    pools: str | None = None
    seeds: str | None = None
    tables: dict[str, str] = field(default_factory=dict)  # validation -> the document's table of errors
    labels: dict[str, str] = field(default_factory=dict)  # method -> printed label, if it differs from the name
    not_comparable: list[str] = field(default_factory=list)  # printed data sets that cannot be the named data
    flagged: list[str] = field(default_factory=list)  # printed data sets excluded from a second mean rank and verdict
    data_note: str = ""  # how the data differ from the document's, printed with every claim about the study
    margin: PositiveFloat | None = None  # smallest relevant difference in points of error (docs/statistics.md)
    row_losses: bool = False  # whether scores keep the loss of every test row
    root_choice: str | None = None  # hyperparameter whose final choices are counted

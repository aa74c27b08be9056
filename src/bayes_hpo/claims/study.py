"""The studies of a scale for the claims: their scores as wide tables, and the cost of their searches."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from bayes_hpo.claims import identities
from bayes_hpo.claims.part import Column, Part
from bayes_hpo.claims.sample import EARLY_ERROR, EARLY_LOSS, ERROR, LOSS, QUANTITIES
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.scale_limits import scale_limits
from bayes_hpo.data.registry import Row, suite
from bayes_hpo.documents.names import EVIDENCE
from bayes_hpo.documents.printed import Printed
from bayes_hpo.outcomes.kinds import PERCENT, Unit
from bayes_hpo.scores import frames
from bayes_hpo.scores.choices import Choices
from bayes_hpo.storage import measured

KEYS = ["dataset", "repetition"]
STATISTIC_COLUMNS = [*KEYS, "validation", "method", "quantity", "value"]
REMAKE = "make it again (python -m bayes_hpo.stages.measure)"


@dataclass(frozen=True)
class Design:
    """The data sets (names) of a scale, and its numbers of repetitions by validation."""

    datasets: tuple[str, ...]
    repetitions: dict[str, int]

    def datasets_of(self, part: Part, printed: Container[str] = ()) -> list[str]:
        """Names of a part's data sets: those of its claim, restricted to the printed ones if there are any."""
        names = [name for name in self.datasets if not part.claim.datasets or name in part.claim.datasets]
        return [name for name in names if name in printed] or names

    def repetitions_of(self, part: Part, validation: str) -> int:
        """The number of repetitions that the part's claim needs, or all that there are."""
        return min(self.repetitions[validation], part.claim.repetitions or self.repetitions[validation])

    def units(self, part: Part, datasets: Sequence[str]) -> int:
        """Number of these data sets, or of repetitions if the part is about a single data set."""
        if not part.one_dataset:
            return len(datasets)
        return min(self.repetitions_of(part, column.validation) for column in part.columns) if datasets else 0


@dataclass(frozen=True)
class Study:
    """The data of one study at one scale that the claims need.

    scores: frame of `frames.read`, None if there are none yet.
    pools: dict, (validation, method) -> (name of the pool that the method selects from, its estimated core-hours).
    statistics: run statistics, frame of `run_statistics`.
    printed: the document's printed errors (`Printed.comparable`).
    labels: dict, method -> printed name.
    flagged: data sets in doubt; verdicts are given with and without them.
    toys: dict, measure -> its frame, on which identities are evaluated (`identities.FRAMES`).
    designs: dict, scale -> Design, for the scales whose runs are evidence.
    printed_repetitions: dict, validation -> number of repetitions behind a printed cell.
    unit: unit of its errors in print.
    data_note: how its data and limits differ from the document's; empty if they do not.
    """

    scores: pd.DataFrame | None = None
    pools: dict = field(default_factory=dict)
    statistics: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=STATISTIC_COLUMNS))
    printed: dict = field(default_factory=dict)
    labels: dict = field(default_factory=dict)
    flagged: tuple = ()
    toys: dict = field(default_factory=dict)
    designs: dict = field(default_factory=dict)
    printed_repetitions: dict = field(default_factory=dict)
    unit: Unit = PERCENT
    data_note: str = ""


def read(
    name: str,
    cfg: dict,
    folder: Path,
    measures: Path,
    *,
    scale: str,
    datasets: Sequence[str],
    registered: dict[str, Row],
    pools: dict,
    scored: bool,
    hint: str | None,
) -> Study:
    """The Study with this name and configuration, from its folders of scores and measures.

    datasets: names of the data sets in its suite at this scale.
    registered: the registry, dict, data set -> row.
    pools: as in Study.
    scored: whether there are scores.
    hint: as in `frames.read`.
    Raises: RunError for missing or damaged files.
    """
    whose: dict[str, Any] = {"study": name, "scale": scale}
    which = whose | {"datasets": datasets, "hint": hint, "worst_loss": cfg["task"]["worst_loss"]}
    toys = {name: Path(measures, f"{name}.parquet") for name in identities.OF}
    choice, printed = Choices.of(cfg) if scored else None, Printed.of(cfg, registered)
    choices = [choice.read(folder, **which)] if choice else []
    return Study(
        scores=frames.read(folder, **which) if scored else None,
        pools=pools,
        statistics=run_statistics(measures, cfg["measures"], name, scale, choices),
        printed=printed.comparable,
        labels=cfg["labels"],
        flagged=tuple(printed.called(printed.flagged)),
        toys={name: measured.read(path, REMAKE, **whose) for name, path in toys.items() if path.is_file()},
        designs={size: _design(node, registered) for size, node in cfg["scales"].items() if size in EVIDENCE},
        printed_repetitions={where: precision.repetitions for where, precision in printed.precision.items()},
        unit=build(cfg["task"]["unit"], "study.task.unit"),
        data_note=", ".join(filter(None, [cfg["data_note"], scale_limits(cfg, scale)])),
    )


def _design(node, registered):
    """The Design of a scale (its node in a study), with the names by which data sets are paired."""
    return Design(tuple(_in_place_of(suite(node["suite"]), registered).values()), node["repetitions"])


def run_statistics(
    folder: Path, names: Iterable[str], study: str, scale: str, others: Iterable[pd.DataFrame] = ()
) -> pd.DataFrame:
    """Statistics of each search other than its errors, as one frame: rows of measures, and of `others` (frames).

    names: measures of the study; those with a file in `folder` that has STATISTIC_COLUMNS are read.
    quantity: one of `sample.RUN_STATISTICS`; value: in its unit.
    Raises: RunError when a measure is damaged or outdated.
    """
    paths = [Path(folder, f"{name}.parquet") for name in names]
    there = (measured.read(path, REMAKE, study=study, scale=scale) for path in paths if path.is_file())
    frames = [*there, *others]
    statistics = [frame[STATISTIC_COLUMNS] for frame in frames if set(STATISTIC_COLUMNS) <= set(frame)]
    return pd.concat(statistics) if statistics else pd.DataFrame(columns=STATISTIC_COLUMNS)


def wide(studies: Mapping[str, Study], rows: Mapping[str, Row]) -> dict[str, pd.DataFrame]:
    """dict, quantity -> frame: index (data set, repetition), columns (study, validation, method).

    Errors and losses are as in the scores, run statistics in the units of their measures. If a study has a variant of a
    data set but not the data set itself, the variant gets its name, so that it pairs with other studies.
    studies: by name.
    rows: the registry, by data set.
    """
    tables = [_wide(name, study.scores, rows) for name, study in studies.items() if study.scores is not None]
    tables += [
        {quantity: _table(name, values, "value") for quantity, values in study.statistics.groupby("quantity")}
        for name, study in studies.items()
    ]
    empty = pd.DataFrame(index=pd.MultiIndex.from_arrays([[], []], names=KEYS))
    return {name: pd.concat([empty, *(of[name] for of in tables if name in of)], axis=1) for name in QUANTITIES}


def missing(columns: Iterable[Column], studies: Mapping[str, Study], datasets: Collection[str] = ()) -> list[Column]:
    """The columns (study, validation, method) without any score, or without one on `datasets` if any are named."""
    return _without_rows(columns, {name: study.scores for name, study in studies.items()}, datasets)


def unmeasured(
    columns: Iterable[Column], quantity: str, studies: Mapping[str, Study], datasets: Collection[str] = ()
) -> list[Column]:
    """The columns without any value of a run statistic, or without one on `datasets` if any are named."""
    frames = {name: study.statistics for name, study in studies.items()}
    values = {name: frame[frame["quantity"] == quantity].dropna(subset="value") for name, frame in frames.items()}
    return _without_rows(columns, values, datasets)


def _without_rows(columns, frames, datasets):
    """The columns (list) without rows, on the data sets, in their study's frame, which may be None."""
    seen = set()
    for name, frame in frames.items():
        if frame is not None:
            rows = frame[frame["dataset"].isin(datasets)] if datasets else frame
            pairs = rows[["validation", "method"]].drop_duplicates()
            seen |= {Column(name, *pair) for pair in pairs.itertuples(index=False)}
    return [column for column in columns if column not in seen]


def core_hours(columns: Iterable[Column], studies: Mapping[str, Study]) -> float:
    """Estimated core-hours of the searches behind the columns, a shared pool counted once; NaN if one is unknown."""
    unknown = None, float("nan")
    pools = [
        studies.get(column.study, Study()).pools.get((column.validation, column.method), unknown) for column in columns
    ]
    return sum(dict(pools).values())


def _wide(study, scores, rows):
    """The tables of one study's scores; early is its checkpoint nearest to a quarter of the budget."""
    scores = scores.assign(dataset=scores["dataset"].map(_in_place_of(scores["dataset"].unique(), rows)))
    before_end = scores[~scores["final"]]
    quarter = scores["iteration"].max() / 4
    early = min(sorted(before_end["iteration"].unique()), key=lambda t: abs(t - quarter), default=0)
    stages = {
        (ERROR, LOSS): scores[scores["final"]],
        (EARLY_ERROR, EARLY_LOSS): before_end[before_end["iteration"] == early],
    }
    return {
        quantity: _table(study, values, column)
        for quantities, values in stages.items()
        for quantity, column in zip(quantities, ("test_error", "validation_loss"), strict=True)
    }


def _in_place_of(names, rows):
    """dict, data set -> the name under which it is paired: a variant gets that of its data set if it is free.

    rows: the registry, by data set.
    """
    free = set(rows) - set(names)
    return {name: rows[name].folder if rows[name].folder in free else name for name in names}


def _table(study, rows, value):
    """One value of a study's rows as a table of `wide`."""
    table = rows.pivot(index=KEYS, columns=["validation", "method"], values=value)
    return pd.concat({study: table}, axis=1, names=["study"])

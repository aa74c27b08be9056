"""The results of a study at a scale, from which artifacts are made: its scores and measures, read on demand."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pandas as pd

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.scale_limits import scale_limits
from bayes_hpo.documents.printed import Printed
from bayes_hpo.errors import MissingResultsError, RunError, UserError
from bayes_hpo.outcomes.kinds import PERCENT, Unit
from bayes_hpo.report import caption
from bayes_hpo.scores import failures, frames
from bayes_hpo.scores.choices import Choices
from bayes_hpo.scores.failures import Failures
from bayes_hpo.storage import measured
from bayes_hpo.storage.layout import RESULTS, released_folder, score_files

UNIT_LABELS = {PERCENT.name: ("%", "points")}  # unit -> labels of an error and of a difference


@dataclass(frozen=True)
class Results:
    """The results of one study.

    study, scale: names.
    setting: name of the scale's Gaussian process setting; empty if no searcher or selector uses one.
    measure_settings: dict, measure of the study -> name of the setting that it uses, or empty.
    methods: names, in the study's order.
    datasets: dict, name -> row of the registry.
    scores_dir: folder of <dataset>/<protocol>/<searcher>.parquet.
    measures_dir: folder of <measure>.parquet.
    printed: what the document prints of the study's errors.
    unit, worst_loss: those of the study's task (`outcomes.task.Task`).
    most_rows: largest number of rows of a data set used at this scale.
    limits: text on the limits of this scale (`scale_limits`); empty if there are none.
    choice: root choice to read from the final configurations of the searches, or None.
    repetitions: dict, validation -> number of repetitions at this scale; empty if unknown.
    left_out: data sets of the suite that the command leaves out.
    released: folder of released results, or None to use the runs of this checkout.
    results_dir: folder of these runs.
    overrides: those of the command that change settings of the study or the scale.
    expected: what scores and measures depend on now (the grid's `Digests`), or None to report nothing as outdated.
    """

    study: str
    scale: str
    setting: str
    methods: tuple
    datasets: dict
    scores_dir: Path
    measures_dir: Path
    printed: Printed = field(default_factory=Printed)
    unit: Unit = PERCENT
    worst_loss: float = frames.RATE
    most_rows: int = 10**9
    limits: str = ""
    measure_settings: dict = field(default_factory=dict)
    choice: Choices | None = None
    repetitions: dict = field(default_factory=dict)
    left_out: tuple = ()
    released: str | None = None
    results_dir: str = RESULTS
    overrides: tuple = ()
    expected: Any = None

    @classmethod
    def of(cls, rows: dict[str, Any], node: dict, **others: Any) -> Self:
        """The Results of a study (its configuration) on the data sets of `rows` (dict, name -> row of the registry).

        Raises: UserError for a root choice or a data set in `node` that does not exist.
        """
        return cls(
            datasets=rows,
            methods=tuple(node["methods"]),
            printed=Printed.of(node, rows),
            unit=build(node["task"]["unit"], "study.task.unit"),
            worst_loss=node["task"]["worst_loss"],
            most_rows=node["most_rows"],
            limits=scale_limits(node, others["scale"]),
            choice=Choices.of(node),
            **others,
        )

    @property
    def unit_labels(self) -> tuple[str, str]:
        """Labels of an error and of a difference of errors: "%" and "points", or the name of the unit for both."""
        return UNIT_LABELS.get(self.unit.name, (self.unit.name, self.unit.name))

    @property
    def sizes(self) -> dict[str, int]:
        """Number of rows outside the test part, dict by data set."""
        return {name: row.rest for name, row in self.datasets.items()}

    @property
    def copies(self) -> tuple[str, ...]:
        """The data sets that are scikit-learn's copies of published ones."""
        return tuple(name for name, row in self.datasets.items() if row.source == "bundled")

    @cached_property
    def scores(self) -> pd.DataFrame:
        """The study's scores, one row per (data set, repetition, validation, method, iteration)."""
        return frames.read(self.scores_dir, **self._which)

    @property
    def remake(self) -> str:
        """The hint in error messages on how to make missing scores."""
        hint = frames.remake(self.study, self.scale)
        if self.released:
            return f"{hint} --config skip={self.released}, then release them (docs/running.md)"
        folder = released_folder(self.scale, self.study)
        scored = [name for name in self.datasets if score_files(folder, [name])]
        every = f"of the {len(self.datasets)} data sets"
        return f"{hint}, or add scores=released, which has {len(scored)} {every}" if scored else hint

    def published_name(self, dataset: str) -> str:
        """The document's name of a data set, or our name if it has none."""
        return self.datasets[dataset].published_name or dataset

    def planned(self, validation: str) -> tuple[int, int]:
        """Numbers of data sets and of repetitions at this scale; the latter is 0 if unknown."""
        return len(self.datasets), self.repetitions.get(validation, 0)

    def choices(self) -> pd.DataFrame:
        """The final root choice of each search (`Choices.read`). Raises: UserError when the study has none."""
        if self.choice is None:
            raise UserError(
                f"{self.study} has no study.root_choice, whose values this draws; give a choice of its space"
            )
        return self.choice.read(self.scores_dir, **self._which)

    def measure(self, name: str) -> pd.DataFrame:
        """The frame of a measure of the study.

        Raises: MissingResultsError when it has not been made or released; RunError as `measured.read`.
        """
        remake = f"make it with: {caption.stage_command('measure', study=self.study, measure=name, scale=self.scale)}"
        if self.released:
            remake += f", then bring it here: python -m bayes_hpo.stages.release study={self.study} scale={self.scale}"
        path = Path(self.measures_dir, f"{name}.parquet")
        try:
            return measured.read(path, remake, study=self.study, scale=self.scale)
        except RunError as problem:
            if isinstance(problem.__cause__, FileNotFoundError):
                raise MissingResultsError(str(problem)) from problem
            raise

    def shown(self, measure: str, published: str, validation: str) -> tuple[str, pd.DataFrame]:
        """The title of the data set to show (`stand_in`), and the rows of a measure for it and a validation.

        Restricted to repetitions with rows of all measured methods: these stay paired. Raises: RunError as `measure`.
        """
        (name, title), rows = stand_in(self, published), self.measure(measure)
        rows = rows[(rows["dataset"] == name) & (rows["validation"] == validation)]
        methods = rows.groupby("repetition")["method"].nunique()
        return title, rows[rows["repetition"].isin(methods.index[methods == rows["method"].nunique()])]

    @cached_property
    def failures(self) -> dict[str, Failures]:
        """Failed trials behind the scores: dict, searcher -> Failures; empty without scores."""
        remake = frames.remake(self.study, self.scale, self._which["hint"])
        return failures.failures(score_files(self.scores_dir, self.datasets), remake)

    @cached_property
    def outdated_scores(self) -> list[str]:
        """The sentence (list) on scores made by other code or settings."""
        if self.expected is None:
            return []
        return caption.old_scores(self.study, self.scale, self.scores_dir, self.datasets, self.expected.score_depends)

    def outdated_measure(self, name: str | None) -> list[str]:
        """The sentence (list) on a measure made by other code or settings; empty for None."""
        if name is None or self.expected is None:
            return []
        return caption.old_measures(self.study, self.scale, self.measures_dir, [name], self.expected.measure_depends)

    def command(self, artifact: str, path: Path) -> str:
        """The command that makes an artifact whose first file is `path`."""
        if not (self.released or self.overrides):
            return caption.command(path, self.left_out, self.results_dir)
        what = {"study": self.study, "scale": self.scale, "artifact": artifact}
        if self.released:
            what["scores"] = self.released
        elif self.results_dir != RESULTS:
            what["results_dir"] = self.results_dir
        return caption.stage_command("report", self.left_out, self.overrides, **what)

    @property
    def _which(self):
        """Keywords of `frames.read`: the scores to read, and the hint if they are missing."""
        hint = frames.RESTORE if self.expected is None else self.remake
        which = {"study": self.study, "scale": self.scale, "datasets": tuple(self.datasets), "hint": hint}
        return which | {"worst_loss": self.worst_loss}


def stand_in(results: Results, published: str) -> tuple[str, str]:
    """(name, title) of the data set to show: the published one, or the largest of the suite if the suite lacks it."""
    if published in results.datasets:
        return published, published
    name = max(results.datasets, key=lambda name: results.datasets[name].n)
    return name, f"{name}, in place of {published}"


def stand_ins(results: Results, published: list[str]) -> list[tuple[str, str]]:
    """`stand_in` for several published data sets; each stand-in is another data set if there are enough."""
    shown: list[tuple[str, str]] = []
    for wanted in published:
        others = [name for name in results.datasets if name not in {*published, *(name for name, _ in shown)}]
        of = replace(results, datasets={name: results.datasets[name] for name in others})
        shown.append(stand_in(results if wanted in results.datasets or not others else of, wanted))
    return shown

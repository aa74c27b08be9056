"""What an artifact is made from: a study at a scale, its methods and data sets in order, its scores and measures."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.documents import published
from bayes_hpo.documents.names import VALIDATIONS, printed
from bayes_hpo.errors import Fault, UserError
from bayes_hpo.outcomes.kinds import PERCENT, Unit
from bayes_hpo.report import cells, face, outdated
from bayes_hpo.scores import frames
from bayes_hpo.scores.choices import Choices
from bayes_hpo.storage import measured
from bayes_hpo.storage.layout import score_files


@dataclass(frozen=True)
class ArtifactInput:
    """setting: name of the scale's setting of the Gaussian process. methods, datasets: names in the study's order.

    scores_dir: folder of <dataset>/<protocol>/<searcher>.parquet. printed: what the document prints of the errors of
    these data sets (`published.of_study`), precision: how precisely (`published.precisions`). labels: dict, method ->
    how the document prints it, if not as its name; published_names: dict, data set -> the same (`published.names`).
    doubtful, not_comparable: printed names of data sets. choice: what the searches are asked for at their end, None for
    nothing. copies: the data sets that are scikit-learn's copies of published ones. measures_dir: folder of
    <measure>.parquet. sizes: dict, data set -> rows for training and validation, which are all but the test part.
    left_out: data sets of the suite that the command leaves out. expected: what tells, as score_depends and
    measure_depends, what scores and measures depend on now, such as the grid's `Digests`; None for released ones;
    released: their folder. unit, worst_loss: of the study's task.
    """

    study: str
    scale: str
    setting: str
    methods: tuple
    datasets: tuple
    scores_dir: Path
    printed: dict
    copies: tuple
    measures_dir: Path
    sizes: dict = field(default_factory=dict)
    left_out: tuple = ()
    expected: object | None = None
    released: str | None = None
    precision: dict = field(default_factory=dict)
    labels: dict = field(default_factory=dict)
    published_names: dict = field(default_factory=dict)
    doubtful: tuple = ()
    not_comparable: tuple = ()
    choice: Choices | None = None
    unit: Unit = PERCENT
    worst_loss: float = frames.RATE

    @classmethod
    def of(cls, rows, node, **others):
        """The input of the data sets of `rows` (the registry's, by name); node: the study's configuration.

        Raises: UserError for a choice or a data set in `node` that does not exist.
        """
        _check(node)
        return cls(
            datasets=tuple(rows),
            methods=tuple(node["methods"]),
            labels=node["labels"],
            printed=published.of_study(node, rows),
            precision=published.precisions(node),
            published_names=published.names(node, rows),
            doubtful=tuple(node["doubtful"]),
            not_comparable=tuple(node["not_comparable"]),
            choice=Choices.of(node),
            unit=build(node["task"]["unit"], "study.task.unit"),
            worst_loss=node["task"]["worst_loss"],
            copies=tuple(name for name, row in rows.items() if row.source == "bundled"),
            sizes={name: row.rest for name, row in rows.items()},
            **others,
        )

    @cached_property
    def scores(self):
        """The study's scores, one row per (data set, repetition, validation, method, iteration), read once."""
        return frames.read(self.scores_dir, **self._which)

    @property
    def _which(self):
        """Which scores are read, and what to do without them."""
        remedy = frames.RESTORE if self.expected is None else None
        which = {"study": self.study, "scale": self.scale, "datasets": self.datasets, "remedy": remedy}
        return which | {"worst_loss": self.worst_loss}

    def choices(self):
        """With which choice each search ends (`Choices.read`). Raises: UserError when the study asks for none."""
        if self.choice is None:
            raise UserError(f"{self.study} has no study.choice, whose values this draws; give a choice of its space")
        return self.choice.read(self.scores_dir, **self._which)

    @cached_property
    def failures(self):
        """The sentence (list) on failed trials of the searches that the scores are of."""
        remedy = frames.remake(self.study, self.scale, self._which["remedy"])
        return face.failed_trials(*frames.failures(score_files(self.scores_dir, self.datasets), remedy))

    @cached_property
    def warnings(self):
        """Sentences for what rests on scores: those that other code or settings have made."""
        if self.expected is None:
            return []
        return outdated.of_scores(self.study, self.scale, self.scores_dir, self.datasets, self.expected.score_depends)

    def measure_warnings(self, name):
        """The sentence (list) on a measure, None for no measure, that other code or settings have made."""
        if name is None or self.expected is None:
            return []
        return outdated.of_measures(self.study, self.scale, self.measures_dir, [name], self.expected.measure_depends)

    def command(self, artifact, path):
        """The command that makes an artifact whose first file is `path`."""
        if self.released:
            what = {"study": self.study, "scale": self.scale, "artifact": artifact, "scores": self.released}
            return face.stage_command("report", self.left_out, **what)
        return face.command(path, self.left_out)

    def measure(self, name):
        """The frame of a measure of the study. Raises: Fault, see `measured.read`."""
        remake = f"make it with: {face.stage_command('measure', study=self.study, measure=name, scale=self.scale)}"
        if self.released:
            remake += f", then bring it here: python -m bayes_hpo.stages.release study={self.study} scale={self.scale}"
        path = Path(self.measures_dir, f"{name}.parquet")
        return measured.read(path, remake, study=self.study, scale=self.scale)

    def label(self, method):
        """What the document prints for a method."""
        return printed(method, self.labels)

    def scored(self, methods):
        """Those of the methods (list of names) that have scores of enough data sets (`cells.covering`)."""
        return cells.covering(self.scores, methods)

    def absent(self, every, methods):
        """The sentence (list) on those of every method that are not among `methods`, and why."""
        there = set(self.scores["method"])
        missing = [name for name in every if name not in methods]
        reasons = {
            "no scores": [self.label(name) for name in missing if name not in there],
            "too few data sets in common with the others": [self.label(name) for name in missing if name in there],
        }
        return face.absent(reasons, len(methods))

    def cells(self, rows, methods, validations=tuple(VALIDATIONS)):
        """The Cells of each validation in which at least one data set has scores of all `methods`: dict by validation.

        rows: self.scores or a part of them. Raises: Fault when there is no such data set in any of the validations.
        """
        none = pd.DataFrame(), pd.DataFrame()
        found = {
            name: cells.cells(rows, name, methods, self.datasets, self.printed.get(name, none), self.unit.factor)
            for name in validations
        }
        entered = {name: part for name, part in found.items() if len(part.mean)}
        if not entered:
            labels = " or ".join(VALIDATIONS[name] for name in validations)
            there = set(rows.loc[rows["validation"].isin(validations), "method"])
            absent = [self.label(name) for name in methods if name not in there]
            raise Fault(
                f"no data set has {labels} scores of all {len(methods)} methods in one repetition (absent: "
                f"{', '.join(absent) or 'none at all'}); "
                f"make them with: snakemake --cores 2 {self.scale}_{self.study}"
            )
        return entered


def _check(node):
    """Raises: UserError when a study calls data sets doubtful or not comparable that its tables do not have, and when
    it calls two methods the same."""
    known = published.datasets(node)
    for key in ("doubtful", "not_comparable"):
        for label in node[key]:
            if label not in known:
                raise UserError(unknown(f"study.{key}", label, known))
    labels = [printed(name, node["labels"]) for name in node["methods"]]
    if twice := sorted({label for label in labels if labels.count(label) > 1}):
        raise UserError(f"study.labels calls two methods {twice[0]}; give each method a label of its own")

"""What an artifact is made from: a study at a scale, its methods and data sets in order, its scores and measures."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bayes_hpo import measured, scores
from bayes_hpo.errors import Fault
from bayes_hpo.jobs import MeasureJob
from bayes_hpo.names import VALIDATIONS, printed
from bayes_hpo.report import cells, face


@dataclass(frozen=True)
class ArtifactInput:
    """setting: name of the scale's setting of the Gaussian process. methods, datasets: names in the study's order.

    scores_dir: folder of <dataset>/<protocol>/<searcher>.parquet. published_names: dict, data set -> its name in tables
    B.1 and B.2, "" where it is not in them. copies: the data sets that are scikit-learn's copies of published ones.
    measures_dir: folder of <measure>.parquet. sizes: dict, data set -> rows for training and validation, which are all
    but the test part. left_out: data sets of the suite that the command leaves out. expected: what scores depend on now
    (`scores.outdated`), None for released ones; released: their folder.
    """

    study: str
    scale: str
    setting: str
    methods: tuple
    datasets: tuple
    scores_dir: Path
    published_names: dict
    copies: tuple
    measures_dir: Path
    sizes: dict = field(default_factory=dict)
    left_out: tuple = ()
    expected: dict | None = None
    released: str | None = None

    @classmethod
    def of(cls, rows, **others):
        """The input of the data sets of `rows` (the registry's, by name) with these other fields."""
        return cls(
            datasets=tuple(rows),
            published_names={name: row.published_name for name, row in rows.items()},
            copies=tuple(name for name, row in rows.items() if row.source == "bundled"),
            sizes={name: row.rest for name, row in rows.items()},
            **others,
        )

    @cached_property
    def scores(self):
        """The study's scores, one row per (data set, repetition, validation, method, iteration), read once."""
        remedy = scores.RESTORE if self.expected is None else None
        return scores.read(self.scores_dir, study=self.study, scale=self.scale, datasets=self.datasets, remedy=remedy)

    @cached_property
    def warnings(self):
        """Sentences that every artifact must carry: scores that other code or settings have made."""
        if self.expected is None:
            return []
        count = len(scores.outdated(self.scores_dir, self.datasets, self.expected))
        return face.outdated(count, self.study, self.scale)

    def command(self, artifact, path):
        """The command that makes an artifact whose first file is `path`."""
        if self.released:
            names = f"study={self.study} scale={self.scale} artifact={artifact}"
            return f"python -m bayes_hpo.stages.report {names} scores={self.released}"
        return face.command(path, self.left_out)

    def measure(self, name):
        """The frame of a measure of the study. Raises: Fault, see `measured.read`."""
        remake = f"make it with: {MeasureJob(self.study, self.scale, name).command}"
        if self.released:
            remake += f", then bring it here: python -m bayes_hpo.stages.release study={self.study} scale={self.scale}"
        return measured.read(Path(self.measures_dir, f"{name}.parquet"), remake)

    def scored(self, methods):
        """Those of the methods (list of names) that have any scores; all when fewer than two have."""
        there = set(self.scores["method"])
        found = [name for name in methods if name in there]
        return found if len(found) > 1 else methods

    def cells(self, rows, methods, validations=tuple(VALIDATIONS)):
        """The Cells of each validation in which at least one data set has scores of all `methods`: dict by validation.

        rows: self.scores or a part of them. Raises: Fault when there is no such data set in any of the validations.
        """
        names = {name: self.published_names[name] for name in self.datasets}
        found = {validation: cells.cells(rows, validation, methods, names) for validation in validations}
        entered = {name: part for name, part in found.items() if len(part.mean)}
        if not entered:
            labels = " or ".join(VALIDATIONS[name] for name in validations)
            missing = ", ".join(printed(name) for name in methods if name not in set(rows["method"])) or "none at all"
            raise Fault(
                f"no data set has {labels} scores of all {len(methods)} methods in one repetition (absent: {missing}); "
                f"make them with: snakemake --cores 2 {self.scale}_{self.study}"
            )
        return entered

"""What an artifact is made from: a study at a scale, its methods and data sets in order, and its scores."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bayes_hpo import scores
from bayes_hpo.errors import Fault
from bayes_hpo.names import VALIDATIONS, printed
from bayes_hpo.report import cells


@dataclass(frozen=True)
class ArtifactInput:
    """methods, datasets: names in the study's order. scores_dir: folder of <dataset>/<protocol>/<searcher>.parquet.

    published_names: dict, data set -> its name in tables B.1 and B.2, "" where it is not in them. copies: the data sets
    that are scikit-learn's copies of published ones.
    """

    study: str
    scale: str
    methods: tuple
    datasets: tuple
    scores_dir: Path
    published_names: dict
    copies: tuple

    @cached_property
    def scores(self):
        """The study's scores, one row per (data set, repetition, validation, method, iteration), read once."""
        return scores.read(self.scores_dir, study=self.study, scale=self.scale, datasets=self.datasets)

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

"""What an artifact is made from: a study at a scale, its methods and data sets in order, and its scores."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bayes_hpo.errors import Fault
from bayes_hpo.report import cells, scores
from bayes_hpo.report.names import VALIDATIONS, printed


@dataclass(frozen=True)
class Sources:
    """methods, datasets: names in the study's order. scores_dir: folder of <dataset>/<protocol>/<searcher>.parquet."""

    study: str
    scale: str
    methods: tuple
    datasets: tuple
    scores_dir: Path

    @cached_property
    def scores(self):
        """The study's scores, one row per (data set, repetition, validation, method, iteration), read once."""
        return scores.read(self.scores_dir, study=self.study, scale=self.scale, datasets=self.datasets)

    def cells(self, rows, methods, validations=tuple(VALIDATIONS)):
        """The Cells of each validation in which at least one data set has scores of all `methods`: dict by validation.

        rows: self.scores or a part of them. Raises: Fault when there is no such data set in any of the validations.
        """
        found = {name: cells.cells(rows, name, methods, self.datasets) for name in validations}
        entered = {name: part for name, part in found.items() if len(part.mean)}
        if not entered:
            labels = " or ".join(VALIDATIONS[name] for name in validations)
            missing = ", ".join(printed(name) for name in methods if name not in set(rows["method"])) or "none at all"
            raise Fault(
                f"no data set has {labels} scores of all {len(methods)} methods in one repetition (absent: {missing}); "
                f"make them with: snakemake --cores 2 {self.scale}_{self.study}"
            )
        return entered

"""The printed errors of a study, under our names of data sets and methods, and the data sets that are in doubt."""

from collections.abc import Container
from dataclasses import dataclass, field

import pandas as pd

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.documents import catalog, names, published
from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Printed:
    """The printed errors and printed names of a study; `cells`, `sizes` and `precision` are empty if none are printed.

    cells: dict, validation -> mean and sd over repetitions, percent, frames (data sets, methods), NaN where unprinted.
    sizes: dict, validation -> number of data sets in the document's table.
    precision: dict, validation -> catalog.Precision of its cells.
    labels: dict, method -> printed name, if it differs from the name.
    names: dict, data set -> printed name, "" if the tables lack it; in printed order, data sets without one last.
    flagged: printed names of data sets in doubt; ranks and verdicts are given with and without them.
    not_comparable: printed names of data sets whose errors were printed, probably, for other data than ours.
    """

    cells: dict[str, tuple[pd.DataFrame, ...]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    precision: dict[str, catalog.Precision] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    flagged: tuple[str, ...] = ()
    not_comparable: tuple[str, ...] = ()

    @classmethod
    def of(cls, study: dict, datasets: dict) -> "Printed":
        """The Printed of a study, given its configuration and data sets (dict, name -> row of the registry).

        Raises: UserError when the study flags a data set that its tables lack, or gives two methods the same label.
        """
        tables = {validation: (study["document"], table) for validation, table in study["tables"].items()}
        cells = {validation: published.cells(*table, study["labels"]) for validation, table in tables.items()}
        columns = {catalog.source(*table)["datasets"] for table in tables.values()} or {"abbreviation"}
        order = list(dict.fromkeys(label for mean, _ in cells.values() for label in mean.index))
        _check(study, order)
        known = _named(datasets, columns.pop(), order)
        return cls(
            cells={
                validation: tuple(frame.reindex(list(known.values())).set_axis(list(known)) for frame in frames)
                for validation, frames in cells.items()
            },
            sizes={validation: len(mean) for validation, (mean, _) in cells.items()},
            precision={validation: catalog.precision(*table) for validation, table in tables.items()},
            labels=study["labels"],
            names=known,
            flagged=tuple(study["flagged"]),
            not_comparable=tuple(study["not_comparable"]),
        )

    def of_validation(self, validation: str) -> tuple[pd.DataFrame, ...]:
        """The mean and sd frames of a validation; empty frames if none are printed."""
        return self.cells.get(validation, (pd.DataFrame(), pd.DataFrame()))

    def ddof(self, validation: str) -> int:
        """The ddof of the printed standard deviations (`catalog.Precision`); 0 if none are printed."""
        return self.precision[validation].ddof if validation in self.precision else 0

    def method(self, name: str) -> str:
        """The printed name of a method."""
        return names.printed(name, self.labels)

    def dataset(self, name: str) -> str:
        """The printed name of a data set, or our name if there is none."""
        return self.names.get(name) or name

    def called(self, labels: Container[str]) -> list[str]:
        """The data sets whose printed name is in `labels`."""
        return [name for name, label in self.names.items() if label in labels]

    @property
    def comparable(self) -> dict[str, tuple]:
        """The cells without the data sets in `not_comparable`."""
        unlike = self.called(self.not_comparable)
        return {
            validation: tuple(frame.drop(index=unlike) for frame in frames) for validation, frames in self.cells.items()
        }


def _named(datasets, column, order):
    """`Printed.names`. column: registry column with the names in the tables; order: these names in printed order."""
    labels = {name: getattr(row, column) for name, row in datasets.items()}
    known = {name: label if label in order else "" for name, label in labels.items()}
    return dict(sorted(known.items(), key=lambda pair: [*order, ""].index(pair[1])))


def _check(study, known):
    """Check the flags and labels of a study.

    Raises: UserError for a flagged or not comparable data set not among `known`, and for two methods with one label.
    """
    for key in ("flagged", "not_comparable"):
        for label in study[key]:
            if label not in known:
                raise UserError(unknown(f"study.{key}", label, known))
    labels = [names.printed(name, study["labels"]) for name in study["methods"]]
    if twice := sorted({label for label in labels if labels.count(label) > 1}):
        raise UserError(f"study.labels calls two methods {twice[0]}; give each method a label of its own")

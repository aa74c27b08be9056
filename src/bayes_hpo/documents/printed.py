"""What a document prints of a study's errors, under our names of data sets and methods, and which of it is in doubt."""

from collections.abc import Container
from dataclasses import dataclass, field

import pandas as pd

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.documents import catalog, names, published
from bayes_hpo.errors import UserError


@dataclass(frozen=True)
class Printed:
    """The printed errors of a study and its names in print; empty for a study of which no errors are printed.

    cells: dict, validation -> mean and sd over repetitions, percent, frames (data sets, methods), NaN where unprinted.
    sizes: dict, validation -> number of data sets in the document's table.
    precision: dict, validation -> catalog.Precision of its cells.
    labels: dict, method -> how the document prints it, if not as its name.
    names: dict, data set -> printed name, "" where its tables lack it; in the printed order, others behind.
    flagged: printed names of data sets without which ranks and verdicts are given a second time.
    not_comparable: printed names of data sets whose data cannot be the named ones.
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
        """What is printed for a study (its configuration). datasets: dict, name -> row of the registry.

        Raises: UserError when it flags a data set that its tables do not have, or gives two methods one label.
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
        """The cells of one validation, empty frames when none are printed."""
        return self.cells.get(validation, (pd.DataFrame(), pd.DataFrame()))

    def method(self, name: str) -> str:
        """What the document prints for a method."""
        return names.printed(name, self.labels)

    def dataset(self, name: str) -> str:
        """What the document prints for a data set, or else our name."""
        return self.names.get(name) or name

    def called(self, labels: Container[str]) -> list[str]:
        """Names of our data sets whose printed name is among `labels`."""
        return [name for name, label in self.names.items() if label in labels]

    @property
    def comparable(self) -> dict[str, tuple]:
        """The cells without the data sets that are not comparable."""
        unlike = self.called(self.not_comparable)
        return {
            validation: tuple(frame.drop(index=unlike) for frame in frames) for validation, frames in self.cells.items()
        }


def _named(datasets, column, order):
    """`Printed.names`, for tables that name data sets as this column of the registry and print them in this order."""
    labels = {name: getattr(row, column) for name, row in datasets.items()}
    known = {name: label if label in order else "" for name, label in labels.items()}
    return dict(sorted(known.items(), key=lambda pair: [*order, ""].index(pair[1])))


def _check(study, known):
    """Raises: UserError for a flagged or not comparable data set not among `known`, and for a label of two methods."""
    for key in ("flagged", "not_comparable"):
        for label in study[key]:
            if label not in known:
                raise UserError(unknown(f"study.{key}", label, known))
    labels = [names.printed(name, study["labels"]) for name in study["methods"]]
    if twice := sorted({label for label in labels if labels.count(label) > 1}):
        raise UserError(f"study.labels calls two methods {twice[0]}; give each method a label of its own")

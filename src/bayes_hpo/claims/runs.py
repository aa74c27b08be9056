"""What a part of a claim rests on: errors and losses by unit, repetition and column."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayes_hpo.claims.sample import SCORED

PERCENT = 100  # scores are fractions; traits have units of their own


@dataclass(frozen=True)
class Runs:
    """values: dict, quantity -> (n_units, most repetitions, n_columns), zero where there is no repetition.

    A unit is a data set; where the claim is about one data set, it is a repetition. repetitions, families (labels) and
    sizes (T + V rows), each (n_units,). published_names: in tables B.1 and B.2, "" for a data set that is not there.
    """

    values: dict
    repetitions: np.ndarray
    families: np.ndarray
    sizes: np.ndarray
    published_names: np.ndarray

    def means(self):
        """Means over repetitions: dict, quantity -> (n_units, n_columns)."""
        return {name: part.sum(axis=1) / self.repetitions[:, None] for name, part in self.values.items()}

    def only(self, chosen):
        """The Runs of some units. chosen (n_units,): bool."""
        values = {name: part[chosen] for name, part in self.values.items()}
        others = (self.repetitions, self.families, self.sizes, self.published_names)
        return Runs(values, *(part[chosen] for part in others))


def runs(part, tables, rows):
    """The Runs of a Part in the repetitions that all its columns share; None when they share none.

    tables: of study.wide. rows: the registry, dict, data set -> row.
    """
    columns = pd.MultiIndex.from_tuples(part.columns)
    found = {name: tables[name].reindex(columns=columns) for name in part.measure.quantities}
    shared = pd.concat(found, axis=1).dropna()
    if part.claim.datasets:
        shared = shared[shared.index.get_level_values("dataset").isin(part.claim.datasets)]
    if shared.empty:
        return None
    dataset, names = pd.factorize(shared.index.get_level_values("dataset"), sort=True)
    repetition = shared.groupby(level="dataset").cumcount().to_numpy()
    unit = dataset
    if part.one_dataset:
        unit, repetition = repetition, dataset
    scale = {name: PERCENT if name in SCORED else 1 for name in part.measure.quantities}
    values = {name: _array(unit, repetition, scale[name] * shared[name].to_numpy()) for name in scale}
    of_unit = [rows[names[one]] for one in dataset[np.unique(unit, return_index=True)[1]]]
    return Runs(
        values,
        repetitions=np.bincount(unit),
        families=np.arange(len(of_unit)) if part.one_dataset else np.array([row.family for row in of_unit]),
        sizes=np.array([row.rest for row in of_unit]),
        published_names=np.array([row.published_name for row in of_unit]),
    )


def _array(unit, repetition, rows):
    """Rows (n_rows, n_columns) at their unit and repetition: (n_units, most repetitions, n_columns)."""
    filled = np.zeros((unit.max() + 1, repetition.max() + 1, rows.shape[1]))
    filled[unit, repetition] = rows
    return filled

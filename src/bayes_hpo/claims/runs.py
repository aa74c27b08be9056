"""The runs behind a part of a claim: errors and losses by unit, repetition and column."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.claims.part import Part
from bayes_hpo.claims.sample import ERROR, SCORED, WORSE
from bayes_hpo.data.registry import Row
from bayes_hpo.outcomes.kinds import PERCENT, Unit
from bayes_hpo.stats.wilcoxon import LEVEL, against_best

DEFAULT: Mapping[str, Unit] = MappingProxyType({})  # percent for every study


@dataclass(frozen=True)
class Runs:
    """Values by unit: a unit is a data set, or a repetition if the claim is about a single data set.

    values: dict, quantity -> (n_units, most repetitions, n_columns), zero where there is no repetition.
    repetitions (n_units,): number of repetitions.
    families (n_units,): label of the family of data sets.
    sizes (n_units,): rows for training and validation.
    datasets (n_units,): names.
    """

    values: dict[str, NDArray]
    repetitions: NDArray
    families: NDArray
    sizes: NDArray
    datasets: NDArray

    def means(self) -> dict[str, NDArray]:
        """Means over repetitions: dict, quantity -> (n_units, n_columns)."""
        return {name: part.sum(axis=1) / self.repetitions[:, None] for name, part in self.values.items()}

    def only(self, chosen: NDArray) -> "Runs":
        """The Runs of some units. chosen (n_units,): bool."""
        values = {name: part[chosen] for name, part in self.values.items()}
        others = (self.repetitions, self.families, self.sizes, self.datasets)
        return Runs(values, *(part[chosen] for part in others))


def runs(
    part: Part, tables: Mapping[str, pd.DataFrame], rows: Mapping[str, Row], units: Mapping[str, Unit] = DEFAULT
) -> Runs | None:
    """The Runs of a Part in the repetitions that all its columns share, the first ones if the claim needs fewer.

    None if they share none.
    tables: from `study.wide`.
    rows: the registry, data set -> row.
    units: study -> unit of its errors and losses.
    """
    factors = np.array([units.get(column.study, PERCENT).factor for column in part.columns])
    columns = pd.MultiIndex.from_tuples(part.columns)
    wanted = {name: _table(name, tables, columns, factors) for name in part.measure.quantities}
    shared = pd.concat(wanted, axis=1).dropna()
    if part.claim.datasets:
        shared = shared[shared.index.get_level_values("dataset").isin(part.claim.datasets)]
    if shared.empty:
        return None
    if part.claim.repetitions:
        shared = shared.groupby(level="dataset").head(part.claim.repetitions)
    dataset, names = pd.factorize(shared.index.get_level_values("dataset"), sort=True)
    repetition = shared.groupby(level="dataset").cumcount().to_numpy()
    unit = dataset
    if part.one_dataset:
        unit, repetition = repetition, dataset
    values = {}
    for name in part.measure.quantities:
        values[name] = np.zeros((unit.max() + 1, repetition.max() + 1, len(columns)))
        values[name][unit, repetition] = shared[name]
    of_unit = names[dataset[np.unique(unit, return_index=True)[1]]]
    known = [rows[name] for name in of_unit]
    return Runs(
        values,
        repetitions=np.bincount(unit),
        families=np.arange(len(known)) if part.one_dataset else np.array([row.family for row in known]),
        sizes=np.array([row.rest for row in known]),
        datasets=np.array(of_unit),
    )


def _table(quantity, tables, columns, factors):
    """Rows of one quantity, index (data set, repetition), with errors and losses in the units of their columns."""
    table = tables[ERROR if quantity == WORSE else quantity].reindex(columns=columns)
    if quantity in (*SCORED, WORSE):
        table = table * factors
    if quantity != WORSE:
        return table
    by_dataset = table.dropna().groupby(level="dataset", group_keys=False)
    return by_dataset.apply(lambda rows: rows * 0 + (against_best(rows) < LEVEL))  # the same in every repetition

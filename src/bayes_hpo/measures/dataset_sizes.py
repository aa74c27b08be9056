"""The sizes of the data sets in a suite according to the registry (uai2016, table 1; Shen et al. 2022, table 5)."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.data.registry import registry
from bayes_hpo.data.registry import suite as names
from bayes_hpo.measures.searches import Grid


@dataclass(frozen=True, kw_only=True)
class DatasetSizes:
    """Sizes of the data sets in the suite named `suite`."""

    suite: str

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per data set: dataset, abbreviation, openml_id, n, p, classes, n_test (0 if none is given)."""
        rows = registry()
        sizes = ("abbreviation", "openml_id", "n", "p", "classes", "n_test")
        return pd.DataFrame(
            {"dataset": name} | {size: getattr(rows[name], size) for size in sizes} for name in names(self.suite)
        )

"""What a measure sees of an experiment: mean errors and losses by data set and column, with any axis of resamples."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from bayes_hpo.stats.ranks import ranks

ERROR, LOSS, EARLY_ERROR, EARLY_LOSS = SCORED = ("error", "loss", "early error", "early loss")
WORSE = "worse"  # 1 where a column is significantly worse than the best of the data set, else 0 (`runs`)
LEARNERS = ("knn", "svm", "linsvm", "dt", "rf", "adab", "gnb", "lda", "qda")  # of conf/space/cash.yaml
CHOICES = tuple(f"chosen_{learner}" for learner in LEARNERS)
TRAITS = ("zone_distance", "choice_distance", "length", "plateau_distance", *CHOICES)  # of searches: `claims.traits`
QUANTITIES = SCORED + TRAITS


@dataclass(frozen=True)
class Sample:
    """values: dict, some of QUANTITIES, or WORSE -> (..., n_datasets, n_columns); sizes (..., n_datasets): T + V rows.

    A column is one method under one validation in one study. Errors are of the test part, losses of the validation
    part, in percent; early: at the checkpoint nearest to a quarter of the budget.
    """

    values: dict
    sizes: np.ndarray

    @cached_property
    def _ranks(self):
        return {}

    def ranks(self, field, quantity=ERROR):
        """Rank of each column of the field (positions) among them: (..., n_datasets, n_columns), NaN elsewhere."""
        if (field, quantity) not in self._ranks:
            errors = self.values[quantity]
            among = errors[..., list(field)]
            found = np.full(errors.shape, np.nan)
            found[..., list(field)] = ranks(pd.DataFrame(among.reshape(-1, len(field)))).to_numpy().reshape(among.shape)
            self._ranks[field, quantity] = found
        return self._ranks[field, quantity]

    def medians(self, columns):
        """Median over data sets of the errors of each column: (..., len(columns))."""
        return np.median(self.values[ERROR][..., list(columns)], axis=-2)

    def chunks(self, size=100):
        """Samples of at most `size` neighbours on the first axis."""
        for first in range(0, len(self.sizes), size):
            chosen = slice(first, first + size)
            yield Sample({name: part[chosen] for name, part in self.values.items()}, self.sizes[chosen])

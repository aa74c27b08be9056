"""What a measure sees of an experiment: errors and losses by data set and column, and statistics over data sets."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.stats import bootstrap, wilcoxon
from bayes_hpo.stats.hodges_lehmann import hodges_lehmann
from bayes_hpo.stats.ranks import comparable, ranks

ERROR, LOSS, EARLY_ERROR, EARLY_LOSS = SCORED = ("error", "loss", "early error", "early loss")
WORSE = "worse"  # 1 where a column is significantly worse than the best of the data set, else 0 (`runs`)
LEARNERS = ("knn", "svm", "linsvm", "dt", "rf", "adab", "gnb", "lda", "qda")  # of conf/space/cash.yaml
CHOICES = tuple(f"chosen_{learner}" for learner in LEARNERS)
VOTE_LOSS = "vote_loss"  # validation error of an ensemble, percent
LATE_RANK = "late_rank"  # mean rank over the last tenth of the trials
WINS = tuple(  # of `measures.win_statistics`, in shares of the trials less one half
    f"{stage}_wins_over_{other}" for stage in ("early", "half", "late") for other in ("esmbo", "ers", "smbo", "rs")
)
VALIDATION_ERROR = "validation_error"  # of a method, percent, the lowest so far (Shen et al. 2022): at the end, and
ALONG = tuple(f"{VALIDATION_ERROR}_{trials}" for trials in (100, 150, 200))  # after as many of 250 trials
TAUS = tuple(f"tau_{surrogate}" for surrogate in ("lightgbm", "xgboost", "forest", "performance"))  # Kendall's
SUGGESTED = ("effective_updates_100", "effective_updates_50", "minimum_diversity", "suggestion_error")
PAIR_DIVERSITY, MEMBER_ERROR = "pair_diversity", "member_error"
HIGHER = (*SUGGESTED, PAIR_DIVERSITY)  # of DivBO, as is claimed
BETTER, AUTOGLUON = "better_than_random", "autogluon_error"
MEASURED = {  # conf/measure -> what it says of searches, `claims.study.run_statistics`
    "width_traits": ("zone_distance", "choice_distance", "length"),
    "plateau": ("plateau_distance",),
    "attained": ("attained_dt",),
    "objective_statistics": ("pair_gain", "pair_shift", "slot_distance"),
    "vote_loss": (VOTE_LOSS,),
    "win_statistics": (LATE_RANK, *WINS),
    "selection_errors": (VALIDATION_ERROR, *ALONG),
    "suggestion_statistics": (*SUGGESTED, MEMBER_ERROR),
    "pair_statistics": (PAIR_DIVERSITY,),
    "better_than_random": (BETTER,),
    "autogluon": (AUTOGLUON,),
    "surrogate_correlations": TAUS,
}
RUN_STATISTICS = (*CHOICES, *(quantity for quantities in MEASURED.values() for quantity in quantities))
QUANTITIES = SCORED + RUN_STATISTICS


@dataclass(frozen=True)
class Sample:
    """An experiment, or several along leading axes; a statistic of values (..., n_datasets, k) is (..., k).

    A column is one method under one validation in one study. Errors are of the test part, losses of the validation
    part, in percent; early: at the checkpoint nearest to a quarter of the budget.
    values: dict, some of QUANTITIES, or WORSE -> (..., n_datasets, n_columns).
    sizes (..., n_datasets): rows for training and validation.
    """

    values: dict[str, NDArray]
    sizes: NDArray

    @property
    def count(self) -> int:
        """Number of data sets."""
        return self.sizes.shape[-1]

    @cached_property
    def _ranks(self):
        return {}

    def ranks(self, field: tuple[int, ...], quantity: str = ERROR) -> NDArray:
        """Rank of each column of the field (positions) among them: (..., n_datasets, n_columns), NaN elsewhere."""
        if (field, quantity) not in self._ranks:
            errors = self.values[quantity]
            among = errors[..., list(field)]
            ranked = ranks(pd.DataFrame(among.reshape(-1, len(field)))).to_numpy().reshape(among.shape)
            self._ranks[field, quantity] = np.full(errors.shape, np.nan)
            self._ranks[field, quantity][..., list(field)] = ranked
        return self._ranks[field, quantity]

    def mean(self, values: NDArray) -> NDArray:
        """Mean over data sets."""
        return values.mean(axis=-2)

    def median(self, values: NDArray) -> NDArray:
        """Median over data sets."""
        return np.median(values, axis=-2)

    def hodges_lehmann(self, differences: NDArray) -> NDArray:
        """Hodges and Lehmann's centre over data sets."""
        return hodges_lehmann(np.moveaxis(differences, -1, -2))

    def signed_ranks(self, differences: NDArray) -> NDArray:
        """The signed ranks of Wilcoxon's test, as share of the sum of all ranks."""
        return wilcoxon.signed_ranks(np.moveaxis(differences, -1, -2))


@dataclass(frozen=True)
class Resampled(Sample):
    """Draws of one experiment: values are (n_datasets, n_columns), a statistic of values (n_datasets, k) is (draws, k).

    often (draws, n_datasets): how often a draw counts each data set.
    """

    often: NDArray

    def mean(self, values: NDArray) -> NDArray:
        return bootstrap.means(values, self.often)

    def median(self, values: NDArray) -> NDArray:
        return bootstrap.medians(values, self.often)

    def hodges_lehmann(self, differences: NDArray) -> NDArray:
        return bootstrap.hodges_lehmanns(comparable(differences), self.often)

    def signed_ranks(self, differences: NDArray) -> NDArray:
        return bootstrap.signed_ranks(differences, self.often)

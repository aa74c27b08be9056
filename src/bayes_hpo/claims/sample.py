"""The data of a measure: errors and losses by data set and column in an experiment, and statistics over data sets."""

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
WINS = tuple(  # from `measures.win_statistics`, as shares of the trials minus one half
    f"{stage}_wins_over_{other}" for stage in ("early", "half", "late") for other in ("esmbo", "ers", "smbo", "rs")
)
VALIDATION_ERROR = "validation_error"  # lowest so far, percent (Shen et al. 2022): at the end, and
ALONG = tuple(f"{VALIDATION_ERROR}_{trials}" for trials in (100, 150, 200))  # after this many of 250 trials
TAUS = tuple(f"tau_{surrogate}" for surrogate in ("lightgbm", "xgboost", "forest", "performance"))  # Kendall's
SUGGESTED = ("effective_updates_100", "effective_updates_50", "minimum_diversity", "suggestion_error")
PAIR_DIVERSITY, MEMBER_ERROR = "pair_diversity", "member_error"
HIGHER = (*SUGGESTED, PAIR_DIVERSITY)  # claimed to be higher for DivBO
BETTER, AUTOGLUON = "better_than_random", "autogluon_error"
MEASURED = {  # name in conf/measure -> its quantities per search (`claims.study.run_statistics`)
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

    A column is one method under one validation in one study. Errors are on the test part, losses on the validation
    part, in percent; early: at the checkpoint nearest to a quarter of the budget.
    values: dict, quantity (in QUANTITIES, or WORSE) -> (..., n_datasets, n_columns).
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
        """Ranks within the field (positions of columns): (..., n_datasets, n_columns), NaN outside it."""
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
        """Hodges-Lehmann centre over data sets."""
        return hodges_lehmann(np.moveaxis(differences, -1, -2))

    def signed_ranks(self, differences: NDArray) -> NDArray:
        """Sum of the signed ranks in Wilcoxon's test, as a share of the sum of all ranks."""
        return wilcoxon.signed_ranks(np.moveaxis(differences, -1, -2))


@dataclass(frozen=True)
class Resampled(Sample):
    """Resamples of one experiment: values are (n_datasets, n_columns), a statistic of (n_datasets, k) is (draws, k).

    often (draws, n_datasets): number of times that each data set occurs in a draw.
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

"""What every trial of a search brings to the ensemble that is selected along it (Shen et al. 2022, 4.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import Integrated
from bayes_hpo.configuration.limits import NonNegativeInt, Range
from bayes_hpo.ensembles.diversity import minimum_diversity
from bayes_hpo.ensembles.greedy import Forward
from bayes_hpo.ensembles.probabilities import StoredProbabilities, zero_one
from bayes_hpo.ensembles.votes import TIED
from bayes_hpo.measures.run_statistics import RunStatistics
from bayes_hpo.measures.searches import Grid, Search, searches
from bayes_hpo.pool import History
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.seeds import Seeds

Share = Annotated[float, Range(gt=0, le=1)]  # of the trials of a search


@dataclass(frozen=True, kw_only=True)
class Suggestions:
    """Trial by trial, the suggested model by itself and the ensemble before and after it.

    methods: whose searches.
    ensemble: the selection.
    reference: share of the trials after which the ensemble of `reference_diversity` is selected.
    """

    methods: list[str]
    ensemble: Forward
    reference: Share

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, a row per search and trial: dataset, repetition, validation, method, iteration (from 1), and

        reference: the iteration whose ensemble is that of `reference_diversity`.
        reference_diversity: as diversity, to the ensemble of that iteration; NaN until then.
        constant_error: share of the validation rows that are not of the most frequent class.
        top_tie: `top_tie` of the trials before; NaN for searchers without one surrogate of the loss, and random trials.
        and what `replay` says. Raises: RunError when a pool is missing or damaged, or stores no probabilities.
        """
        return pd.concat([self._of(search) for search in searches(grid, self.methods)], ignore_index=True)

    def _of(self, search):
        stored = StoredProbabilities.of(search.pool.history)
        rows, reference = pd.DataFrame(replay(search, stored, self.ensemble)), round(self.reference * len(stored))
        members = next(members_along(search, stored, self.ensemble, reference, reference))
        later = [diversity_to(stored, t, members) if t >= reference else np.nan for t in range(len(stored))]
        constant = 1 - np.bincount(stored.truth).max() / len(stored.truth)
        ties = [top_tie(search.searcher, search.pool.history[:t], search.seeds) for t in range(len(stored))]
        rows = rows.assign(reference_diversity=later, reference=reference, constant_error=constant, top_tie=ties)
        return rows.assign(**search.key)


@dataclass(frozen=True, kw_only=True)
class SuggestionStatistics(RunStatistics):
    """The same as a number per search, over its last trials.

    ensemble: the selection.
    windows: name -> share of the trials that it has, the last ones. late: the same, of the diversity.
    first: trial from which suggestions count, the random ones before it left out.
    """

    ensemble: Forward
    windows: Mapping[str, Share]
    late: Share
    first: NonNegativeInt

    def statistics(self, search: Search) -> dict[str, float]:
        """Numbers of a search.

        effective_updates_<window>: their number. minimum_diversity: mean over the late suggestions.
        suggestion_error, percent: mean over the trials from `first` on that have not failed.
        member_error, percent: mean over the distinct members of the final ensemble.
        """
        stored, trials = StoredProbabilities.of(search.pool.history), len(search.pool)
        late, *sizes = [max(1, round(share * trials)) for share in (self.late, *self.windows.values())]
        rows = pd.DataFrame(replay(search, stored, self.ensemble, trials - max(late, *sizes)))
        counted = stored.finished & (np.arange(trials) >= self.first - 1)
        updates = zip(self.windows, sizes, strict=True)
        return {
            **{f"effective_updates_{name}": float(rows["updated"].tail(size).sum()) for name, size in updates},
            "minimum_diversity": rows["diversity"].tail(late).mean(),
            "suggestion_error": 100 * stored.losses[counted].mean() if counted.any() else np.nan,
            "member_error": 100 * rows["member_error"].iloc[-1],
        }


def replay(search: Search, stored: StoredProbabilities, ensemble: Forward, after: int = 0) -> Iterator[dict]:
    """A row for each trial of a search behind the first `after`; t is the trial, E_t the ensemble after it.

    iteration: t, from 1.
    error: validation error of the suggestion by itself; NaN where it failed.
    diversity: minimum diversity (eq. 3) of the suggestion and the distinct members of E_{t-1}; NaN where it failed,
        or no trial had finished before.
    member_error: mean validation error of the distinct members of E_t; NaN while no trial has finished.
    ensemble_error: validation error of E_t.
    changed: whether E_t has other members than E_{t-1}, or other numbers of them.
    updated: whether it has, and a lower validation error (an effective update).
    """
    previous, last_error = None, np.nan
    for t, members in enumerate(members_along(search, stored, ensemble, len(stored), after), start=after):
        error = stored.loss(zero_one, members) if members else np.nan
        if previous is not None:
            changed = members != previous
            yield {
                "iteration": t,
                "error": stored.losses[t - 1] if stored.finished[t - 1] else np.nan,
                "diversity": diversity_to(stored, t - 1, previous),
                "member_error": stored.losses[np.unique(members)].mean() if members else np.nan,
                "ensemble_error": error,
                "changed": changed,
                "updated": changed and not error >= last_error - TIED,
            }
        previous, last_error = members, error


def top_tie(searcher: Any, history: History, seeds: Seeds) -> float:
    """How many candidates of trial len(history) share the highest acquisition value, of performance alone (D16).

    NaN for a searcher that is not Bayesian optimization over all of the space, and for its initial design.
    """
    if not isinstance(searcher, Bayesian) or len(history) < searcher.n_initial:
        return np.nan
    points, targets, predictive = searcher.fitted(history, seeds)
    evaluated = searcher.evaluated(history, best=points[targets.argmin()])
    candidates = searcher.candidates.generate(evaluated, searcher.draws(seeds, len(history)).candidates)
    values = Integrated(searcher.acquisition(targets), predictive).values(candidates)  # (m,)
    return float(np.count_nonzero(values == values.max()))


def members_along(
    search: Search, stored: StoredProbabilities, ensemble: Forward, last: int, first: int = 0
) -> Iterator[list[int]]:
    """The members, sorted, of the ensembles after the first `first` to `last` trials; none while all have failed.

    They are those that the methods of the search select, and that DivBO takes as its temporary pool.
    """
    known: dict[int, list[int]] = {0: []}  # number of finished trials -> members
    for t in range(first, last + 1):
        pool = np.flatnonzero(stored.finished[:t])
        if len(pool) not in known:
            known = {len(pool): sorted(ensemble.grown(stored, pool, search.seeds))}
        yield known[len(pool)]


def diversity_to(stored: StoredProbabilities, t: int, members: list[int] | NDArray) -> float:
    """The minimum diversity of trial t and the members; NaN for a failed trial or without members."""
    if not stored.finished[t] or not len(members):
        return np.nan
    return minimum_diversity(stored.values[t], stored.values[np.unique(members)])

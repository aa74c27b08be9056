"""The contribution of each trial to the ensemble selected along a search (Shen et al. 2022, 4.3)."""

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

Share = Annotated[float, Range(gt=0, le=1)]  # share of the trials of a search


@dataclass(frozen=True, kw_only=True)
class Suggestions:
    """The suggested model of each trial, and the ensemble before and after it.

    methods: methods whose searches are read.
    ensemble: selection of the ensemble.
    reference: share of the trials from which the ensemble for `reference_diversity` is selected.
    """

    methods: list[str]
    ensemble: Forward
    reference: Share

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per search and trial: dataset, repetition, validation, method, the columns of `replay`, and

        reference: iteration of the ensemble for `reference_diversity`.
        reference_diversity: minimum diversity with respect to that ensemble; NaN up to that iteration.
        constant_error: share of the validation rows outside the most frequent class.
        top_tie: see `top_tie`; NaN for searchers without a surrogate of the loss, and for the initial design.
        Raises: RunError when a pool is missing or damaged, or stores no probabilities.
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
    """Summaries of `Suggestions`, one number per search.

    ensemble: selection of the ensemble.
    windows: name -> share of the trials, the last ones, in which effective updates are counted.
    late: share of the trials, the last ones, over which the diversity is averaged.
    first: first trial that counts as a suggestion; earlier ones are the random initial design.
    """

    ensemble: Forward
    windows: Mapping[str, Share]
    late: Share
    first: NonNegativeInt

    def statistics(self, search: Search) -> dict[str, float]:
        """Summary of a search.

        effective_updates_<window>: number of effective updates in the window.
        minimum_diversity: mean over the late suggestions.
        suggestion_error, percent: mean over the finished trials from `first` on.
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
    """Yield one row per trial t of a search after the first `after` trials; E_t is the ensemble after trial t.

    iteration: t, from 1.
    error: validation error of the suggested model; NaN if it failed.
    diversity: minimum diversity (eq. 3) between the suggested model and the distinct members of E_{t-1}; NaN if it
        failed, or no earlier trial has finished.
    member_error: mean validation error of the distinct members of E_t; NaN while no trial has finished.
    ensemble_error: validation error of E_t.
    changed: whether E_t differs from E_{t-1} in its members or their multiplicities.
    updated: whether it differs and has a lower validation error (an effective update); true for the first ensemble.
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
    """Number of candidates of trial len(history) with the highest acquisition value, of the performance alone (D16).

    NaN for searchers other than Bayesian optimization over the whole space, and in the initial design.
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
    """Yield the sorted members of the ensembles after `first`, ..., `last` trials; empty while no trial has finished.

    They are the members that the methods of the search select, and the temporary pool of DivBO.
    """
    known: dict[int, list[int]] = {0: []}  # number of finished trials -> members
    for t in range(first, last + 1):
        pool = np.flatnonzero(stored.finished[:t])
        if len(pool) not in known:
            known = {len(pool): sorted(ensemble.grown(stored, pool, search.seeds))}
        yield known[len(pool)]


def diversity_to(stored: StoredProbabilities, t: int, members: list[int] | NDArray) -> float:
    """The minimum diversity between trial t and the members; NaN for a failed trial or without members."""
    if not stored.finished[t] or not len(members):
        return np.nan
    return minimum_diversity(stored.values[t], stored.values[np.unique(members)])

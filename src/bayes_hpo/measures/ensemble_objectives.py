"""What a search of one hyperparameter sees when its ensemble is to get another member (thesis, 4.2; uai2016, 3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.ensembles.losses import EnsembleLoss, squared_margin, zero_one
from bayes_hpo.ensembles.votes import TIED, Members, StoredVotes
from bayes_hpo.errors import UserError
from bayes_hpo.measures.model_line import LINE, only_one, over_samples
from bayes_hpo.measures.run_statistics import RunStatistics
from bayes_hpo.measures.searches import Grid, Search, searches

SINGLE, EARLY, PAIR = "single", "early single", "pair"
LOSSES: dict[str, EnsembleLoss] = {"zero_one": zero_one, "squared_margin": squared_margin}
COLUMNS = ["dataset", "repetition", "trials", "objective", "loss", "kind", "x", "y"]


@dataclass(frozen=True, kw_only=True)
class EnsembleObjectives:
    """The objectives of searches by ensemble optimization, with the Gaussian process of each.

    methods: those whose searches are shown.
    repetitions: the first so many of them, fewer where fewer were run.
    early: the first so many trials are those of the pair, two members that forward selection has chosen.
    """

    methods: list[str]
    repetitions: PositiveInt
    early: PositiveInt

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame of COLUMNS; x: the hyperparameter's value; y: losses as fractions.

        objective: single, the loss of a model by itself, among the first `early` trials too (early single); pair, of
        the pair with it; slot 1, ..., slot m, of the final ensemble with it in an emptied slot; or ensemble, the final
        one.
        loss: zero_one; of slot 1 squared_margin too.
        kind: observation; mean, lower and upper (minus and plus one standard deviation of the latent function); member
        (a member of the pair or of the slot, with its loss by itself); or whole (the ensemble's loss, x is NaN).
        Raises: UserError for more than one hyperparameter; RunError when a pool is missing or damaged.
        """
        shown = [run for run in searches(grid, self.methods) if run.key["repetition"] < self.repetitions]
        return pd.concat([frame for run in shown for frame in self._frames(run)], ignore_index=True)[COLUMNS]

    def _frames(self, run):
        """Yield the frames of one search."""
        whole = Objectives.of(run, len(run.pool))
        slots = whole.slots()
        yield from Objectives.of(run, min(self.early, len(run.pool))).of_pair()
        yield whole.frame(SINGLE, "zero_one", [])
        for slot, member in enumerate(slots):
            rest = [*slots[:slot], *slots[slot + 1 :]]
            for loss in LOSSES if slot == 0 else ["zero_one"]:
                yield whole.frame(f"slot {slot + 1}", loss, rest)
            yield whole.members(f"slot {slot + 1}", [member])
        y = whole.votes.loss(zero_one, slots)
        yield whole.named(pd.DataFrame({"kind": ["whole"], "u": [np.nan], "y": [y]}), "ensemble", "zero_one")


@dataclass(frozen=True)
class Objectives:
    """The objectives of the first trials of a search.

    votes: those of these trials. points (n_trials, 1): where they are in the cube. searcher: has surrogate and slots.
    """

    run: Search
    votes: StoredVotes
    points: Any
    searcher: Any

    @classmethod
    def of(cls, run: Search, trials: int) -> "Objectives":
        """Those of the first `trials`. Raises: UserError for more than one hyperparameter."""
        history = run.pool.history[:trials]
        searcher: Any = run.searcher  # a Bayesian one, with slots
        only_one(searcher.space)
        return cls(run, StoredVotes.of(history, run.seeds), searcher.points(history), searcher)

    def slots(self) -> list[int]:
        """The members (m,) of the slots. Raises: UserError when one is empty."""
        slots = self.searcher.slots.filled(self.votes)
        if None in slots:
            raise UserError(f"{len(self.votes)} trials leave a slot of {len(slots)} empty; raise the budget")
        return [member for member in slots if member is not None]

    def pair(self) -> list[int]:
        """The best finished trial and the one that goes best with it, by the rule for members of slots."""
        finished, pick = np.flatnonzero(self.votes.finished), self.searcher.slots.pick
        first = self.votes.best([], finished, pick)
        return [first, self.votes.best([first], np.setdiff1d(finished, first), pick)]

    def of_pair(self) -> Iterator[pd.DataFrame]:
        """Frames of single models, of the pair with each, and of its members."""
        pair = self.pair()
        yield self.frame(EARLY, "zero_one", [])
        yield self.frame(PAIR, "zero_one", pair)
        yield self.members(PAIR, pair)

    def observed(self, loss: str, rest: Members) -> tuple[Any, Any]:
        """Trials (k,) that may join the rest, all but its members (D20), and the losses (k,) of the rest with each."""
        candidates = np.setdiff1d(np.flatnonzero(self.votes.finished), rest)
        return candidates, LOSSES[loss](self.votes.extended(rest, candidates))

    def model(self, loss: str, rest: Members) -> tuple[Any, Any]:
        """Mean and standard deviation (LINE,) of the Gaussian process of an objective, from a fresh chain."""
        trials, losses = self.observed(loss, rest)
        targets, rng = self.searcher.targets, self.run.seeds("objective", *sorted(rest))
        posterior = self.searcher.surrogate.fit(self.points[trials], targets(losses), {}, rng)
        return over_samples(*targets.inverse(*posterior.moments(LINE[:, None]), losses))

    def frame(self, objective: str, loss: str, rest: Members) -> pd.DataFrame:
        """Frame of the observations and the model of one objective."""
        trials, losses = self.observed(loss, rest)
        mean, deviation = self.model(loss, rest)
        curves = {"mean": mean, "lower": mean - deviation, "upper": mean + deviation}
        frames = [pd.DataFrame({"kind": kind, "u": LINE, "y": y}) for kind, y in curves.items()]
        frames += [pd.DataFrame({"kind": "observation", "u": self.points[trials, 0], "y": losses})]
        return self.named(pd.concat(frames), objective, loss)

    def members(self, objective: str, members: Members) -> pd.DataFrame:
        """Frame of some members, each with its loss by itself."""
        rows = pd.DataFrame({"kind": "member", "u": self.points[members, 0], "y": self.votes.losses[members]})
        return self.named(rows, objective, "zero_one")

    def named(self, rows: pd.DataFrame, objective: str, loss: str) -> pd.DataFrame:
        """The rows (kind, u, y) with the other columns."""
        parameter = only_one(self.searcher.space)
        x = [parameter.decode(u) if np.isfinite(u) else np.nan for u in rows["u"]]
        known = {name: self.run.key[name] for name in ("dataset", "repetition")} | {"trials": len(self.votes)}
        return rows.assign(x=x, objective=objective, loss=loss, **known)


@dataclass(frozen=True, kw_only=True)
class ObjectiveStatistics(RunStatistics):
    """How the objective of an ensemble differs from that of a single model, and those of slots from each other.

    early: as of EnsembleObjectives.
    """

    early: PositiveInt

    def statistics(self, search: Search) -> dict[str, float]:
        """Three quantities, of zero-one losses.

        pair_gain, points: the lowest error of a single model minus that of the pair with another one.
        pair_shift, slot_distance, decades: between the optima of the models of these two; on average between those
          of two slots. An objective that is the same for all models has no optimum, and is at distance 0 from others.
        """
        early, whole = (Objectives.of(search, t) for t in (min(self.early, len(search.pool)), len(search.pool)))
        rests: list[list[int]] = [[], early.pair()]
        slots = whole.slots()
        single, pair = (early.observed("zero_one", rest)[1].min() for rest in rests)
        parameter = only_one(whole.searcher.space)
        decades = np.log10(parameter.high / parameter.low)
        shift = np.abs(np.diff([_optimum(early, rest) for rest in rests])).item()
        optima = np.array([_optimum(whole, [*slots[:j], *slots[j + 1 :]]) for j in range(len(slots))])
        first, second = np.triu_indices(len(optima), k=1)
        return {
            "pair_gain": 100 * float(single - pair),
            "pair_shift": float(decades * np.nan_to_num(shift)),
            "slot_distance": float(decades * np.nan_to_num(np.abs(optima[first] - optima[second])).mean()),
        }


def _optimum(objectives, rest):
    """Where in the cube the mean of the model of an objective is lowest; NaN where it is the same for all models."""
    if np.ptp(objectives.observed("zero_one", rest)[1]) < TIED:
        return np.nan
    return LINE[objectives.model("zero_one", rest)[0].argmin()]

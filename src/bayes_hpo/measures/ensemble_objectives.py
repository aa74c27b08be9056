"""Objectives of ensemble optimization along one hyperparameter (thesis, 4.2; uai2016, 3)."""

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

    methods: methods whose searches are shown.
    repetitions: number of repetitions shown, the first ones; fewer if fewer were run.
    early: number of first trials from which forward selection chooses a pair of members.
    """

    methods: list[str]
    repetitions: PositiveInt
    early: PositiveInt

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame of COLUMNS.

        objective: single, the loss of a single model; early single, the same for the first `early` trials; pair, the
            loss of the pair with the model added; slot 1, ..., slot m, the loss of the final ensemble with the model in
            this slot; or ensemble, the final ensemble.
        loss: zero_one; for slot 1 also squared_margin.
        kind: observation; mean, lower and upper (minus and plus one standard deviation of the latent function); member
            (a member of the pair or the slot, with its single loss); or whole (the loss of the ensemble, x is NaN).
        x: value of the hyperparameter.
        y: loss as a fraction.
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

    votes: stored predictions of these trials.
    points (n_trials, 1): their points in the unit cube.
    searcher: gives the surrogate and the slots.
    """

    run: Search
    votes: StoredVotes
    points: Any
    searcher: Any

    @classmethod
    def of(cls, run: Search, trials: int) -> "Objectives":
        """The objectives of the first `trials` trials. Raises: UserError for more than one hyperparameter."""
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
        """The best finished trial and its best partner, by the rule that picks members of slots."""
        finished, pick = np.flatnonzero(self.votes.finished), self.searcher.slots.pick
        first = self.votes.best([], finished, pick)
        return [first, self.votes.best([first], np.setdiff1d(finished, first), pick)]

    def of_pair(self) -> Iterator[pd.DataFrame]:
        """Frames of single models, of the pair extended by each of them, and of the members of the pair."""
        pair = self.pair()
        yield self.frame(EARLY, "zero_one", [])
        yield self.frame(PAIR, "zero_one", pair)
        yield self.members(PAIR, pair)

    def observed(self, loss: str, rest: Members) -> tuple[Any, Any]:
        """Finished trials (k,) that are not members of the rest (D20), and the losses (k,) of the rest with each."""
        candidates = np.setdiff1d(np.flatnonzero(self.votes.finished), rest)
        return candidates, LOSSES[loss](self.votes.extended(rest, candidates))

    def model(self, loss: str, rest: Members) -> tuple[Any, Any]:
        """Mean and standard deviation along LINE of the Gaussian process of an objective, from a fresh chain."""
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
        """Frame of some members, each with its single loss."""
        rows = pd.DataFrame({"kind": "member", "u": self.points[members, 0], "y": self.votes.losses[members]})
        return self.named(rows, objective, "zero_one")

    def named(self, rows: pd.DataFrame, objective: str, loss: str) -> pd.DataFrame:
        """The rows (kind, u, y) with the other columns added."""
        parameter = only_one(self.searcher.space)
        x = [parameter.decode(u) if np.isfinite(u) else np.nan for u in rows["u"]]
        known = {name: self.run.key[name] for name in ("dataset", "repetition")} | {"trials": len(self.votes)}
        return rows.assign(x=x, objective=objective, loss=loss, **known)


@dataclass(frozen=True, kw_only=True)
class ObjectiveStatistics(RunStatistics):
    """Differences between the objectives of an ensemble and a single model, and between those of slots.

    early: as in EnsembleObjectives.
    """

    early: PositiveInt

    def statistics(self, search: Search) -> dict[str, float]:
        """Three quantities, for the zero-one loss.

        pair_gain, points: lowest error of a single model minus lowest error of the pair with a third model.
        pair_shift, decades: distance between the optima of the Gaussian processes of these two objectives.
        slot_distance, decades: mean distance between the optima of two slots.
        A constant objective has no optimum; its distance to others counts as 0.
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
    """The coordinate with the lowest predicted mean of an objective; NaN if the objective is constant."""
    if np.ptp(objectives.observed("zero_one", rest)[1]) < TIED:
        return np.nan
    return LINE[objectives.model("zero_one", rest)[0].argmin()]

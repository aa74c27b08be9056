"""The searchers of conf/searcher as methods of the library: those that need nothing that only a study has."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bayes_hpo.acquisition.candidates import Samples
from bayes_hpo.acquisition.maximize import GradientRefinement
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.limits import check_ranges
from bayes_hpo.configuration.options import PACKAGED, options, resolved, written
from bayes_hpo.configuration.predictions import OF_PREDICTIONS, named
from bayes_hpo.contracts import Searcher
from bayes_hpo.errors import UserError
from bayes_hpo.pool import History, Proposal
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.grid import GridSearch
from bayes_hpo.search.random import RandomSearch, SobolSearch
from bayes_hpo.search.smac import SMAC
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import IMPUTED, Space

SCALE = "small"  # its setting of the Gaussian process is `fast`, a tenth of Spearmint's candidates (benchmarks/)
OF_STUDIES = {  # in the dotted name of a part of a searcher -> what only a study gives it
    OF_PREDICTIONS: "reads the predictions of models, which only a study stores",
    ".arms.": "gives its trials to arms in turn, of which a told trial has none",
}
PLANNED = GridSearch, SobolSearch  # the points of which depend on the budget
AMPLE = 1000  # a budget that every method can take
NOT_ASKED = -1  # the round of a trial whose configuration the searcher has not proposed


@cache
def methods() -> tuple[str, ...]:
    """Names of the methods, sorted."""
    nodes = {name: written("searcher", name, conf=PACKAGED) for name in options("searcher", PACKAGED)}
    return tuple(name for name, node in nodes.items() if not _needed(node))


def settings(method: str) -> dict:
    """The settings of a method, dict. Raises: UserError for an unknown one, and one that reads predictions."""
    if method in methods():
        scale, node = written("scale", SCALE, conf=PACKAGED), written("searcher", method, conf=PACKAGED)
        return resolved({"scale": scale, "searcher": node})["searcher"]
    if method in options("searcher", PACKAGED):
        reason = _needed(written("searcher", method, conf=PACKAGED))[0]
        raise UserError(f"method={method} {reason}; {_allowed()}")
    raise UserError(unknown("method", method, methods()))


def searcher(method: str, space: Space, budget: int) -> Searcher:
    """The searcher of a method. Raises: UserError as `settings`, and for a space or a budget that it cannot take."""
    built = build(settings(method), method, space=space, budget=budget)
    if isinstance(built, GridSearch):
        _ = built.side  # raises UserError
    if space.forbidden.clauses and not _keeps_clauses(built, space):
        others = {name: build(settings(name), name, space=space, budget=AMPLE) for name in methods()}
        keeping = ", ".join(name for name, other in others.items() if _keeps_clauses(other, space))
        raise UserError(f"method={method} may propose what the space forbids; allowed with clauses: {keeping}")
    return built if isinstance(built, Bayesian) else OwnTrials(built, budget)


class SpentError(UserError):
    """All points of a method whose points depend on the budget were proposed."""


@dataclass(frozen=True)
class OwnTrials:
    """A searcher that follows its own draws, without the trials that it has not proposed.

    searcher: random search, a grid, CMA-ES, whose update belongs to the points that it has drawn.
    budget: number of trials that are planned.
    """

    searcher: Any
    budget: int

    @property
    def is_planned(self) -> bool:
        """Whether the budget decides which points the searcher proposes."""
        return isinstance(self.searcher, PLANNED)

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """The proposal after the searcher's own trials. Raises: SpentError when all points of a plan were proposed."""
        trials = [history[t] for t in range(len(history))]
        asked = History(trial for trial in trials if trial.proposal.round != NOT_ASKED)
        if self.is_planned and len(asked) >= self.budget:
            raise SpentError(f"all {self.budget} points of the budget were evaluated; give a larger budget")
        return self.searcher.propose(asked, seeds)


def whole(name: str, value: Any, annotation: Any) -> int:
    """The argument `name` as Python's int. Raises: UserError unless it is whole and in the range of its annotation."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise UserError(f"{name}={value!r} must be a whole number")
    check_ranges(int(value), annotation, name)
    return int(value)


def _keeps_clauses(built, space):
    """Whether a searcher never proposes what the space forbids, as one that refines or decodes points may."""
    if isinstance(built, SMAC):
        return bool(space.allowed(np.full((1, len(space)), IMPUTED)).all())  # where it begins
    draws = isinstance(built, Bayesian) and isinstance(built.candidates, Samples)
    return isinstance(built, RandomSearch) or (draws and not isinstance(built.maximizer, GradientRefinement))


def _needed(node) -> list[str]:
    """Why a searcher (its node) needs a study; empty for one that does not."""
    return [reason for part, reason in OF_STUDIES.items() if any(part in target for target in named(node))]


def _allowed():
    return f"allowed: {', '.join(methods())}"

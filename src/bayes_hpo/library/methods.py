"""The methods of the library: the searchers of conf/searcher that do not depend on a study."""

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

SCALE = "small"  # with the Gaussian process preset `fast`, a tenth of Spearmint's candidates (benchmarks/)
OF_STUDIES = {  # in the dotted name of a component of a searcher -> why it needs a study
    OF_PREDICTIONS: "reads the predictions of models, which only a study stores",
    ".arms.": "gives its trials to arms in turn, of which a told trial has none",
}
PLANNED = GridSearch, SobolSearch  # searchers whose points depend on the budget
AMPLE = 1000  # a budget that every method accepts
NOT_ASKED = -1  # round of a trial whose configuration the searcher did not propose


@cache
def methods() -> tuple[str, ...]:
    """Names of the methods, sorted."""
    nodes = {name: written("searcher", name, conf=PACKAGED) for name in options("searcher", PACKAGED)}
    return tuple(name for name, node in nodes.items() if not _needed(node))


def settings(method: str) -> dict:
    """The settings of a method (dict). Raises: UserError for a method that is unknown or depends on a study."""
    if method in methods():
        scale, node = written("scale", SCALE, conf=PACKAGED), written("searcher", method, conf=PACKAGED)
        return resolved({"scale": scale, "searcher": node})["searcher"]
    if method in options("searcher", PACKAGED):
        reason = _needed(written("searcher", method, conf=PACKAGED))[0]
        raise UserError(f"method={method} {reason}; {_allowed()}")
    raise UserError(unknown("method", method, methods()))


def searcher(method: str, space: Space, budget: int) -> Searcher:
    """The searcher of a method. Raises: UserError as `settings`, and for an unsuitable space or budget."""
    built = build(settings(method), method, space=space, budget=budget)
    if isinstance(built, GridSearch):
        _ = built.side  # raises UserError
    if space.forbidden.clauses and not _keeps_clauses(built, space):
        others = {name: build(settings(name), name, space=space, budget=AMPLE) for name in methods()}
        keeping = ", ".join(name for name, other in others.items() if _keeps_clauses(other, space))
        raise UserError(f"method={method} may propose what the space forbids; allowed with clauses: {keeping}")
    return built if isinstance(built, Bayesian) else OwnTrials(built, budget)


class SpentError(UserError):
    """All points of a method that depends on the budget have been proposed."""


@dataclass(frozen=True)
class OwnTrials:
    """Hides from a searcher the trials that it did not propose.

    searcher: searcher without a surrogate, such as random search, a grid, or CMA-ES, whose update requires the points
        that it has drawn.
    budget: planned number of trials.
    """

    searcher: Any
    budget: int

    @property
    def is_planned(self) -> bool:
        """Whether the points of the searcher depend on the budget."""
        return isinstance(self.searcher, PLANNED)

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """The proposal that follows the searcher's trials. Raises: SpentError when all planned points were proposed."""
        trials = [history[t] for t in range(len(history))]
        asked = History(trial for trial in trials if trial.proposal.round != NOT_ASKED)
        if self.is_planned and len(asked) >= self.budget:
            raise SpentError(f"all {self.budget} points of the budget were evaluated; give a larger budget")
        return self.searcher.propose(asked, seeds)


def whole(name: str, value: Any, annotation: Any) -> int:
    """The argument `name` as a Python int. Raises: UserError unless it is an integer in the range of its annotation."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise UserError(f"{name}={value!r} must be a whole number")
    check_ranges(int(value), annotation, name)
    return int(value)


def _keeps_clauses(built, space):
    """Whether a searcher never violates forbidden clauses; one that refines or decodes points may do so."""
    if isinstance(built, SMAC):
        return bool(space.allowed(np.full((1, len(space)), IMPUTED)).all())  # its first point
    draws = isinstance(built, Bayesian) and isinstance(built.candidates, Samples)
    return isinstance(built, RandomSearch) or (draws and not isinstance(built.maximizer, GradientRefinement))


def _needed(node) -> list[str]:
    """The reasons why a searcher, given its node, depends on a study; empty if it does not."""
    return [reason for part, reason in OF_STUDIES.items() if any(part in target for target in named(node))]


def _allowed():
    return f"allowed: {', '.join(methods())}"

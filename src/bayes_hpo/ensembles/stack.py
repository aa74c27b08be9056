"""A stack: trials of a search whose predictions another model has learned to combine."""

from collections.abc import Iterable
from dataclasses import dataclass

from bayes_hpo.ensembles.combine import mean
from bayes_hpo.ensembles.ensemble import Ensemble, Member


@dataclass(frozen=True)
class Base(Member):
    """A stacked member; on its own it predicts what the whole stack does, which the study's final models fit.

    stack: all bases of its stack, itself included, each a trial of the pool.
    """

    stack: tuple[Member, ...] = ()


def stacked(members: Iterable[Member]) -> Ensemble:
    """The ensemble of the stack of some members; the mean of equal predictions is that prediction."""
    stack = tuple(members)
    return Ensemble(tuple(Base(one.configuration, trial=one.trial, stack=stack) for one in stack), mean)

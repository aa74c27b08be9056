"""A stack: trials of a search whose predictions are combined by another, trained model."""

from collections.abc import Iterable
from dataclasses import dataclass

from bayes_hpo.ensembles.combine import mean
from bayes_hpo.ensembles.ensemble import Ensemble, Member


@dataclass(frozen=True)
class Base(Member):
    """A stacked member; by itself it predicts what the whole stack predicts, which the study's final models fit.

    stack: all bases of the stack, including this one, each a trial of the pool.
    """

    stack: tuple[Member, ...] = ()


def stacked(members: Iterable[Member]) -> Ensemble:
    """The ensemble that stacks the given members; all predict the same, so their mean is that prediction."""
    stack = tuple(members)
    return Ensemble(tuple(Base(one.configuration, trial=one.trial, stack=stack) for one in stack), mean)

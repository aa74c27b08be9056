"""The contracts between the rooms, with the shapes of their arrays: what a new component has to offer.

A class keeps a contract by having its methods and attributes; it need not inherit anything. Components that the
configuration names are checked against these contracts when they are built (`configuration.build`). The loss of a task
has its contract beside the losses (`outcomes.losses.Loss`), the rule of an ensemble beside the rules
(`ensembles.combine.Combine`).

Shapes: n observations, m points, d coordinates of the unit cube, s samples of a surrogate's hyperparameters (1 where
there is one model); for learners n rows of p features.
"""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.pool import History, Pool, Proposal, Trial, Truth
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

Memory = Mapping[str, NDArray]  # arrays remembered with a trial, by name
Trials = History | Pool


@runtime_checkable
class Searcher(Protocol):
    """Proposes trials one after the other; its only state is the history."""

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """The proposal of trial len(history); every draw is from a generator that `seeds` names."""
        ...


@runtime_checkable
class Evaluate(Protocol):
    """Trains and validates the configurations that a searcher proposes."""

    @property
    def truth(self) -> Truth | None:
        """What the stored predictions of its trials are predictions of; None where it stores none."""
        ...

    def __call__(self, proposal: Proposal) -> Trial:
        """The trial of a proposal: a failed one when the learner raises an error of its own."""
        ...

    def failed(self, proposal: Proposal, reason: str, status: str) -> Trial:
        """The trial of a proposal without a model: it has the worst loss."""
        ...


@runtime_checkable
class Selector(Protocol):
    """Makes an ensemble of a finished search; it reads nothing but the pool."""

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble that answers for the pool.

        Raises: EmptyPoolError when no trial has finished.
        """
        ...


@runtime_checkable
class Model(Protocol):
    """What a learner has trained; `predict_proba(X)` too, (n, n_classes), where a task asks for probabilities."""

    def predict(self, X: NDArray) -> NDArray:
        """Class number or value (n,) of each row of X (n, p)."""
        ...


@runtime_checkable
class Learner(Protocol):
    """Trains a model of a configuration."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> Model:
        """The model of a configuration, trained on X (n, p) and y (n,); every draw is from rng.

        What it raises makes a failed trial (`errors.is_learner_error`).
        """
        ...

    def unconverged(self, model: Any) -> int:
        """Number of fits of a model that it has trained in which a solver met its iteration cap."""
        ...


@runtime_checkable
class Final(Protocol):
    """The models whose predictions for the test part are scored: `scoring.refit.Refit`, `scoring.as_trained`."""

    def __call__(self, member: Member) -> NDArray | None:
        """Predictions (n_test[, n_classes]) of the model of a member; None where it fails on the test part."""
        ...

    def save(self) -> None:
        """Keep the predictions that were computed, for the next score job."""
        ...


@runtime_checkable
class Targets(Protocol):
    """The transform of the losses that a surrogate is given."""

    def __call__(self, losses: NDArray) -> NDArray:
        """Targets (n,) of the losses (n,)."""
        ...

    def inverse(self, means: NDArray, variances: NDArray, losses: NDArray) -> tuple[NDArray, NDArray]:
        """Means and variances (any shape) of targets as those of losses, given all losses (n,)."""
        ...


@runtime_checkable
class Predictive(Protocol):
    """A fitted surrogate."""

    @property
    def state(self) -> Memory:
        """The state from which the next fit continues, kept in the memory of the proposed trial; may be {}."""
        ...

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Means (s, m) and variances (s, m), above zero and without noise, at points (m, d)."""
        ...


@runtime_checkable
class Differentiable(Predictive, Protocol):
    """A Predictive with derivatives."""

    def moments_and_pullback(self, points: NDArray) -> tuple:
        """Means (s, m), variances (s, m) and their pullback.

        pullback(by_mean (s, m), by_variance (s, m)) -> (m, d): derivatives of any number with respect to the points,
        given those with respect to the moments.
        """
        ...


@runtime_checkable
class Surrogate(Protocol):
    """A model of the targets."""

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> Predictive:
        """The surrogate fitted to the targets (n,) at points (n, d).

        memory: that of the latest trial; empty for a fit from scratch.
        """
        ...


@runtime_checkable
class Acquisition(Protocol):
    """The value of an evaluation, a function of the predicted mean and variance; arrays of one shape in and out."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """The acquisition, of their shape."""
        ...

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """The acquisition and its derivatives with respect to the mean and to the variance."""
        ...

    def average(self, values: NDArray) -> NDArray:
        """The average (m,) of the values (s, m) over samples."""
        ...

    def sample_weights(self, values: NDArray) -> NDArray:
        """The derivatives (s, m) of the average with respect to the values (s, m)."""
        ...

    def for_gradients(self) -> "Acquisition":
        """An acquisition of the same maximum whose gradients lead to it from everywhere."""
        ...

    def unit(self, values: NDArray) -> float:
        """The size of a difference that counts, given the values (m,) of candidates."""
        ...


@runtime_checkable
class AcquisitionRule(Protocol):
    """Makes the acquisition of the next trial, given the observations."""

    def __call__(self, targets: NDArray) -> Acquisition:
        """The acquisition given the targets (n,), n > 0."""
        ...


@runtime_checkable
class Criterion(Protocol):
    """The function that a maximizer maximizes."""

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d)."""
        ...


@runtime_checkable
class EvaluatedPoints(Protocol):
    """The points (n, d) of the trials of a search, and that of the lowest loss, best (d,)."""

    @property
    def space(self) -> Space: ...

    @property
    def points(self) -> NDArray: ...

    @property
    def best(self) -> Any: ...  # an array; None in the initial design

    def contains(self, points: NDArray) -> NDArray:
        """Which of the points (m, d) were evaluated (m,)."""
        ...

    def first_new(self, points: NDArray) -> NDArray:
        """The first (d,) of the points (m, d) not evaluated; the first of all where every point was."""
        ...


@runtime_checkable
class Candidates(Protocol):
    """The initial design of a search, and the points from which the maximization of a criterion starts."""

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """The point (d,) of trial t, before there is a surrogate."""
        ...

    def transform(self, space: Space, points: NDArray) -> NDArray:
        """Points (m, d) of the cube as the surrogate sees them."""
        ...

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Candidates (m, d), m > 0."""
        ...


@runtime_checkable
class Maximizer(Protocol):
    """Maximizes a criterion, given candidates."""

    def __call__(
        self, criterion: Criterion, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """The point (d,) to be evaluated next, given candidates (m, d)."""
        ...

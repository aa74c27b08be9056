"""The contracts between the rooms, with array shapes: what a new component must provide.

A class satisfies a contract by having its methods and attributes; it need not inherit from it. Components named in the
configuration are checked against these contracts when they are built (`configuration.build`). The contracts of losses
and of combination rules are defined next to them (`outcomes.losses.Loss`, `ensembles.combine.Combine`).

Shapes: n observations, m points, d coordinates of the unit cube, s samples of a surrogate's hyperparameters (1 for a
single model); for learners, n rows of p features.
"""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.pool import History, Pool, Proposal, Trial, Truth
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

Memory = Mapping[str, NDArray]  # name -> array, stored with a trial
Trials = History | Pool


@runtime_checkable
class Searcher(Protocol):
    """Proposes trials sequentially; the history is its only state."""

    def propose(self, history: History, seeds: Seeds) -> Proposal:
        """Propose trial len(history); all randomness comes from generators named through `seeds`."""
        ...


@runtime_checkable
class Evaluate(Protocol):
    """Trains and validates the configurations that a searcher proposes."""

    @property
    def truth(self) -> Truth | None:
        """Ground truth of the predictions that its trials store; None if they store none."""
        ...

    def __call__(self, proposal: Proposal) -> Trial:
        """Evaluate a proposal; the trial is a failed one if the learner itself raises an error."""
        ...

    def failed(self, proposal: Proposal, reason: str, status: str) -> Trial:
        """Trial of a proposal that has no model: its losses are the worst possible."""
        ...


@runtime_checkable
class Selector(Protocol):
    """Builds an ensemble from a finished search; it reads nothing but the pool."""

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """Select an ensemble from the pool.

        Raises: EmptyPoolError if no trial has finished.
        """
        ...


@runtime_checkable
class Model(Protocol):
    """A trained model; `predict_proba(X)`, (n, n_classes), is also required where a task needs probabilities."""

    def predict(self, X: NDArray) -> NDArray:
        """Class numbers or values (n,) for the rows of X (n, p)."""
        ...


@runtime_checkable
class Learner(Protocol):
    """Trains the model of a configuration."""

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> Model:
        """Train the model of a configuration on X (n, p) and y (n,); all randomness comes from rng.

        An error raised here makes the trial a failed one (`errors.is_learner_error`).
        """
        ...

    def unconverged(self, model: Any) -> int:
        """Number of solver runs in the training of `model` that hit their iteration cap."""
        ...


@runtime_checkable
class Final(Protocol):
    """The models whose test predictions are scored: `scoring.refit.Refit`, `scoring.as_trained`."""

    def __call__(self, member: Member) -> NDArray | None:
        """Predictions (n_test[, n_classes]) of a member's model; None if it fails on the test part."""
        ...

    def save(self) -> None:
        """Store the predictions computed so far, for later score jobs."""
        ...


@runtime_checkable
class Targets(Protocol):
    """Output transform: maps losses to the targets of a surrogate."""

    def __call__(self, losses: NDArray) -> NDArray:
        """Transform losses (n,) to targets (n,)."""
        ...

    def inverse(self, means: NDArray, variances: NDArray, losses: NDArray) -> tuple[NDArray, NDArray]:
        """Map means and variances (any shape) of targets back to those of losses, given all losses (n,)."""
        ...


@runtime_checkable
class Predictive(Protocol):
    """A fitted surrogate."""

    @property
    def state(self) -> Memory:
        """State from which the next fit continues, kept in the memory of the proposed trial; may be {}."""
        ...

    def moments(self, points: NDArray) -> tuple[NDArray, NDArray]:
        """Means (s, m) and variances (s, m) at points (m, d); variances are positive and exclude the noise."""
        ...


@runtime_checkable
class Differentiable(Predictive, Protocol):
    """A Predictive that can be differentiated with respect to the points."""

    def moments_and_pullback(self, points: NDArray) -> tuple:
        """Means (s, m), variances (s, m) and their pullback (vector-Jacobian product).

        pullback(by_mean (s, m), by_variance (s, m)) -> (m, d): derivatives of a scalar with respect to the points,
        given those
        with respect to the means and variances.
        """
        ...


@runtime_checkable
class Surrogate(Protocol):
    """A regression model of the targets."""

    def fit(self, points: NDArray, targets: NDArray, memory: Memory, rng: Generator) -> Predictive:
        """Fit the surrogate to the targets (n,) at points (n, d).

        memory: that of the latest trial; empty to fit from scratch.
        """
        ...


@runtime_checkable
class Acquisition(Protocol):
    """Acquisition function of the predicted mean and variance; inputs and outputs have the same shape."""

    def value(self, mean: NDArray, variance: NDArray) -> NDArray:
        """Acquisition values."""
        ...

    def derivatives(self, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Acquisition values and their derivatives with respect to the mean and to the variance."""
        ...

    def average(self, values: NDArray) -> NDArray:
        """Average (m,) of the values (s, m) over samples."""
        ...

    def sample_weights(self, values: NDArray) -> NDArray:
        """Derivatives (s, m) of the average with respect to the values (s, m)."""
        ...

    def for_gradients(self) -> "Acquisition":
        """An acquisition with the same maximizer whose gradients do not vanish far from it."""
        ...

    def unit(self, values: NDArray) -> float:
        """Scale of a meaningful difference between values, given the values (m,) of candidates."""
        ...


@runtime_checkable
class AcquisitionRule(Protocol):
    """Builds the acquisition function of the next trial from the targets."""

    def __call__(self, targets: NDArray) -> Acquisition:
        """Acquisition function for the targets (n,), n > 0."""
        ...


@runtime_checkable
class Criterion(Protocol):
    """The objective of a maximizer."""

    def values(self, points: NDArray) -> NDArray:
        """Values (m,) at points (m, d)."""
        ...


@runtime_checkable
class EvaluatedPoints(Protocol):
    """The points (n, d) of a search's trials, and `best` (d,), the point of the lowest loss."""

    @property
    def space(self) -> Space: ...

    @property
    def points(self) -> NDArray: ...

    @property
    def best(self) -> Any: ...  # array (d,); None during the initial design

    def contains(self, points: NDArray) -> NDArray:
        """Whether each of the points (m, d) has been evaluated (m,)."""
        ...

    def first_new(self, points: NDArray) -> NDArray:
        """The first (d,) of the points (m, d) not yet evaluated; the very first if all have been."""
        ...


@runtime_checkable
class Candidates(Protocol):
    """The initial design of a search, and the candidate points from which a criterion is maximized."""

    def initial(self, evaluated: EvaluatedPoints, t: int, seeds: Seeds) -> NDArray:
        """Point (d,) of trial t of the initial design."""
        ...

    def transform(self, space: Space, points: NDArray) -> NDArray:
        """Transform points (m, d) of the cube to the inputs of the surrogate."""
        ...

    def generate(self, evaluated: EvaluatedPoints, rng: Generator) -> NDArray:
        """Generate candidates (m, d), m > 0."""
        ...


@runtime_checkable
class Maximizer(Protocol):
    """Maximizes a criterion, given candidates."""

    def __call__(
        self, criterion: Criterion, candidates: NDArray, evaluated: EvaluatedPoints, rng: Generator
    ) -> NDArray:
        """Point (d,) to evaluate next, given candidates (m, d)."""
        ...

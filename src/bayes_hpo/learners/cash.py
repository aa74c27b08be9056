"""Combined algorithm selection and hyperparameter optimization (CASH) over a table of learners (thesis, table 5.1)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.learners.pipeline import Choice, FittedPipeline


@dataclass(frozen=True)
class Cash:
    """Configurations contain the root, the learner's name, and its hyperparameters as NAME_hyperparameter (`Choice`).

    learners: name -> learner.
    root: name of the hyperparameter that chooses the learner.
    shared: names of hyperparameters passed to every learner.
    """

    learners: dict
    root: str = "learner"
    shared: list | tuple = ()

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedPipeline:
        """The FittedPipeline of the chosen learner, trained on X (n, p), y (n,); rng is for randomized learners.

        Raises: UserError for an unknown learner, and the errors of the learner.
        """
        learner, arguments, others = Choice(self.root, self.learners).split(configuration)
        arguments |= {name: others[name] for name in self.shared if name in others}
        return FittedPipeline(learner, learner.fit(arguments, X, y, rng))

    def unconverged(self, fitted: FittedPipeline) -> int:
        """1 if the solver of the chosen learner reached its iteration cap, else 0."""
        return fitted.learner.unconverged(fitted.model)

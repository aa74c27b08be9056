"""The combined choice of a learner and its hyperparameters, from a table of learners (thesis, table 5.1)."""

from dataclasses import dataclass

from bayes_hpo.learners.choice import Choice
from bayes_hpo.learners.pipeline import FittedPipeline


@dataclass(frozen=True)
class Cash:
    """Configurations hold `root`, a name of the table, and its hyperparameters as NAME_hyperparameter (`Choice`).

    learners: the table, dict, name -> learner. shared: hyperparameters that every learner takes, by their own names.
    """

    learners: dict
    root: str = "learner"
    shared: list | tuple = ()

    def fit(self, configuration, X, y, rng):
        """Return the FittedPipeline of the chosen learner, trained on X (n, p), y (n,); rng is for learners that draw.

        Raises: UserError for a name that is not in the table, and what the learner raises.
        """
        learner, own, others = Choice(self.root, self.learners).split(configuration)
        own |= {name: others[name] for name in self.shared if name in others}
        return FittedPipeline(learner, learner.fit(own, X, y, rng))

    def unconverged(self, fitted):
        """1 when the chosen learner's solver met its iteration cap, else 0."""
        return fitted.learner.unconverged(fitted.model)

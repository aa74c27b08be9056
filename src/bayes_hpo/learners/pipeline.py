"""Chosen transformers (rescaling, preprocessing, ...) before a learner, all fitted to the training rows alone."""

from dataclasses import dataclass

from bayes_hpo.learners.choice import Choice


@dataclass(frozen=True)
class Pipeline:
    """Steps before a learner.

    steps: dict in the order of application, name of the hyperparameter that chooses -> {its value: transformer, or null
      for none}. A transformer has `fit` as a learner has it, of something with `transform` (`Estimator`).
    learner: what is trained on the rows that they make; its configurations are what belongs to no step (`Choice`).
    """

    steps: dict
    learner: object

    def fit(self, configuration, X, y, rng):
        """Return the FittedPipeline, trained on X (n, p), y (n,); rng is for steps and learners that draw, in order.

        Raises: UserError for a choice that a step does not have, and what transformers and learner raise.
        """
        transformers, rest = [], configuration
        for root, options in self.steps.items():
            transformer, own, rest = Choice(root, options).split(rest)
            if transformer is not None:
                transformers.append(transformer.fit(own, X, y, rng))
                X = transformers[-1].transform(X)
        return FittedPipeline(self.learner, self.learner.fit(rest, X, y, rng), tuple(transformers))

    def unconverged(self, fitted):
        """1 when the learner's solver met its iteration cap, else 0."""
        return fitted.learner.unconverged(fitted.model)


@dataclass(frozen=True)
class FittedPipeline:
    """A learner, the model that it has trained, and the fitted transformers before it."""

    learner: object
    model: object
    transformers: tuple = ()

    def predict(self, X):
        """Class or value of each row of X (n, p)."""
        return self.model.predict(self._transformed(X))

    def predict_proba(self, X):
        """Probability (n, k) of each class for each row of X (n, p)."""
        return self.model.predict_proba(self._transformed(X))

    def _transformed(self, X):
        for transformer in self.transformers:
            X = transformer.transform(X)
        return X

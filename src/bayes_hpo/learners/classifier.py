"""A classifier of scikit-learn as a learner: seeded by the generator, silent, its iteration cap counted."""

import inspect
import warnings
from dataclasses import dataclass, field

from bayes_hpo.lean import without

with without("pandas"):
    from sklearn.exceptions import ConvergenceWarning


@dataclass(frozen=True)
class Classifier:
    """Configurations hold arguments of `kind`, a class of scikit-learn's, by name.

    settings: arguments that no configuration holds. All others are the installed library's defaults.
    """

    kind: type
    settings: dict = field(default_factory=dict)

    def fit(self, configuration, X, y, rng):
        """Return a Silent model trained on X (n, p), y (n,); rng seeds a kind that draws.

        Raises: TypeError for an argument that the kind does not take, ValueError for one out of its range or for rows
        that it cannot be trained on.
        """
        seed = {"random_state": int(rng.integers(2**31))}
        takes = inspect.signature(self.kind).parameters
        model = self.kind(**self.settings, **configuration, **{name: seed[name] for name in seed if name in takes})
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            model.fit(X, y)
        return Silent(model, any(issubclass(one.category, ConvergenceWarning) for one in told))

    def unconverged(self, model):
        """1 when the solver met its iteration cap in this fit, else 0."""
        return int(model.capped)


@dataclass(frozen=True)
class Silent:
    """A trained classifier whose warnings go nowhere; capped: whether its solver met its iteration cap."""

    classifier: object
    capped: bool

    def predict(self, X):
        """Class of each row of X (n, p)."""
        return self._silently(self.classifier.predict, X)

    def predict_proba(self, X):
        """Probability of each class (n, n_classes) for the rows of X (n, p)."""
        return self._silently(self.classifier.predict_proba, X)

    def _silently(self, method, X):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return method(X)

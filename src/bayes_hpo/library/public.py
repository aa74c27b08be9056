"""The names that `from bayes_hpo import ...` gives (docs/library.md)."""

from bayes_hpo.library.minimize import minimize
from bayes_hpo.library.optimizer import Optimizer
from bayes_hpo.library.scores import load_scores
from bayes_hpo.library.space import Space

__all__ = ["Optimizer", "Space", "load_scores", "minimize"]

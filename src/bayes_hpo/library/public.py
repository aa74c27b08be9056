"""The names that `from bayes_hpo import ...` gives (docs/library.md).

A module of its own, however short: `bayes_hpo` loads it at the first use of a name, and stages do without.
"""

from bayes_hpo.library.minimize import minimize
from bayes_hpo.library.optimizer import Optimizer
from bayes_hpo.library.scores import load_scores
from bayes_hpo.library.space import Space

__all__ = ["Optimizer", "Space", "load_scores", "minimize"]

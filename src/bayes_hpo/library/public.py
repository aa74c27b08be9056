"""The names available by `from bayes_hpo import ...` (docs/library.md).

A separate module, because `bayes_hpo` loads it only when one of these names is used; stages do not need it.
"""

from bayes_hpo.library.minimize import minimize
from bayes_hpo.library.optimizer import Optimizer
from bayes_hpo.library.scores import load_scores
from bayes_hpo.library.space import Space

__all__ = ["Optimizer", "Space", "load_scores", "minimize"]

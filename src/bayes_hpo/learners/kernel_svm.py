"""A support vector machine with a choice of four kernels (uai2016, 4.1; thesis, 4.4.1)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.learners.rbf_svm import FittedSvm, Svm, train


@dataclass(frozen=True)
class KernelSvm(Svm):
    """Configurations contain kernel, C, width, degree and intercept; a kernel ignores those that it does not use.

    The solver is capped at max(least_iterations, iterations_per_row x training rows) iterations per binary problem
    (D28).
    """

    least_iterations: PositiveInt
    iterations_per_row: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedSvm:
        """The FittedSvm trained on X (n, p), y (n,); rng is not used.

        Raises: ValueError when y contains only one class.
        """
        max_iter = max(self.least_iterations, self.iterations_per_row * len(X))
        return train(kernel_of(configuration, X.shape[1]), configuration["C"], X, y, max_iter)


def kernel_of(configuration: dict, p: int) -> dict:
    """The kernel arguments of SVC, given the number p of features.

    The width is gamma of rbf and sigmoid; gamma of poly is 1 / p, the default of libsvm at the time (D28).
    """
    kernel, width = configuration["kernel"], {"gamma": configuration["width"]}
    intercept = {"coef0": configuration["intercept"]}
    own = {  # linear x.y; rbf exp(-gamma |x - y|^2); poly (gamma x.y + coef0)^degree; sigmoid tanh(gamma x.y + coef0)
        "linear": {},
        "rbf": width,
        "poly": {"gamma": 1 / p, "degree": configuration["degree"]} | intercept,
        "sigmoid": width | intercept,
    }
    return {"kernel": kernel} | own[kernel]

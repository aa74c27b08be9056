"""A support vector machine of four kernels (uai2016, 4.1; thesis, 4.4.1)."""

from dataclasses import dataclass

from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.learners.rbf_svm import FittedSvm, Svm, train


@dataclass(frozen=True)
class KernelSvm(Svm):
    """Configurations hold kernel, C, width, degree and intercept; a kernel ignores those that it does not have.

    The cap of the solver's iterations per binary problem is the larger of (D28)
    least_iterations: for any number of rows.
    iterations_per_row: times the training rows.
    """

    least_iterations: PositiveInt
    iterations_per_row: PositiveInt

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> FittedSvm:
        """The FittedSvm trained on X (n, p), y (n,); rng is for learners that draw.

        Raises: ValueError when y holds one class only.
        """
        max_iter = max(self.least_iterations, self.iterations_per_row * len(X))
        return train(kernel_of(configuration, X.shape[1]), configuration["C"], X, y, max_iter)


def kernel_of(configuration: dict, p: int) -> dict:
    """The arguments of an SVC that are the kernel's; p: number of features.

    The width is gamma of rbf and sigmoid; gamma of poly is 1 / p, libsvm's default then (D28).
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

"""The model of the loss along one hyperparameter: mean, band and expected improvement (thesis, 2.1 and 2.2)."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.acquisition.criteria import ExpectedImprovement
from bayes_hpo.contracts import Predictive, Targets
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

LINE = np.linspace(0, 1, 401)  # points of the curves, in the unit interval


def model_line(targets: Targets, posterior: Predictive, losses: NDArray, proposed: NDArray) -> pd.DataFrame:
    """Frame with columns kind, u (in [0, 1]) and y (in the unit of the losses) of a model of one hyperparameter.

    targets: transform of the losses.
    posterior: model of the transformed losses.
    losses (n,): all observed losses.
    proposed (1,): point of the next trial.
    The kinds are mean; lower and upper, the mean minus and plus one standard deviation of the latent function,
    marginalized over hyperparameter samples; improvement, the expected improvement; and next, its value at the
    proposed point.
    """
    points = np.append(LINE, proposed)[:, None]  # (m, 1)
    means, variances = targets.inverse(*posterior.moments(points), losses)  # each (samples, m)
    mean, deviation = over_samples(means, variances)
    improvement = ExpectedImprovement(losses.min()).value(means, variances).mean(axis=0)
    curves = {"mean": mean, "lower": mean - deviation, "upper": mean + deviation, "improvement": improvement}
    frames = [pd.DataFrame({"kind": kind, "u": LINE, "y": y[:-1]}) for kind, y in curves.items()]
    return pd.concat([*frames, pd.DataFrame({"kind": "next", "u": proposed, "y": improvement[-1:]})])


def over_samples(means: NDArray, variances: NDArray) -> tuple[NDArray, NDArray]:
    """Mean and standard deviation (m,) of the mixture over hyperparameter samples, given the moments (samples, m)."""
    # E[f] = mean of m_s, Var[f] = mean of v_s + variance of m_s
    return means.mean(axis=0), np.sqrt(variances.mean(axis=0) + means.var(axis=0))


def only_one(space: Space) -> Any:
    """The only hyperparameter of a space. Raises: UserError when the space has more than one."""
    if len(space) > 1:
        raise UserError(f"{', '.join(space.parameters)} are searched; this measure needs a space of one")
    return next(iter(space.parameters.values()))

"""Laws of the posterior mean among the trials: it picks one of them, the argmin when nothing is noise."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.acquisition.candidates import SobolGrid
from bayes_hpo.acquisition.maximize import GradientRefinement
from bayes_hpo.pool import Pool, Proposal, Trial
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.posterior_mean import PosteriorMeanObserved
from bayes_hpo.spaces.space import Space
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.priors import Horseshoe, SquaredLog, Uniform
from bayes_hpo.surrogates.gp.process import GaussianProcess
from bayes_hpo.surrogates.gp.stationary import Matern52
from bayes_hpo.surrogates.targets import Scaled

SPACE = Space({"x": {"low": 0.0, "high": 1.0}})


@dataclass(frozen=True)
class Known:
    """Hyperparameters that are known: two samples with this noise (a variance)."""

    noise: float

    def fresh(self, model, X, y, rng):
        return np.array([[y.mean(), 1.0, self.noise, length] for length in (0.2, 0.3)])


def _chosen(x, losses, noise):
    select = PosteriorMeanObserved(
        space=SPACE,
        surrogate=GaussianProcess(Model(Matern52(Uniform(0.0, 2.0)), SquaredLog(), Horseshoe(0.1), 1e-3), Known(noise)),
        targets=Scaled(1.0),
        candidates=SobolGrid(64, around_best=1),
        maximizer=GradientRefinement(1),
    )
    trials = [
        Trial(Proposal({"x": a}, t), losses=np.array([b])) for t, (a, b) in enumerate(zip(x, losses, strict=True))
    ]
    return select(Pool(tuple(trials)), Seeds("study", "toy", 0)).members[0].configuration["x"]


def test_without_noise_it_is_the_argmin():
    rng = np.random.default_rng(0)
    for _ in range(10):
        x, losses = rng.random(12), rng.random(12)
        np.testing.assert_allclose(_chosen(x.tolist(), losses.tolist(), 1e-12), x[losses.argmin()])


def test_with_noise_a_lucky_trial_among_bad_ones_loses_to_good_neighbours_and_the_choice_is_a_trial():
    x = [0.1, 0.12, 0.14, 0.16, 0.18, 0.7, 0.72, 0.74]
    losses = [0.9, 0.9, 0.2, 0.9, 0.9, 0.3, 0.3, 0.3]
    assert _chosen(x, losses, 0.05) in x[5:]
    assert _chosen(x, losses, 1e-12) == x[2]

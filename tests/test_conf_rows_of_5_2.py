"""The searchers of table 5.2 in conf/ are those of the thesis and of docs/decisions.md; they differ in one thing."""

from functools import reduce

import pytest
from chapter_5 import flat

from bayes_hpo.configuration.compose import configure

LOG_NORMAL = {"_target_": "bayes_hpo.surrogates.gp.priors.LogNormal", "mean": 0.0, "deviation": 1.0}
SETTINGS = [
    ("5.5", "surrogate.model.kernel._target_", "bayes_hpo.surrogates.gp.stationary.Matern52"),
    ("5.5, D5.6", "surrogate.model.kernel.length", LOG_NORMAL | {"low": 1e-3, "high": 1e2}),
    ("5.5", "surrogate.model.amplitude", {"_target_": "bayes_hpo.surrogates.gp.priors.OfRoot", "prior": LOG_NORMAL}),
    ("5.5", "surrogate.model.noise._target_", "bayes_hpo.surrogates.gp.priors.OfRoot"),
    ("5.5", "surrogate.model.noise.prior", {"_target_": "bayes_hpo.surrogates.gp.priors.Horseshoe", "scale": 1.0}),
    ("D5.6", "surrogate.model.noise_start", 0.1**2),
    ("D5.6", "targets", {"_target_": "bayes_hpo.surrogates.targets.Standardized"}),
    ("D5.6", "surrogate.hyperparameters.burn_in", 100),
    ("D5.6", "surrogate.hyperparameters.samples", 10),
    ("5.5", "candidates", {"_target_": "bayes_hpo.acquisition.candidates.ImputedSamples", "size": 1000}),
    ("5.5", "maximizer", {"_target_": "bayes_hpo.acquisition.maximize.best_sample"}),
]
NOIMPUTE = {"candidates._target_": "bayes_hpo.acquisition.candidates.Samples"}
COND = {"surrogate.model._target_": "bayes_hpo.surrogates.gp.conditional.BlockModel"}
LAPLACE = {"surrogate.model.kernel._target_": "bayes_hpo.surrogates.gp.laplace.Laplace"}
LS = {  # D5.7
    "maximizer._target_": "bayes_hpo.acquisition.local_search.LocalSearch",
    "maximizer.n_starts": 10,
    "maximizer.threshold": 1e-5,
    "maximizer.steps": 100,
}
BOUND = {"surrogate.model.kernel.length.high": 2.0}  # the ablation of D5.6
ROWS = {
    "gp_matern": {},
    "gp_matern_noimpute": NOIMPUTE,
    "gp_cond": COND,
    "gp_laplace": LAPLACE,
    "gp_matern_ls": LS,
    "gp_cond_ls": COND | LS,
    "gp_laplace_ls": LAPLACE | LS,
    "gp_matern_length_2": BOUND,
    "gp_matern_noimpute_length_2": NOIMPUTE | BOUND,
}


@pytest.fixture(scope="module")
def searchers():
    return configure("plan", ["study=overfitting", "scale=paper"], groups=("searcher",))["searchers"]


@pytest.mark.parametrize(("source", "where", "value"), SETTINGS, ids=[f"{row[0]}: {row[1]}" for row in SETTINGS])
def test_a_setting_is_what_its_source_says(searchers, source, where, value):
    found = reduce(lambda node, key: node[key], where.split("."), searchers["gp_matern"])
    assert found == (pytest.approx(value) if isinstance(value, float) else value), source


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_table_5_2_differs_from_gp_matern_in_what_its_name_says(searchers, name):
    plain, own = flat(searchers["gp_matern"]), flat(searchers[name])
    assert {key: value for key, value in own.items() if plain.get(key) != value} == ROWS[name]
    assert set(plain) <= set(own)

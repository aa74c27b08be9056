"""The settings of conf/ at full scale are those of the documents and of docs/decisions.md."""

import csv
from functools import reduce

import pytest
from omegaconf import OmegaConf

from bayes_hpo.data.registry import suite
from bayes_hpo.documents.names import method as method_of

SETTINGS = [  # source, where it stands in the composed configuration, value
    ("D1", "protocols.holdout.validation.share", 0.2),
    ("D1", "protocols.holdout_sel_r.validation.share", 0.2),
    ("D2", "protocols.holdout.selection_share", 0.0),
    ("D2", "protocols.holdout_r.selection_share", 0.0),
    ("D2", "protocols.holdout_sel.selection_share", 0.2),
    ("D2", "protocols.holdout_sel_r.selection_share", 0.2),
    ("D2", "protocols.kfold.selection_share", 0.0),
    ("D2", "protocols.kfold_r.selection_share", 0.0),
    ("D2", "protocols.kfold_sel.selection_share", 0.2),
    ("D2", "protocols.kfold_sel_r.selection_share", 0.2),
    ("D3", "study.test_percent", 34),
    ("D5", "selectors.posterior_mean._target_", "bayes_hpo.selection.posterior_mean.PosteriorMean"),
    ("D6", "searchers.cma._target_", "bayes_hpo.search.cmaes.CMAES"),
    ("D6", "searchers.cma.centre", 0.5),
    ("D6", "searchers.cma.sigma", 0.2),
    ("D6", "searchers.cma.offspring", 6),
    ("D14", "searchers.grid._target_", "bayes_hpo.search.grid.GridSearch"),
    ("D16", "selectors.backwarding._target_", "bayes_hpo.selection.population.backwarding"),
    ("D16", "selectors.global_validation._target_", "bayes_hpo.selection.population.global_validation"),
    ("D26", "study.preparation", {"_target_": "bayes_hpo.data.preparation.by_source"}),
    ("D27", "study.time_limit", 3600.0),
    ("D37", "study.final", {"_target_": "bayes_hpo.scoring.refit.Refit"}),
    ("Spearmint", "searchers.gp._target_", "bayes_hpo.search.bayesian.Bayesian"),
    ("thesis, eq. 2.9", "searchers.gp.acquisition._target_", "bayes_hpo.acquisition.criteria.improvement_on_lowest"),
    ("Spearmint", "scale.gp.name", "published"),
    ("thesis 3.3", "searchers.random._target_", "bayes_hpo.search.random.RandomSearch"),
    ("thesis 3.3", "selectors.argmin._target_", "bayes_hpo.selection.argmin.argmin"),
    ("thesis 3.3", "selectors.argmin_selection._target_", "bayes_hpo.selection.argmin.argmin_selection"),
    ("thesis 3.3", "selectors.partial_validation._target_", "bayes_hpo.selection.population.partial_validation"),
    ("thesis 3.3", "protocols.kfold.validation.folds", 5),
    ("thesis 3.3", "protocols.kfold_sel_r.validation.folds", 5),
    ("thesis 3.3", "study.learner._target_", "bayes_hpo.learners.rbf_svm.RbfSvm"),
    ("our choice", "study.learner.max_iter", 1_000_000),
    ("thesis 3.3", "study.space.parameters.C", {"low": 1e-5, "high": 1e5, "log": True}),
    ("thesis 3.3", "study.space.parameters.tau", {"low": 1e-5, "high": 1e5, "log": True}),
    ("thesis 3.3", "study.training_cap", 5000),
    ("thesis 3.3", "study.validations", ["holdout", "kfold"]),
    ("thesis 3.3", "study.scales.paper.budget", 100),
    ("thesis 3.3", "study.scales.paper.repetitions", {"holdout": 20, "kfold": 20}),
    ("thesis 3.3", "study.scales.paper.suite", "overfitting118"),
    ("figure 3.3", "study.checkpoint", 6),
]

ENGINE = [  # the same of the searcher and of the selector (D18)
    ("D4", "surrogate.model.amplitude._target_", "bayes_hpo.surrogates.gp.priors.SquaredLog"),
    ("D12", "targets._target_", "bayes_hpo.surrogates.targets.Scaled"),
    ("D12", "targets.factor", 50.0),
    ("Spearmint", "surrogate._target_", "bayes_hpo.surrogates.gp.process.GaussianProcess"),
    ("Spearmint", "surrogate.model._target_", "bayes_hpo.surrogates.gp.model.Model"),
    ("Spearmint", "surrogate.model.kernel._target_", "bayes_hpo.surrogates.gp.stationary.Matern52"),
    (
        "Spearmint",
        "surrogate.model.kernel.length",
        {"_target_": "bayes_hpo.surrogates.gp.priors.Uniform", "low": 0.0, "high": 2.0},
    ),
    ("Spearmint", "surrogate.model.noise", {"_target_": "bayes_hpo.surrogates.gp.priors.Horseshoe", "scale": 0.1}),
    ("Spearmint", "surrogate.hyperparameters._target_", "bayes_hpo.surrogates.gp.slice_sampling.SliceSampling"),
    ("Spearmint", "surrogate.hyperparameters.burn_in", 100),
    ("Spearmint", "surrogate.hyperparameters.samples", 10),
    ("Spearmint", "maximizer", {"_target_": "bayes_hpo.acquisition.maximize.GradientRefinement", "n_starts": 20}),
    ("Spearmint", "surrogate.model.noise_start", 1e-3),
    ("Spearmint", "candidates._target_", "bayes_hpo.acquisition.candidates.SobolGrid"),
    ("Spearmint", "candidates.size", 20_000),
    ("Spearmint", "candidates.around_best", 10),
]
SETTINGS += [
    (source, f"{engine}.{where}", value)
    for engine in ("searchers.gp", "selectors.posterior_mean")
    for source, where, value in ENGINE
]

METHODS = {  # method -> searcher, splits, selection split, selector: thesis 3.3, and 3.4 for the last two
    "cma_gv": ("cma", "fixed", True, "global_validation"),
    "cma_gv_r": ("cma", "reshuffled", True, "global_validation"),
    "cma_bw_r": ("cma", "reshuffled", True, "backwarding"),
    "cma_pv_r": ("cma", "reshuffled", True, "partial_validation"),
    "gp_sel": ("gp", "fixed", True, "argmin_selection"),
    "gp_sel_r": ("gp", "reshuffled", True, "argmin_selection"),
    "cma_pv": ("cma", "fixed", True, "partial_validation"),
    "cma_bw": ("cma", "fixed", True, "backwarding"),
    "grid": ("grid", "fixed", False, "argmin"),
    "cma": ("cma", "fixed", False, "argmin"),
    "rs": ("random", "fixed", False, "argmin"),
    "gp": ("gp", "fixed", False, "argmin"),
    "cma_r": ("cma", "reshuffled", False, "argmin"),
    "gp_r": ("gp", "reshuffled", False, "argmin"),
    "gp_pm": ("gp", "fixed", False, "posterior_mean"),
    "gp_pm_r": ("gp", "reshuffled", False, "posterior_mean"),
}


@pytest.fixture
def paper(grid_of):
    """The grid of the study overfitting at full scale."""
    return grid_of("overfitting", "paper")


@pytest.mark.parametrize(("source", "where", "value"), SETTINGS, ids=[f"{row[0]}: {row[1]}" for row in SETTINGS])
def test_a_setting_is_what_its_source_says(paper, source, where, value):
    assert reduce(lambda node, key: node[key], where.split("."), paper.cfg) == value, source


def test_every_argument_of_the_thesis_searchers_and_selectors_has_a_source(paper):
    known = {where for _, where, _ in SETTINGS}
    for group, used in (("searchers", 0), ("selectors", 3)):
        for name in {method[used] for method in METHODS.values()}:
            assert list(_unknown(paper.cfg[group][name], f"{group}.{name}", known)) == []


def _unknown(node, where, known):
    """Places below `where` whose value no row of the settings gives."""
    for key, value in node.items():
        place = f"{where}.{key}"
        if place not in known:
            yield from _unknown(value, place, known) if isinstance(value, dict) else [place]


@pytest.mark.parametrize(("name", "candidates", "restart"), [("published", 20_000, 100), ("fast", 2_000, 20)])
def test_the_settings_of_the_gaussian_process_differ_in_candidates_and_in_restarted_chains(name, candidates, restart):
    """D30: the second differs for ensemble optimization alone."""
    settings = OmegaConf.load(f"conf/gp/{name}.yaml")
    assert settings == {
        "name": name,
        "candidates": candidates,
        "burn_in": 100,
        "restart_burn_in": restart,
        "samples": 10,
    }


@pytest.mark.parametrize(
    ("scale", "setting"), [("paper", "published"), ("small", "fast"), ("pilot", "fast"), ("smoke", "tiny")]
)
def test_a_scale_names_its_setting_of_the_gaussian_process(scale, setting):
    assert {"/gp@gp": setting} in OmegaConf.load(f"conf/scale/{scale}.yaml")["defaults"]


def test_the_methods_are_those_of_the_thesis_in_the_order_of_table_3_1(paper):
    keys = ("searcher", "splits", "selection_split", "selector")
    assert {name: tuple(paper.methods[name][key] for key in keys) for name in METHODS} == METHODS
    assert [name for name in paper.methods if name in METHODS] == list(METHODS)
    with open("published/thesis_T3_1.csv", newline="", encoding="utf-8") as stream:
        rows = list(dict.fromkeys(method_of(row["method"]) for row in csv.DictReader(stream)))
    assert list(METHODS)[:14] == rows


def test_the_curves_are_of_the_methods_of_table_3_1(paper):
    assert [name for name in paper.cfg["study"]["curves"] if name in METHODS] == list(METHODS)[:14]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("overfitting118", 118),
        ("overfitting_small", 86),
        ("overfitting_fidelity", 12),
        ("overfitting_pilot", 6),
        ("overfitting_repaired", 11),
    ],
)
def test_a_suite_has_its_size(name, size):
    assert len(suite(name)) == size

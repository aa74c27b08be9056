"""The settings of chapter 4's studies are those of thesis 4.4 and of uai2016, sections 4.1 and 4.2."""

from collections import Counter

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.documents import catalog, names, published
from bayes_hpo.ensembles.margins import sigmoid_slope

BUDGETS = {"ensembles_svm": 200, "ensembles_sklearn_uai": 100, "ensembles_sklearn": 200}
TABLES = {
    "ensembles_svm": ("uai2016", "T2"),
    "ensembles_sklearn_uai": ("uai2016", "T4"),
    "ensembles_sklearn": ("thesis", "T4_6"),
}
SETTINGS = [  # study, where it stands in its configuration, value
    ("ensembles_svm", "study.learner.least_iterations", 100_000),  # D28
    ("ensembles_svm", "study.learner.iterations_per_row", 20),
    ("ensembles_svm", "study.preparation._target_", "bayes_hpo.data.preparation.standardised_per_model"),  # D26
    ("ensembles_sklearn_uai", "study.preparation._target_", "bayes_hpo.data.preparation.standardised_per_model"),
    (
        "ensembles_sklearn",
        "study.preparation._target_",
        "bayes_hpo.data.preparation.standardised",
    ),  # 4.4.2: chapter 5's
    ("ensembles_svm", "scale.members", 12),  # uai2016, 4.1
    ("ensembles_svm", "selectors.post_hoc.greedy.size", 12),  # D24
    ("ensembles_svm", "selectors.post_hoc.greedy.first", 3),
    ("ensembles_svm", "searchers.bo.targets.factor", 50.0),  # D12
    ("ensembles_svm", "searchers.eo.targets.factor", 50.0),
    ("ensembles_svm", "searchers.bo.candidates._target_", "bayes_hpo.acquisition.candidates.UniformStart"),  # D13
    ("ensembles_svm", "searchers.bo_init13.n_initial", 13),
    ("ensembles_svm", "searchers.eo_replace.slots._target_", "bayes_hpo.ensembles.slots.SlotsWithReplacement"),
    ("ensembles_svm", "searchers.eo_released_lag.slots._target_", "bayes_hpo.ensembles.slots.LaggedSlots"),
]
SLOTS = {  # searcher and selector of one name -> loss of the surrogate, loss by which members are chosen (D8)
    "eo": ("squared_margin", "squared_margin"),
    "eo_zero_one_pick": ("squared_margin", "zero_one"),
    "eo_released_lag": ("squared_margin", "squared_margin"),
    "eo_replace": ("squared_margin", "squared_margin"),
    "eo_c": ("c_bound", "zero_one"),
    "eo_sqm": ("squared_margin", "zero_one"),
    "eo_sig": ("sigmoid", "zero_one"),
}
MEMBERS = {  # selectors and searchers of conf/ whose ensembles have a size of their own -> slots
    "selectors": {"eo_m3": 3, "eo_m5": 5, "eo_m6": 6, "eo_m7": 7, "eo_m20": 20, "eo_m30": 30},
    "searchers": {"eo_m3": 3, "eo_m5": 5, "eo_m7": 7, "eo_m30": 30},
}
CIFAR = [  # where it stands in the configuration of the study cifar at scale paper, value
    ("study.validations", ["holdout"]),
    ("study.holdout._target_", "bayes_hpo.splits.Last"),  # batch 5 of five
    ("study.holdout.share", 0.2),
    ("study.learner.epochs", 250),  # D32
    ("study.learner.batch", 128),
    ("study.learner.momentum", 0.9),
    ("study.learner.drops", [0.96, 0.98]),
    ("study.final._target_", "bayes_hpo.scoring.as_trained.AsTrained"),
    ("study.evaluation._target_", "bayes_hpo.evaluation.WithTestPredictions"),
    ("selectors.post_hoc_100.greedy._target_", "bayes_hpo.ensembles.greedy.Greedy"),  # D24: with replacement
    ("selectors.post_hoc_100.greedy.size", 100),
    ("selectors.post_hoc_100.greedy.first", 3),
    ("selectors.post_hoc_100.greedy.loss._target_", "bayes_hpo.ensembles.losses.zero_one"),
]


@pytest.fixture
def cfg(grid_of):
    """Function: the configuration of a study at scale small."""
    return lambda study: grid_of(study, "small").cfg


@pytest.mark.parametrize(("study", "place", "value"), SETTINGS)
def test_a_setting_has_its_value_of_the_document(setting, study, place, value):
    assert setting(study, place, "small") == value


def test_an_ensemble_of_another_size_has_as_many_slots_as_its_name_says(cfg):
    """Thesis 4.4.1 (3 to 30), 4.2.3 (5) and 4.4.3 (7). A search begins with m + 1 random trials (D20): two outside."""
    node, m = cfg("ensembles_variants"), {}
    for group, expected in MEMBERS.items():
        m[group] = {name: node[group][name]["slots"]["m"] for name in expected}
    assert m == MEMBERS
    space = build(node["study"]["space"], "space")
    for name, slots in MEMBERS["searchers"].items():
        searcher = build(node["searchers"][name], "searcher", space=space, budget=200)
        assert (searcher.slots.m, searcher.n_initial) == (slots, 2)


def test_the_figure_by_size_draws_methods_at_their_number_of_slots(setting):
    sizes = catalog.document("uai2016")["artifacts"]["FV2"]["draw"]["sizes"]
    assert sizes == {name: setting("ensembles_svm", f"selectors.{name}.slots.m", "small") for name in sizes}


@pytest.mark.parametrize(("scale", "m"), [("toy", 5), ("small", 30)])
def test_a_search_for_thirty_members_has_no_more_slots_than_trials(setting, scale, m):
    assert setting("ensembles_variants", "searchers.eo_m30.slots.m", scale) == m
    assert setting("ensembles_variants", f"study.scales.{scale}.budget", scale) >= m


@pytest.mark.parametrize(
    ("method", "searcher", "selector"),
    [
        *[(f"eo_m{m}", "eo", f"eo_m{m}") for m in (3, 6, 20, 30)],
        *[(f"eo_searched_m{m}", f"eo_m{m}", f"eo_m{m}") for m in (3, 30)],
        ("eo_7", "eo_m7", "eo_m7"),
    ],
)
def test_a_method_replays_the_trials_of_eo_or_searches_with_its_own_slots(cfg, method, searcher, selector):
    node = cfg("ensembles_variants")["methods"][method]
    assert (node["searcher"], node["selector"]) == (searcher, selector)


@pytest.mark.parametrize(
    ("study", "choice", "count"), [("ensembles_svm", "kernel", 4), ("ensembles_sklearn_uai", "learner", 9)]
)
def test_choices_and_integers_have_equal_shares_of_a_coordinate(cfg, study, choice, count):
    """D28, D30: each is cut into equal parts, whether a point is drawn or proposed."""
    space = build(cfg(study)["study"]["space"], "space")
    grid = (np.arange(36_000) + 0.5) / 36_000
    for name in (choice, *(["degree"] if choice == "kernel" else [])):
        column = list(space.parameters).index(name)
        points = np.full((len(grid), len(space)), 0.5)
        points[:, column] = grid
        share = Counter(space.decode(point)[name] for point in points[::10])
        assert len(share) == (count if name == choice else 10)
        assert max(share.values()) - min(share.values()) <= 1


@pytest.mark.parametrize("study", BUDGETS)
def test_budget_repetitions_and_splits_are_those_of_the_document(cfg, study):
    node = cfg(study)["study"]
    for scale, suite in {"small": "ensembles_small", "paper": "ensembles18"}.items():
        assert node["scales"][scale] == {"suite": suite, "budget": BUDGETS[study], "repetitions": {"kfold": 10}}
    assert (node["validations"], node["test_percent"], node["margin"]) == (["kfold"], 20, 0.3)  # D7
    assert node["evaluation"] == {"_target_": "bayes_hpo.evaluation.WithPredictions"}
    assert cfg(study)["protocols"]["kfold"]["validation"]["folds"] == 5


@pytest.mark.parametrize("study", TABLES)
def test_its_methods_begin_with_those_of_its_table(cfg, study):
    node = cfg(study)["study"]
    rows = list(published.mean_errors(*TABLES[study])[0])
    assert {names.printed(name, node["labels"]) for name in node["labels"]} == set(rows)
    assert set(node["methods"][: len(rows)]) == set(node["labels"])
    assert (node["document"], node["tables"]["kfold"]) == TABLES[study]


@pytest.mark.parametrize("name", SLOTS)
def test_a_searcher_and_the_selector_of_its_name_have_the_same_slots(cfg, name):
    node = cfg("ensembles_svm")
    slots = node["searchers"][name]["slots"]
    assert slots == node["selectors"][name]["slots"]
    losses = tuple(slots[key]["_target_"].rpartition(".")[2] for key in ("loss", "pick"))
    assert losses == SLOTS[name]
    assert slots["m"] == 12


def test_the_chain_of_ensemble_optimization_is_shorter_at_scale_small_alone(grid_of):
    """D30: 20 sweeps of burn-in in place of 100 at every trial."""
    burn_in = {
        (scale, searcher): grid_of("ensembles_svm", scale).cfg["searchers"][searcher]["surrogate"]["hyperparameters"][
            "burn_in"
        ]
        for scale in ("small", "paper")
        for searcher in ("bo", "eo", "eo_sig")
    }
    assert burn_in == {(scale, name): 20 if (scale, name[0]) == ("small", "e") else 100 for scale, name in burn_in}


@pytest.mark.parametrize("study", ["ensembles_chain", "ensembles_variants"])
@pytest.mark.parametrize("scale", ["toy", "small"])
def test_a_study_that_uses_another_ones_pools_has_its_searches(grid_of, study, scale):
    user = grid_of(study, scale)
    owner = grid_of(user.owner, scale)
    assert user.owner != study
    for pool in user.pools:
        assert user.job(*pool) == owner.job(*pool)


@pytest.mark.parametrize("scale", ["toy", "smoke", "small", "paper"])
def test_the_pools_of_table_4_6_are_chapter_5s(grid_of, scale):
    chapter_4, chapter_5 = (grid_of(study, scale) for study in ("ensembles_sklearn", "conditional"))
    assert chapter_4.owner == chapter_4.draws == "conditional"
    shared = set(chapter_4.pools) & set(chapter_5.pools)
    assert shared == {("kfold", "cma_cash"), ("kfold", "random"), ("kfold", "gp_matern_ls")}
    for pool in shared:
        assert chapter_4.job(*pool) == chapter_5.job(*pool)
    assert all(chapter_4.job(*pool)["owner"] == "conditional" for pool in chapter_4.pools)


def test_engine_of_table_4_6_is_that_of_its_best_rival(cfg):
    searchers = cfg("ensembles_sklearn")["searchers"]
    rival = searchers["gp_matern_ls"]
    for name in ("eo_c", "eo_sqm", "eo_sig"):
        other = {key: part for key, part in searchers[name].items() if key not in ("slots", "_target_", "surrogate")}
        assert other == {key: part for key, part in rival.items() if key not in ("_target_", "surrogate")}
        assert searchers[name]["surrogate"]["model"] == rival["surrogate"]["model"]


def test_the_slope_of_twelve_members_is_the_protocols():
    assert sigmoid_slope(12) == pytest.approx(7.914, abs=5e-4)


@pytest.mark.parametrize(("place", "value"), CIFAR)
def test_a_setting_of_cifar_has_its_value_of_the_document_or_of_its_decision(setting, place, value):
    assert setting("cifar", place, "paper") == value


def test_the_last_of_the_five_batches_of_cifar_validates_whatever_is_drawn(setting):
    holdout = build(setting("cifar", "study.holdout", "paper"), "study.holdout")
    for seed in range(2):
        (rows,) = holdout.cut(np.random.default_rng(seed).integers(10, size=50_000), np.random.default_rng(seed))
        np.testing.assert_array_equal(rows, np.arange(40_000, 50_000))


def test_the_rate_of_cifar_falls_after_240_and_245_of_250_epochs(setting):
    """D32: the first rate for 240, a tenth for 5, a hundredth for 5."""
    learner = build(setting("cifar", "study.learner", "paper"), "study.learner")
    np.testing.assert_allclose([learner.factor(t) for t in range(250)], np.repeat([1, 0.1, 0.01], [240, 5, 5]))


def test_the_ensembles_of_cifar_have_seven_members_by_the_squared_margin(grid_of):
    cifar = grid_of("cifar", "paper").cfg
    for method, selector in {"eo_7": "eo_m7", "eo_7_best": "argmin", "eo_7_post": "post_hoc_100"}.items():
        node = cifar["methods"][method]
        assert (node["searcher"], node["selector"]) == ("eo_m7", selector)
    for slots in (cifar["searchers"]["eo_m7"]["slots"], cifar["selectors"]["eo_m7"]["slots"]):
        losses = [slots[key]["_target_"].rpartition(".")[2] for key in ("loss", "pick")]
        assert (slots["m"], losses) == (7, ["squared_margin"] * 2)

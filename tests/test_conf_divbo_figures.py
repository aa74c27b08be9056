"""What the measures and the studies behind DivBO's figures are set to is what the paper and its decisions say."""

import pytest

from bayes_hpo.data.registry import suite
from bayes_hpo.documents import catalog

BETAS, TAUS = (0.025, 0.05, 0.1, 0.2), (0.05, 0.1, 0.2, 0.4)
SPAMBASE = ["openml-spambase", "house_8L"]
STUDIES = {  # study -> data sets (names, or their number), trials, repetitions at full scale, owner of its pools
    "divbo_quake": (["quake"], 250, 30, "divbo"),
    "divbo_surrogates": (["quake", "wind"], 300, 10, "divbo_surrogates"),
    "divbo_sensitivity": (SPAMBASE, 250, 10, "divbo"),
    "divbo_sensitivity_rest": (SPAMBASE, 250, 10, "divbo"),
    "divbo_weight": (15, 250, 10, "divbo"),  # table 8
    "divbo_strategies": (15, 250, 10, "divbo"),  # tables 9 and 10
    "divbo_kbo": (5, 250, 10, "divbo"),  # table 11
    "divbo_autogluon": (5, 250, 10, "divbo_autogluon"),  # table 12
}


def cells():
    """((beta, tau), method) of figure 7."""
    rows = catalog.document("divbo2022")["artifacts"]["F7"]["draw"]["cells"]
    return [((beta, tau), method) for beta, row in rows.items() for tau, method in row.items()]


def test_figure_7_has_every_cell_once_and_its_searchers_have_these_parameters(grid_of):
    cfg = grid_of("divbo_sensitivity").cfg
    assert {place for place, _ in cells()} == {(beta, tau) for beta in BETAS for tau in TAUS}
    default = cfg["searchers"]["divbo"]
    for (beta, tau), method in cells():
        searcher = cfg["searchers"][cfg["methods"][method]["searcher"]]
        assert searcher == default | {"weight": default["weight"] | {"beta": beta, "tau": tau}}
        assert cfg["methods"][method]["selector"] == "es"


def test_the_studies_of_figure_7_are_its_cells_the_small_one_a_row_and_a_column(grid_of):
    small, rest = (list(grid_of(name).methods) for name in ("divbo_sensitivity", "divbo_sensitivity_rest"))
    assert sorted(small + rest) == sorted(method for _, method in cells())
    assert {method for (beta, tau), method in cells() if beta == 0.05 or tau == 0.2} == set(small)


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_has_the_papers_data_sets_trials_and_repetitions(grid_of, study):
    names, budget, repetitions, _ = STUDIES[study]
    settings = grid_of(study).cfg["study"]["scales"]["paper"]
    of_suite = suite(settings["suite"])
    assert len(of_suite) == names if isinstance(names, int) else sorted(of_suite) == sorted(names)
    assert (settings["budget"], settings["repetitions"]) == (budget, {"holdout": repetitions})


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_draws_as_divbo_does_so_that_its_test_parts_and_random_trials_are_the_same(grid_of, study):
    assert grid_of(study).draws == "divbo"
    assert grid_of(study).owner == STUDIES[study][3]


def test_windows_are_the_last_100_and_50_of_250_and_figure_1_begins_after_200(setting):
    windows = setting("divbo", "measures.suggestion_statistics.windows")
    assert {name: round(share * 250) for name, share in windows.items()} == {"100": 100, "50": 50}
    assert round(setting("divbo", "measures.suggestions.reference") * 250) == 200
    assert setting("divbo", "measures.suggestion_statistics.first") == 6  # D28
    assert catalog.document("divbo2022")["artifacts"]["T3"]["draw"]["first"] == 6


def test_surrogates_are_compared_after_these_numbers_of_250_trials_on_50(setting):
    measure = setting("divbo", "measures.surrogate_correlations")
    assert [round(share * 250) for share in measure["sizes"]] == [10, 25, 50, 100, 150, 200, 250]
    assert round(measure["held_out"] * 300) == 50
    assert set(measure["diversity"]) | set(measure["performance"]) == {
        "lightgbm",
        "xgboost",
        "forest",
        "performance",
    }


def test_the_surrogates_of_figure_2_are_those_of_the_searches(setting):
    measure = setting("divbo", "measures.surrogate_correlations")
    searcher = setting("divbo", "searchers.divbo")
    assert measure["diversity"]["lightgbm"] == searcher["diversity"]
    forest = {key: value for key, value in measure["performance"]["performance"].items() if key != "space"}
    assert forest == searcher["surrogate"]
    assert measure["diversity"]["forest"] == measure["performance"]["performance"]
    recipe = {"members", "trees", "rate", "depth", "min_leaf", "features", "floor"}
    boosted = (measure["diversity"][name] for name in ("lightgbm", "xgboost"))
    first, second = ({key: node[key] for key in recipe} for node in boosted)
    assert first == second


@pytest.mark.parametrize("measure", ["suggestions", "suggestion_statistics", "ensemble_pairs", "pair_statistics"])
def test_measures_select_as_the_method_does(setting, measure):
    assert setting("divbo", f"measures.{measure}.ensemble") == setting("divbo", "selectors.es.greedy")

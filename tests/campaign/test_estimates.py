"""What a grid is estimated to cost, worked out by hand: made-up costs on made-up data sets."""

import math
from copy import deepcopy
from dataclasses import replace

import pytest

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates, pools, score_seconds
from bayes_hpo.campaign.grid import Grid

BUDGET, RUNS = 10, 3
COSTS = Costs(
    model={"": [math.log(1e-3), 1, 2, 0.5]},
    suggestion={("rbf_svm", "gp", 10): 0.2, ("rbf_svm", "gp", 100): 0.4, ("rbf_svm", "gp", 1000): 50.0},
    refits={("rbf_svm", "random", False): 2.0, ("rbf_svm", "gp", True): 3.0},
)


def seconds(train, predicted, p):
    """Those of a model in COSTS: twice the training rows cost twice as much, twice the predicted ones four times."""
    return 1e-3 * train * predicted**2 * p**0.5


@pytest.fixture
def grid_with(grid_of):
    """Function: hold-out and five folds, `RUNS` runs of `BUDGET` trials, a large and a small data set; with changes.

    Of the large one 200 of 500 rows are a drawn test part, of the small one 10 of 60 rows a given one.
    """

    def make(**changes):
        cfg = deepcopy(grid_of().cfg)
        cfg["study"] |= {"curves": [], "test_percent": 40} | changes
        cfg["study"]["scales"]["toy"] |= {"budget": BUDGET, "repetitions": {"holdout": RUNS, "kfold": RUNS}}
        cfg["scale"]["block_seconds"] = 100_000  # of gp with a selection split two runs on the large data set
        grid = Grid(cfg)
        grid.costs = COSTS
        row = replace(grid.registered["sklearn-iris"], n_test=0)
        grid.registered = {"large": replace(row, n=500, p=4), "small": replace(row, n=60, p=9, n_test=10)}
        grid.datasets = ["large", "small"]
        return grid

    return make


@pytest.fixture
def found(grid_with):
    """Function: an estimate of random search without a selection split, gp (64 candidates) with one, or refits."""
    every = {(one.validation, one.searcher): one for one in estimates(grid_with(methods=["rs", "gp_sel"]), COSTS)}
    assert len(every) == 2 * 3
    return lambda validation, searcher: every[validation, searcher]


def test_hold_out_validates_on_a_fifth_of_what_the_test_part_leaves(found):
    one = found("holdout", "random")
    assert (one.runs, one.models) == (2 * RUNS, 2 * RUNS * BUDGET)
    assert one.hours * 3600 == pytest.approx(RUNS * BUDGET * (seconds(240, 60, 4) + seconds(40, 10, 9)))


def test_a_selection_split_is_predicted_too_and_suggestions_cost_what_the_nearest_measured_ones_do(found):
    one = found("holdout", "gp")
    assert (one.runs, one.models) == (2 * RUNS, 2 * RUNS * BUDGET)
    models = seconds(192, 108, 4) + seconds(32, 18, 9)
    assert one.hours * 3600 == pytest.approx(RUNS * BUDGET * (models + 2 * 0.4))


def test_a_trial_of_five_folds_has_five_models(found):
    one = found("kfold", "random")
    assert (one.runs, one.models) == (2 * RUNS, 5 * 2 * RUNS * BUDGET)
    assert one.hours * 3600 == pytest.approx(5 * RUNS * BUDGET * (seconds(240, 60, 4) + seconds(40, 10, 9)))


def test_refits_are_trained_on_all_but_the_test_part_which_they_predict(found):
    """Of random search two a pool, of gp with a selection split three."""
    one = found("kfold", "(refits)")
    assert one.models == (2 + 3) * 2 * RUNS
    assert one.hours * 3600 == pytest.approx((2 + 3) * RUNS * (seconds(300, 200, 4) + seconds(50, 10, 9)))


def test_jobs_are_blocks_of_so_many_seconds_and_the_refits_of_a_pool_are_one(found):
    assert 2 * BUDGET * (seconds(192, 108, 4) + 0.4) < 100_000 < 3 * BUDGET * (seconds(192, 108, 4) + 0.4)
    assert found("holdout", "gp").jobs == 2 + 1  # two repetitions of the large data set and one, three of the small one
    assert found("holdout", "(refits)").jobs == 2 * 2


def test_rows_above_the_cap_are_predicted_in_searches_and_refits_have_a_cap_of_their_own(grid_with):
    grid = grid_with(methods=["rs"], training_cap=30, refit_cap=150)
    every = {(one.validation, one.searcher): one.hours * 3600 for one in estimates(grid, COSTS)}
    searched, refit = seconds(30, 270, 4) + seconds(30, 20, 9), seconds(150, 200, 4) + seconds(50, 10, 9)
    assert every["holdout", "random"] == pytest.approx(RUNS * BUDGET * searched)
    assert every["holdout", "(refits)"] == pytest.approx(2 * RUNS * refit)


def test_a_study_uses_no_more_rows_than_it_says(grid_with):
    every = {(one.validation, one.searcher): one for one in estimates(grid_with(methods=["rs"], most_rows=100), COSTS)}
    searched = seconds(48, 12, 4) + seconds(40, 10, 9)  # of the first data set 100 rows, 40 of them for the test
    assert every["holdout", "random"].hours * 3600 == pytest.approx(RUNS * BUDGET * searched)


def test_the_models_of_a_search_cost_its_factor_and_its_suggestions_do_not(grid_with):
    grid = grid_with(methods=["gp"])
    hours = [estimates(grid, replace(COSTS, factor={("rbf_svm", "gp"): factor}))[0].hours for factor in (1, 3)]
    models = RUNS * BUDGET * (seconds(240, 60, 4) + seconds(40, 10, 9))
    assert (hours[1] - hours[0]) * 3600 == pytest.approx(2 * models)


def test_where_models_of_the_search_are_scored_none_is_refit(grid_with):
    grid = grid_with(methods=["rs"], final={"_target_": "bayes_hpo.scoring.as_trained.AsTrained"})
    every = {(one.validation, one.searcher): one for one in estimates(grid, COSTS)}
    assert (every["holdout", "(refits)"].models, every["holdout", "(refits)"].hours) == (0, 0)
    assert {score_seconds(grid, replace(COSTS, scoring=1.5))(job) for job in grid.score_jobs()} == {1.5 * RUNS}


def test_a_stack_is_estimated_by_the_models_that_it_fits_out_of_fold(grid_with):
    grid = grid_with(methods=["rs"], final={"_target_": "bayes_hpo.scoring.stacked.Stacked", "folds": {"folds": 5}})
    assert {score_seconds(grid, COSTS)(job) for job in grid.score_jobs()} == {0}  # no method of the study stacks
    stack = {"_target_": "bayes_hpo.selection.stacking.Stacking", "size": 4}
    grid.cfg["selectors"]["argmin"] = stack
    every = {(one.validation, one.searcher): one for one in estimates(grid, COSTS)}
    assert every["holdout", "(refits)"].models == 2 * RUNS * 4 * 5
    assert all(score_seconds(grid, COSTS)(job) > 0 for job in grid.score_jobs())


def test_the_hours_of_a_method_are_those_of_its_own_pool(grid_with, monkeypatch):
    monkeypatch.setattr(Costs, "read", lambda: COSTS)
    made = pools(grid_with(methods=["gp", "gp_r", "gp_pm"]))
    expected = RUNS * BUDGET * (seconds(240, 60, 4) + seconds(40, 10, 9) + 2 * 0.4)
    for method, protocol in {"gp": "holdout", "gp_r": "holdout_r", "gp_pm": "holdout"}.items():
        pool, hours = made["holdout", method]
        assert pool == ("overfitting", protocol, "gp")
        assert hours * 3600 == pytest.approx(expected)


SVM, FOREST = ({"_target_": f"bayes_hpo.learners.{name}.Any"} for name in ("rbf_svm", "random_forest"))


@pytest.mark.parametrize(("candidates", "expected"), [(1, 0.2), (64, 0.4), (540, 0.4), (560, 50.0), (20_000, 50.0)])
def test_a_suggestion_costs_what_was_measured_at_the_nearest_number_of_candidates(candidates, expected):
    assert COSTS.suggesting(SVM, "gp", candidates) == COSTS.suggesting(FOREST, "gp", candidates) == expected
    assert COSTS.suggesting(SVM, "random", candidates) == 0


def test_a_suggestion_for_a_learner_costs_what_was_measured_with_it_whatever_the_number_of_candidates():
    costs = replace(COSTS, suggestion=COSTS.suggestion | {("random_forest", "gp", 10): 7.0})
    assert [costs.suggesting(FOREST, "gp", 1000), costs.suggesting(SVM, "gp", 1000)] == [7, 50]


def test_unmeasured_refits_are_as_many_as_the_measured_ones_of_that_learner_or_of_all_on_average():
    costs = replace(COSTS, refits=COSTS.refits | {("random_forest", "gp", False): 10.0})
    assert [costs.refitting(SVM, "gp", 0.2), costs.refitting(SVM, "gp", 0), costs.refitting(SVM, "cma", 0.2)] == [
        3,
        2.5,
        2.5,
    ]
    assert [costs.refitting(FOREST, "gp", 0), costs.refitting(FOREST, "cma", 0)] == [10, 10]
    assert costs.refitting({"_target_": "bayes_hpo.learners.cash.Any"}, "gp", 0) == 5


def test_what_was_not_measured_is_said():
    costs = replace(COSTS, model=COSTS.model | {"rbf_svm": COSTS.model[""]})
    assert costs.unmeasured(SVM, ["gp"]) == []
    assert costs.unmeasured(FOREST, ["gp", "cma", "random"]) == [
        "not measured, counted as 0 s: suggestions of cma, random",
        "not measured, counted as those of other learners: models of random_forest",
    ]

"""Validation errors along a search are those of the trial or of the mean that is selected."""

from types import SimpleNamespace

import numpy as np
import pytest
from probable_pools import random_probabilities

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.measures import selection_errors
from bayes_hpo.measures.selection_errors import SelectionErrors
from tests.measures.made_up import SEEDS, search_of

FAILED = {0, 3}


@pytest.fixture
def measured(grid_of, monkeypatch):
    """Function: the frame of the methods of divbo on one pool."""
    cfg = grid_of("divbo").cfg

    def of(methods, seed=1, **given):
        pool = random_probabilities(seed, **{"trials": 9, "failed": FAILED} | given)
        pool.provenance["job"] = {"task": cfg["study"]["task"]}
        search = search_of(pool)
        found = [type(search)(search.key | {"method": name}, search.path, pool, None, SEEDS) for name in methods]
        monkeypatch.setattr(selection_errors, "searches", lambda grid, names: found)
        measure = build(cfg["measures"]["selection_errors"] | {"methods": methods}, "measure")
        return measure(SimpleNamespace(methods=cfg_methods)), pool

    cfg_methods = grid_of("divbo").methods
    return of


def test_every_method_of_the_study_has_an_error_from_the_first_finished_trial_on(measured, grid_of):
    methods = list(grid_of("divbo").methods)
    frame, _ = measured(methods)
    for method in methods:
        assert frame[frame["method"] == method]["iteration"].tolist() == list(range(2, 10))
    assert frame["validation_loss"].between(0, 1).all()


def test_a_single_model_has_the_lowest_loss_so_far(measured):
    frame, pool = measured(["rs"])
    lowest = np.minimum.accumulate([trial.loss for trial in pool])
    np.testing.assert_allclose(frame["validation_loss"], lowest[1:])


@pytest.mark.parametrize("n_folds", [1, 3])
def test_an_ensemble_has_the_error_of_its_weighted_mean(measured, grid_of, n_folds):
    frame, pool = measured(["bo_es"], n_folds=n_folds)
    select = build(grid_of("divbo").cfg["selectors"]["es"], "selector")
    for row in frame.itertuples():
        members = select(pool[: row.iteration], SEEDS).members
        mean = sum(member.weight * pool[member.trial].predictions.astype(float) for member in members)
        wrong = mean.argmax(axis=1) != pool.truth.y
        folds = [wrong[pool.truth.folds == fold].mean() for fold in range(n_folds)]
        assert row.validation_loss == pytest.approx(np.mean(folds))


def test_a_failed_trial_leaves_the_error_of_best_trials_as_it_was(measured):
    frame, _ = measured(["rs", "bo_es", "nes"])
    for _, rows in frame.groupby("method"):
        errors = rows.set_index("iteration")["validation_loss"]
        assert errors[4] == errors[3]


def test_after_a_failed_trial_the_error_is_that_of_the_slots_that_it_refilled(measured, grid_of):
    select, changed = build(grid_of("divbo").cfg["selectors"]["eo_probable"], "selector"), 0
    for seed in range(9):
        frame, pool = measured(["divbo_eo"], seed=seed, trials=16, failed={0, 13, 14})
        errors = frame.set_index("iteration")["validation_loss"]
        for t in (14, 15):
            ensemble = select(pool[:t], SEEDS)
            predictions = np.array([pool[member.trial].predictions for member in ensemble.members])
            wrong = ensemble.combined(predictions, SEEDS("vote")).argmax(axis=1) != pool.truth.y
            assert errors[t] == pytest.approx(np.mean(wrong))
            changed += errors[t] != errors[13]
    assert changed


def test_a_method_with_an_unknown_selector_is_one_sentence(measured, grid_of):
    measure = SelectionErrors(methods=["bo_es"], selectors={"argmin": None})
    search = search_of(random_probabilities(1))
    with pytest.raises(UserError, match=r"unknown measure\.selectors=es; allowed: argmin"):
        list(measure._rows(search, grid_of("divbo").methods["bo_es"]))


def test_what_claims_read_is_the_lowest_error_so_far_in_percent(measured):  # D31
    frame, _ = measured(["nes", "bo_es"], seed=28)
    for _, rows in frame.groupby("method"):
        assert (rows["validation_loss"].diff() > 0).any()  # a selection may err more with one trial more
        np.testing.assert_allclose(rows["value"], 100 * np.minimum.accumulate(rows["validation_loss"]))
        assert rows["quantity"].tolist() == [*(f"validation_error_{t}" for t in range(2, 9)), "validation_error"]

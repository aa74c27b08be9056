"""What is compared rests on shared repetitions only, and on repetitions alone where a claim names one data set."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.runs import runs
from bayes_hpo.claims.study import Study, wide

NAMES = ["iris", "monks-1", "monks-2"]


@pytest.fixture
def runs_of(rows, claim_file):
    """Function: the Runs of the first part of a claim (what differs from the usual one) on some scores."""

    def make(scores, **change):
        part = parts(read(claim_file(change))[0])[0]
        return runs(part, wide({"overfitting": Study(scores)}, rows), rows)

    return make


@pytest.fixture(scope="session")
def scores(as_published):
    """Four repetitions of two methods on three data sets."""
    return as_published(NAMES, repetitions=4, methods=["gp", "gp_r"])


def test_units_are_data_sets_with_their_families_and_sizes(runs_of, scores, rows):
    found = runs_of(scores)
    assert found.values["error"].shape == (3, 4, 2)
    assert list(found.families) == ["iris", "monks", "monks"]
    assert list(found.sizes) == [rows[name].rest for name in NAMES]
    assert list(found.datasets) == NAMES


def test_errors_are_in_percent_and_in_the_order_of_the_columns(runs_of, scores):
    chosen = scores.query("final and validation == 'holdout' and dataset == 'monks-2'")
    found = runs_of(scores).values["error"][2]  # (4 repetitions, gp_r and gp)
    for column, method in enumerate(("gp_r", "gp")):
        np.testing.assert_allclose(found[:, column], 100 * chosen[chosen["method"] == method]["test_error"])


def test_run_statistics_keep_the_unit_of_their_measure(rows, claim_file):
    statistics = pd.DataFrame({"dataset": "iris", "repetition": [0, 1], "validation": "holdout", "method": "gp",
                           "quantity": "length", "value": [1.5, 2.5]})  # fmt: skip
    part = parts(read(claim_file({"measure": "length", "a": "gp", "b": "", "datasets": "iris"}))[0])[0]
    found = runs(part, wide({"overfitting": Study(statistics=statistics)}, rows), rows)
    np.testing.assert_array_equal(found.values["length"], [[[1.5]], [[2.5]]])
    assert runs(part, wide({"overfitting": Study()}, rows), rows) is None


@pytest.mark.parametrize(("measure", "counts"), [("diversity_tau_lead", True), ("diversity_tau_order", False)])
def test_without_xgboost_the_surrogates_that_do_without_it_are_compared(rows, claim_file, measure, counts):
    taus = {"tau_lightgbm": 0.65, "tau_forest": 0.5, "tau_performance": 0.26}
    statistics = pd.DataFrame({"dataset": "quake", "repetition": 0, "validation": "holdout", "method": "rs_es",
                               "quantity": list(taus), "value": list(taus.values())})  # fmt: skip
    claim = {"study": "divbo_surrogates", "measure": measure, "a": "rs_es", "b": "", "datasets": "quake"}
    part = parts(read(claim_file(claim))[0])[0]
    found = runs(part, wide({"divbo_surrogates": Study(statistics=statistics)}, rows), rows)
    assert (found is not None) == counts


def test_only_repetitions_that_all_compared_methods_share_count(runs_of, scores):
    torn = scores.query(
        "not (method == 'gp' and dataset == 'iris' and repetition in (1, 3) and validation == 'holdout')"
    )
    found = runs_of(torn)
    assert list(found.repetitions) == [2, 4, 4]
    whole = runs_of(scores)
    np.testing.assert_array_equal(found.values["error"][0, :2], whole.values["error"][0, [0, 2]])
    np.testing.assert_allclose(found.means()["error"][0], whole.values["error"][0, [0, 2]].mean(axis=0))


def test_a_contrast_rests_on_what_both_validations_share(runs_of, scores):
    torn = scores.query("validation == 'holdout' or repetition < 2")
    assert list(runs_of(torn, validations="holdout>kfold").repetitions) == [2, 2, 2]
    assert list(runs_of(torn, validations="holdout").repetitions) == [4, 4, 4]


def test_of_one_data_set_the_repetitions_are_the_units(runs_of, scores):
    found = runs_of(scores, datasets="iris")
    assert found.values["error"].shape == (4, 1, 2)
    assert list(found.repetitions) == [1] * 4
    assert len(set(found.families)) == 4


def test_named_data_sets_alone_count(runs_of, scores):
    assert list(runs_of(scores, datasets="iris monks-2 pima").datasets) == ["iris", "monks-2"]


@pytest.mark.parametrize("change", [{"b": "rs"}, {"datasets": "pima wine"}])
def test_what_shares_nothing_has_no_runs(runs_of, scores, change):
    assert runs_of(scores, **change) is None

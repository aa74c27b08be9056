"""Scores as wide tables: the final and the early checkpoint, variants beside the archive's own, costs of pools."""

import math

import pandas as pd
import pytest

from bayes_hpo.claims.part import Column
from bayes_hpo.claims.study import Study, core_hours, missing, read, wide
from bayes_hpo.data.registry import registry, suite
from bayes_hpo.documents.names import EVIDENCE

GP, GP_PM, RS = (Column("overfitting", "holdout", method) for method in ("gp", "gp_pm", "rs"))


def _scores(dataset="pima", iterations=(6, 24, 30, 100)):
    return pd.DataFrame(
        {
            "dataset": dataset,
            "repetition": 0,
            "validation": "holdout",
            "method": "gp",
            "iteration": iteration,
            "final": iteration == max(iterations),
            "validation_loss": iteration / 2000,
            "test_error": iteration / 1000,
        }
        for iteration in iterations
    )


def test_early_is_the_checkpoint_nearest_to_a_quarter_of_the_budget(rows):
    tables = wide({"overfitting": Study(_scores())}, rows)
    found = {name: table.loc[("pima", 0), GP] for name, table in tables.items() if len(table)}
    assert found == {"error": 0.1, "loss": 0.05, "early error": 0.024, "early loss": 0.012}


def test_scores_without_a_curve_have_no_early_values(rows):
    tables = wide({"overfitting": Study(_scores(iterations=(100,)))}, rows)
    assert tables["error"].shape == (1, 1)
    assert tables["early error"].size == 0


def test_a_variant_stands_beside_the_data_set_that_it_was_made_of(rows):
    studies = {"one": Study(_scores("annealing")), "two": Study(_scores("annealing-repaired"))}
    tables = wide(studies, rows)
    assert list(tables["error"].index) == [("annealing", 0)]
    assert list(tables["error"].columns) == [("one", "holdout", "gp"), ("two", "holdout", "gp")]
    both = {"one": Study(pd.concat([_scores("annealing"), _scores("annealing-repaired")]))}
    assert list(wide(both, rows)["error"].index) == [("annealing", 0), ("annealing-repaired", 0)]


def test_studies_without_scores_have_empty_tables(rows):
    assert {table.size for table in wide({"overfitting": Study()}, rows).values()} == {0}


def test_run_statistics_stand_beside_the_scores_of_their_searches(rows):
    statistics = pd.DataFrame({"dataset": "pima", "repetition": [0, 1], "validation": "holdout", "method": "gp",
                           "quantity": "length", "value": [1.5, 2.5]})  # fmt: skip
    tables = wide({"overfitting": Study(_scores(), statistics=statistics), "other": Study()}, rows)
    assert tables["length"][GP].tolist() == [1.5, 2.5]
    assert tables["zone_distance"].size == 0
    assert tables["error"].loc[("pima", 0), GP] == 0.1


def test_columns_without_any_score_are_missing():
    assert missing([GP, RS], {"overfitting": Study(_scores())}) == [RS]
    assert missing([GP], {"overfitting": Study()}) == [GP]


def test_a_pool_that_methods_share_costs_once():
    pools = {("holdout", "gp"): ("pool", 2.0), ("holdout", "gp_pm"): ("pool", 2.0), ("holdout", "rs"): ("other", 0.5)}
    assert core_hours([GP, GP_PM, RS], {"overfitting": Study(pools=pools)}) == pytest.approx(2.5)


def test_what_a_search_of_another_scale_costs_is_unknown():
    assert math.isnan(core_hours([GP], {}))


@pytest.mark.parametrize("study", ["overfitting", "overfitting_repaired", "esmbo_svm"])
@pytest.mark.parametrize("scale", EVIDENCE)
def test_the_data_sets_of_a_scale_have_the_names_under_which_they_are_paired(grid_of, tmp_path, study, scale):
    """A repaired variant takes the place of its data set, so that one that is missing makes a verdict interim."""
    grid = grid_of(study)
    others = {"scale": scale, "datasets": (), "registered": registry(), "pools": {}, "scored": False, "hint": None}
    design = read(study, grid.cfg["study"], tmp_path, tmp_path, **others).designs[scale]
    assert set(design.datasets) <= set(registry())
    if study == "overfitting_repaired":
        assert len(design.datasets) == 11
        assert set(design.datasets) <= set(suite("overfitting118"))

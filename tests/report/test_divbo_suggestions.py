"""Tables 3 and 4 of divbo2022: what they show of made-up measures."""

import numpy as np
import pandas as pd
import pytest
from divbo_results import THREE, arguments, results_of, suggested

from bayes_hpo.errors import MissingResultsError
from bayes_hpo.report.tables.suggestions import better_than_random, errors_table, updates_table


@pytest.fixture
def results(given, tmp_path):
    return results_of(given, tmp_path)


def random_errors(trials=range(1, 5)):
    """Random trials with errors of 50, 60 and 70 %, and one that has failed."""
    error = {1: 0.5, 2: 0.6, 3: 0.7, 4: np.nan}
    return [row | {"method": "rs_es"} for row in suggested(["divbo"], trials, lambda method, r, t: error[t])]


def test_table_3_has_means_behind_the_random_trials_and_the_share_of_worse_ones(results):
    made = results(THREE, ["quake"], suggestions=suggested(error=lambda method, r, t: 0.55 if t > 5 else 0.0))
    others = results(["rs_es"], ["quake"], study="divbo_surrogates", random_suggestions=random_errors())
    table = errors_table(made, others, **arguments("T3"))
    assert table.cells.loc["DivBO"].tolist() == ["55.00 (0.00)", "44.33 (2.67)", "75", "88"]
    assert table.cells.loc["BO-ES"].tolist() == ["55.00 (0.00)", "44.03 (2.58)", "75", "-"]
    assert any("44.5 %" in note for note in table.notes)


def test_failed_suggestions_are_counted(results):
    """Of the trials from 6 to 10 of two repetitions, the last one fails."""
    made = results(THREE, ["quake"], suggestions=suggested(error=lambda method, r, t: np.nan if t == 10 else 0.5))
    others = results(["rs_es"], ["quake"], study="divbo_surrogates", random_suggestions=random_errors())
    notes = errors_table(made, others, **arguments("T3")).notes
    assert "Failed, and so left out: BO-ES 2 of 10, RB-ES 2 of 10, DivBO 2 of 10 trials." in notes


def test_methods_are_compared_in_the_repetitions_that_all_of_them_have(results):
    rows = suggested(error=lambda method, r, t: 0.55)
    more = suggested(["divbo"], error=lambda method, r, t: 0.15)
    made = results(THREE, ["quake"], suggestions=[*rows, *(row | {"repetition": 7} for row in more)])
    others = results(["rs_es"], ["quake"], study="divbo_surrogates", random_suggestions=random_errors())
    table = errors_table(made, others, **arguments("T3"))
    assert table.cells.loc["DivBO"].iloc[0] == "55.00 (0.00)"


def test_the_spread_of_table_3_has_the_divisor_n_minus_1(results):
    """Of two suggestions with errors of 50 and 60 %, the only ones from trial 6 on."""
    made = results(THREE, ["quake"], suggestions=suggested(trials=[6], error=lambda method, r, t: 0.5 + r / 10))
    others = results(["rs_es"], ["quake"], study="divbo_surrogates", random_suggestions=random_errors())
    table = errors_table(made, others, **arguments("T3"))
    np.testing.assert_allclose(table.values["error_sd"], 10 / np.sqrt(2))
    assert table.cells.loc["DivBO"].iloc[0] == "55.00 (7.07)"


def test_table_3_knows_its_studies_by_their_measures(results):
    made = results(THREE, ["quake"], suggestions=suggested(error=lambda method, r, t: 0.55))
    others = results(["rs_es"], ["quake"], study="divbo_surrogates", random_suggestions=random_errors())
    tables = [errors_table(*studies, **arguments("T3")) for studies in ((made, others), (others, made))]
    pd.testing.assert_frame_equal(tables[0].cells, tables[1].cells)


def test_table_3_needs_the_random_trials(results):
    made = results(THREE, ["quake"], suggestions=suggested(error=lambda method, r, t: 0.55))
    with pytest.raises(MissingResultsError, match="those of another study are needed"):
        errors_table(made, **arguments("T3"))


def test_a_failed_random_trial_is_worse_and_an_equal_one_is_not():
    ours = pd.DataFrame({"repetition": [0, 0, 1], "error": [0.5, np.nan, 0.2]})
    drawn = pd.DataFrame({"repetition": [0, 0, 0, 0, 2], "error": [0.5, 0.4, 0.6, np.nan, 0.9]})
    assert better_than_random(ours, drawn) == 50


def test_a_method_that_costs_most_data_sets_is_left_out_of_table_4(results):
    rows = [
        {"dataset": name, "repetition": 0, "validation": "holdout", "method": method}
        | {"quantity": f"effective_updates_{window}", "value": 2.0}
        for name in ("quake", "wind", "pol")
        for method in (THREE if name == "quake" else [THREE[0], THREE[-1]])
        for window in ("100", "50")
    ]
    made = updates_table(results(THREE, ["quake", "wind", "pol"], suggestion_statistics=rows), **arguments("T4"))
    assert len(made.cells) == 2
    assert any("too few data sets: RB-ES" in note for note in made.notes)


def test_table_4_is_the_mean_over_data_sets_of_means_over_repetitions(results):
    counts = {"quake": {0: 4.0, 1: 2.0}, "wind": {0: 0.0}}
    frame = [
        {"dataset": name, "repetition": r, "validation": "holdout", "method": method}
        | {"quantity": f"effective_updates_{window}", "value": value / (1 + (window == "50"))}
        for name, of_name in counts.items()
        for r, value in of_name.items()
        for method in THREE
        for window in ("100", "50")
    ]
    table = updates_table(results(suggestion_statistics=frame), **arguments("T4"))
    assert table.cells.loc["DivBO"].tolist() == ["1.5", "3.4", "0.8", "1.5"]
    assert table.cells.loc["BO-ES", [("last 100", "publ."), ("last 50", "publ.")]].tolist() == ["1.8", "0.6"]
    assert "Hold-out: 2 data sets, 1 to 2 repetitions." in table.notes

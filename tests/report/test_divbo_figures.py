"""Figures 1 to 7 of divbo2022: what they show of made-up measures and scores."""

import numpy as np
import pandas as pd
import pytest
from divbo_results import DATASETS, LABELS, REPETITIONS, THREE, TRIALS, arguments, results_of, suggested

from bayes_hpo.report.figures import best_so_far as curves
from bayes_hpo.report.figures import ensemble_pairs, sensitivity, suggestions, surrogates
from bayes_hpo.report.results import stand_ins


@pytest.fixture
def results(given, tmp_path):
    return results_of(given, tmp_path)


def validation_error(method, iteration):
    """Better methods further down the list; the error of DivBO rises again in the last three trials."""
    best = 0.5 - list(LABELS).index(method) / 100 - 0.01 * min(iteration, 7)
    return best + 0.2 * (method == "divbo" and iteration > 7)


def errors(methods=tuple(LABELS), datasets=DATASETS, validation_error=validation_error):
    """Rows of the measure selection_errors, the second repetition a hundredth above the first."""
    return [
        {"dataset": name, "repetition": r, "validation": "holdout", "method": method, "iteration": t}
        | {"validation_loss": validation_error(method, t) + r / 100}
        | {"value": 100 * min(validation_error(method, step) + r / 100 for step in range(1, t + 1))}
        for name in datasets
        for method in methods
        for r in REPETITIONS
        for t in TRIALS
    ]


def line(axis, label):
    return next(one for one in axis.lines if one.get_label() == label)


def half_widths(band):
    """(n_steps,) half the height of a band at each step."""
    x, y = band.get_paths()[0].vertices.T
    return np.array([np.ptp(y[x == place]) for place in np.unique(x)]) / 2


def marks(axis):
    """The place of each single mark: color and marker -> its height."""
    return {(one.get_color(), one.get_marker()): one.get_ydata()[0] for one in axis.lines if len(one.get_xdata()) == 1}


def look(axis, label):
    drawn = line(axis, label)
    return drawn.get_color(), drawn.get_marker()


def test_ranks_are_of_the_lowest_error_so_far(results):
    drawing, notes = curves.validation_ranks(results(selection_errors=errors()), **arguments("F3"))
    axis = drawing.axes[0]
    order = list(LABELS)
    for method, label in LABELS.items():
        expected = [10 - order.index(method)] * 10
        np.testing.assert_array_equal(line(axis, label).get_ydata(), expected)
    assert any("DivBO does not have the lowest mean rank at the end." in note for note in notes)
    assert any("Hold-out: 2 data sets, 2 repetitions." in note for note in notes)
    printed = {"RS": 8.72, "BO": 7.21, "DivBO-": 8.22, "RS-ES": 4.30, "NES": 5.82, "EO": 6.65, "DivBO": 1.82}
    assert marks(axis) == {look(axis, label): rank for label, rank in printed.items()}


def test_the_print_stands_beside_the_ranks_of_all_methods_only(results):
    few = ["rs", "divbo_bo", "divbo", "divbo_minus"]
    made = results(selection_errors=errors(few))
    drawing, notes = curves.validation_ranks(made, **arguments("F3"))
    assert not [one for one in drawing.axes[0].lines if len(one.get_ydata()) == 1]
    assert any("4 methods are compared" in note for note in notes)
    assert any("1.82" in note for note in notes)


def test_what_was_scored_but_not_measured_is_named(results):
    measured = [row for row in errors() if row["dataset"] != "wind" or row["method"] not in ("rs", "divbo")]
    _, notes = curves.validation_ranks(results(selection_errors=measured), **arguments("F3"))
    assert "Scored, but without a measured validation error: RS, DivBO on wind." in notes


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ({"a": [1, 2, 1, 1], "b": [2, 1, 2, 2]}, "a has the lowest mean rank from trial 30 on."),
        ({"a": [1, 1, 1, 1], "b": [2, 2, 2, 2]}, "a has the lowest mean rank from trial 10 on."),
        ({"a": [1, 1, 1, 1.5], "b": [2, 2, 2, 1.5]}, "a does not have the lowest mean rank at the end."),
        ({"b": [1, 1, 1, 1], "c": [2, 2, 2, 2]}, "a is not compared."),
    ],
)
def test_a_lead_is_one_that_lasts(ranks, sentence):
    assert curves.leads_from(pd.DataFrame(ranks, index=[10, 20, 30, 40]), "a") == sentence


def test_speed_is_the_trials_that_another_needs_over_those_of_the_leader():
    mean = pd.DataFrame({"divbo": [9, 5, 4, 3], "bo_es": [9, 8, 7, 5], "rs_es": [3, 2, 2, 2]}, index=[1, 2, 3, 4])
    assert curves.speed_up(mean, "divbo", "bo_es") == "2.00"  # trial 4 against trial 2
    assert curves.speed_up(mean, "divbo", "rs_es") == "-"  # never reached
    assert curves.speed_up(mean, "divbo", "rb_es") == "-"


def test_figure_4_has_means_of_running_minima_and_ranks_by_test_error(results):
    drawing, notes = curves.errors_and_test_ranks(results(selection_errors=errors()), **arguments("F4"))
    quake, wind, test = drawing.axes
    assert [axis.get_title() for axis in (quake, wind, test)] == ["quake", "wind", "test"]
    for method in arguments("F4")["methods"]:
        lowest = np.minimum.accumulate([validation_error(method, t) + 0.005 for t in TRIALS])
        np.testing.assert_allclose(line(quake, LABELS[method]).get_ydata(), 100 * lowest)
    for axis in (quake, wind):
        assert len(axis.collections) == len(arguments("F4")["methods"])
        for band in axis.collections:  # two repetitions, a hundredth apart: divisor n - 1
            np.testing.assert_allclose(half_widths(band), 1 / np.sqrt(2))
    ranked = [line(test, LABELS[name]).get_ydata()[-1] for name in ("rs_es", "bo_es", "rb_es", "divbo")]
    assert ranked == [4, 3, 2, 1]
    assert any("BO-ES 1.40" in note for note in notes)  # .38 is reached at trials 7 and 5
    assert notes[0] == "Errors: quake (2 repetitions); wind (2 repetitions)."


def test_figure_4_names_the_methods_that_a_panel_lacks(results):
    few = ["rs_es", "bo_es", "divbo"]
    measured = [row for row in errors(few) if row["dataset"] == "quake" or row["method"] != "divbo"]
    _, notes = curves.errors_and_test_ranks(results(few, selection_errors=measured), **arguments("F4"))
    lacks = "quake (2 repetitions) without EO, NES, RB-ES; wind (2 repetitions) without EO, NES, RB-ES, DivBO"
    assert notes[0] == f"Errors: {lacks}."
    assert notes[1].startswith("Ranks: hold-out: 2 data sets")
    assert "Scored, but without a measured validation error: DivBO on wind." in notes


def test_others_stand_in_for_absent_data_sets_one_each(results):
    made = results(datasets=["wine", "cancer", "wind"], selection_errors=[])
    assert stand_ins(made, ["quake", "wind"]) == [("wine", "wine, in place of quake"), ("wind", "wind")]
    assert [name for name, _ in stand_ins(made, ["quake", "pol"])] == ["wine", "cancer"]
    alone = results(datasets=["wine"], study="alone")
    assert [name for name, _ in stand_ins(alone, ["quake", "wind"])] == ["wine", "wine"]


def test_late_suggestions_are_those_behind_the_reference(results):
    made = results(THREE, ["quake"], suggestions=suggested())
    drawing, notes = suggestions.from_reference(made, **arguments("F1"))
    ours = line(drawing.axes[0], "DivBO")
    assert (list(ours.get_xdata()), list(ours.get_ydata())) == ([9, 10], [0.2, 0.2])
    assert any("iteration 8, as the text has it" in note for note in notes)
    assert any("44.5 %" in note for note in notes)
    drawing, notes = suggestions.by_iteration(made, **arguments("F5"))
    left, right = drawing.axes
    assert list(line(left, "RB-ES").get_xdata()) == [8, 9, 10]
    np.testing.assert_allclose(line(left, "RB-ES").get_ydata(), 0.25)
    np.testing.assert_allclose(line(right, "RB-ES").get_ydata(), 40.5)
    tie = "Candidates that share the best expected improvement after t trials, median over repetitions: "
    assert tie + "BO-ES 4942 (t = 5); DivBO 4942 (t = 5)." in notes  # of ten trials; a bandit has no one surrogate


def test_the_mean_diversity_is_of_the_iterations_behind_the_reference_in_both_figures(results):
    rows = [
        row | {"diversity": row["iteration"] / 10, "reference_diversity": row["iteration"] / 10} for row in suggested()
    ]
    made = results(THREE, ["quake"], suggestions=rows)
    expected = "Minimum diversity, mean over iterations 9 to 10: BO-ES 0.950, RB-ES 0.950, DivBO 0.950."
    for draw, name in ((suggestions.from_reference, "F1"), (suggestions.by_iteration, "F5")):
        assert expected in draw(made, **arguments(name))[1]


def test_failed_suggestions_are_counted(results):
    made = results(THREE, ["quake"], suggestions=suggested(error=lambda method, r, t: np.nan if t == 9 else 0.1))
    for draw, name in ((suggestions.from_reference, "F1"), (suggestions.by_iteration, "F5")):
        assert (
            "Failed, and so left out: BO-ES 2 of 4, RB-ES 2 of 4, DivBO 2 of 4 trials."
            in draw(made, **arguments(name))[1]
        )


def test_a_method_that_was_not_measured_is_named(results):
    made = results(THREE, ["quake"], suggestions=suggested(["bo_es", "divbo"]))
    drawing, notes = suggestions.by_iteration(made, **arguments("F5"))
    assert [one.get_label() for one in drawing.axes[0].lines] == ["BO-ES", "DivBO"]
    assert "Left out, not measured: RB-ES." in notes


def pairs():
    """Rows of the measure ensemble_pairs: three members, of which the last two differ most."""
    values = {(2, 5): 0.1, (2, 9): 0.2, (5, 9): 0.6}
    both = values | {pair[::-1]: value for pair, value in values.items()} | {(t, t): 0.0 for t in (2, 5, 9)}
    return [
        {"dataset": "quake", "repetition": r, "validation": "holdout", "method": method, "first": i, "second": j}
        | {"diversity": value, "disagreement": value / 2}
        for (i, j), value in both.items()
        for method in THREE
        for r in REPETITIONS
    ]


def test_the_heat_map_is_symmetric_and_in_order_of_observation(results):
    made = results(THREE, ["quake"], ensemble_pairs=pairs())
    drawing, notes = ensemble_pairs.heat_maps(made, **arguments("F6"))
    for axis in drawing.axes[:3]:
        drawn = axis.images[0].get_array()
        np.testing.assert_array_equal(drawn, drawn.T)
        np.testing.assert_array_equal(drawn, [[0, 0.1, 0.2], [0.1, 0, 0.6], [0.2, 0.6, 0]])
    assert any("BO-ES 0.150 (0.300)" in note for note in notes)


def test_figure_2_has_our_means_and_the_printed_ends(results):
    taus = [
        {"dataset": name, "repetition": r, "validation": "holdout", "method": "rs_es", "surrogate": one}
        | {"observations": n, "value": n / 1000 + r / 10}
        for name in DATASETS
        for one in ("lightgbm", "forest", "performance")
        for n in (10, 250)
        for r in REPETITIONS
    ]
    made = results(["rs_es"], surrogate_correlations=taus)
    drawing, notes = surrogates.correlations(made, **arguments("F2"))
    for axis, (lightgbm, performance) in zip(drawing.axes, [(0.65, 0.26), (0.58, 0.19)], strict=True):
        np.testing.assert_allclose(line(axis, "LGB").get_ydata(), [0.06, 0.3])
        assert marks(axis) == {look(axis, "LGB"): lightgbm, look(axis, "PRF-p"): performance}
        for band in axis.collections:  # two repetitions, .1 apart: divisor n - 1
            np.testing.assert_allclose(half_widths(band), 0.1 / np.sqrt(2))
        assert len(axis.collections) == 3
    assert any(note.startswith("Left out: XGB; its library was not installed") for note in notes)
    assert any("quake LGB 0.30, PRF 0.30, PRF-p 0.30" in note for note in notes)


def test_figure_2_has_a_panel_for_each_data_set_that_was_measured(results):
    row = {"dataset": "quake", "repetition": 0, "validation": "holdout", "method": "rs_es", "surrogate": "lightgbm"}
    made = results(["rs_es"], ["quake", "wind"], surrogate_correlations=[row | {"observations": 250, "value": 0.5}])
    drawing, notes = surrogates.correlations(made, **arguments("F2"))
    assert [axis.get_title() for axis in drawing.axes] == ["quake"]
    assert any("quake LGB 0.50" in note for note in notes)


def test_figure_7_shows_the_cells_that_were_run(results):
    run = ["divbo", "divbo_tau_1", "divbo_beta_2"]
    made = results(
        ["divbo"],
        ["quake"],
        selection_errors=errors(run, ["quake"], lambda method, t: run.index(method) / 10 + (t < 9) - (t == 9) / 10),
    )
    drawing, notes = sensitivity.accuracies(made, **arguments("F7"))
    drawn = np.ma.filled(drawing.axes[0].images[0].get_array().astype(float), np.nan)
    assert drawn.shape == (4, 4)
    assert drawn[1, 2] == pytest.approx(99.5)  # beta .05, tau .2
    assert drawn[1, 1] == pytest.approx(89.5)
    assert drawn[3, 2] == pytest.approx(79.5)
    assert np.isfinite(drawn).sum() == 3
    assert any("3 of 16 cells were run" in note for note in notes)


def test_the_cells_of_figure_7_are_means_over_the_same_repetitions(results):
    run = ["divbo", "divbo_tau_1"]
    measured = errors(run, ["openml-spambase"], lambda method, t: 0.1 + 0.1 * (t == 9))
    measured = [row for row in measured if row["method"] == "divbo" or row["repetition"] == 0]
    made = results(["divbo"], ["openml-spambase"], selection_errors=measured)
    drawing, notes = sensitivity.accuracies(made, **arguments("F7"))
    drawn = drawing.axes[0].images[0].get_array()
    assert drawn[1, 2] == drawn[1, 1] == pytest.approx(90)  # the second repetition is a point worse
    assert any("1 data set, 1 repetition; 2 of 16 cells" in note for note in notes)
    assert drawing.axes[0].get_title().startswith("spambase:")

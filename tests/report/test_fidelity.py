"""How far our cells are from the printed ones: of runs like the print's, z is standard normal and the sd ratio one."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.documents.catalog import Precision
from bayes_hpo.report.comparison import Comparison
from bayes_hpo.report.fidelity import by_method, sd_ratios, sentences, z_scores

METHODS = [f"method_{number}" for number in range(10)]
DATASETS = [f"data_{number}" for number in range(300)]
PRINT = Precision(repetitions=20, decimals=1)


@pytest.fixture
def drawn():
    """Function: cells of so many runs beside a print, both of runs with the same mean and deviation, rounded."""

    def make(repetitions, shift=0.0, spread=1.0, precision=PRINT, prints_sd=True):
        rng = np.random.default_rng(0)
        shape = len(DATASETS), len(METHODS)
        mean, sd = rng.uniform(1, 40, shape), rng.uniform(0.2, 4, shape)

        def runs(count, times=1.0):
            values = mean + times * sd * rng.standard_normal((count, *shape))
            spreads = values.std(axis=0, ddof=precision.ddof)
            return (pd.DataFrame(one, DATASETS, METHODS) for one in (values.mean(axis=0), spreads))

        own, own_sd = runs(repetitions, spread)
        theirs, their_sd = (part.round(precision.decimals) for part in runs(precision.repetitions))
        if not prints_sd:
            their_sd = their_sd * np.nan
        return Comparison("holdout", own + shift, own_sd, pd.Series(repetitions, DATASETS), theirs, their_sd)

    return make


def rms(values):
    return np.sqrt(np.mean(np.square(values.to_numpy())))


@pytest.mark.parametrize("precision", [PRINT, Precision(repetitions=10, decimals=2), Precision(60, 0)])
@pytest.mark.parametrize("repetitions", [10, 20, 60])
def test_cells_of_the_same_runs_have_z_scores_of_unit_size(drawn, repetitions, precision):
    z = z_scores(drawn(repetitions, precision=precision), precision)
    assert abs(z.to_numpy().mean()) < 0.1
    assert rms(z) == pytest.approx(1.05, abs=0.08)  # quotients of Student's kind: a little above 1


@pytest.mark.parametrize("repetitions", [20, 60])
def test_so_they_have_where_no_deviation_is_printed_and_ours_stands_for_it(drawn, repetitions):
    z = z_scores(drawn(repetitions, prints_sd=False), PRINT)
    assert rms(z) == pytest.approx(1.05, abs=0.08)


def test_a_shift_is_seen_and_has_its_sign(drawn):
    z = z_scores(drawn(20, shift=1.0), PRINT)
    assert z.to_numpy().mean() > 1
    assert rms(z) > 1.8


def test_equal_runs_have_a_finite_score_by_the_rounding_of_the_print(drawn):
    cells = drawn(20)
    nothing = pd.DataFrame(0.0, DATASETS, METHODS)
    same = Comparison("holdout", nothing + 0.05, nothing, cells.repetitions, nothing, nothing)
    assert z_scores(same, PRINT).to_numpy() == pytest.approx(np.sqrt(3))  # half a unit of the last decimal


def test_one_repetition_has_no_standard_error_and_no_deviation(drawn):
    assert z_scores(drawn(1), PRINT).isna().all(axis=None)
    assert sd_ratios(drawn(1), PRINT).isna().all(axis=None)
    assert by_method(drawn(1), PRINT).empty


@pytest.mark.parametrize("repetitions", [10, 20, 60])
@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0])
def test_the_ratio_is_how_many_times_our_runs_spread_as_the_prints_do(drawn, repetitions, spread):
    found = by_method(drawn(repetitions, spread=spread), PRINT)
    assert np.exp(np.log(found["sd_ratio"]).mean()) == pytest.approx(spread, rel=0.045)  # over 3,000 cells
    assert (found["sd_data_sets"] + found["sd_zeros"] == len(DATASETS)).all()


def test_twice_and_half_the_printed_deviation_cancel(drawn):
    cells = drawn(20).without(DATASETS[2:])
    cells.sd.iloc[0], cells.sd.iloc[1] = 2 * cells.published_sd.iloc[0], cells.published_sd.iloc[1] / 2
    np.testing.assert_allclose(by_method(cells, PRINT)["sd_ratio"], 1)


def test_a_deviation_of_zero_has_no_ratio_and_is_counted(drawn):
    cells = drawn(20)
    cells.sd.iloc[:3, 0] = 0.0
    cells.published_sd.iloc[2:7, 0] = 0.0
    row = by_method(cells, PRINT).loc["method_0"]
    assert (row["sd_data_sets"], row["sd_zeros"], row["data_sets"]) == (293, 7, 300)
    assert np.isfinite(row["sd_ratio"])
    assert "without 7 cells in which one of the two is 0" in sentences(cells, PRINT, str)[-1]


def test_scores_and_ratios_do_not_depend_on_the_divisor_of_the_printed_deviations(drawn):
    few = {ddof: Precision(repetitions=5, decimals=9, ddof=ddof) for ddof in (0, 1)}
    for numbers in (z_scores, sd_ratios):
        of_n, of_n_minus_1 = (numbers(drawn(6, precision=one), one) for one in few.values())
        np.testing.assert_allclose(of_n, of_n_minus_1, rtol=1e-6)


def test_one_repetition_is_no_deviation_of_zero(drawn):
    cells = drawn(20)
    cells.sd.iloc[:3, 0] = 0.0
    cells.repetitions.iloc[:5] = 1
    row = by_method(cells, PRINT).loc["method_0"]
    assert (row["sd_data_sets"], row["sd_zeros"], row["data_sets"]) == (295, 0, 295)


def test_the_numbers_of_a_method_are_those_of_its_z_scores(drawn):
    cells = drawn(20)
    cells.mean.loc["data_7", "method_3"] += 100
    row, z = by_method(cells, PRINT).loc["method_3"], z_scores(cells, PRINT)["method_3"]
    assert (row["farthest"], row["farthest_z"]) == ("data_7", z["data_7"])
    assert row["rms_z"] == pytest.approx(np.linalg.norm(z) / np.sqrt(300))
    assert row["mean_z"] == pytest.approx(z.mean())
    said = sentences(cells, PRINT, str)[0]
    assert f"method_3 {row['rms_z']:.2f} ({row['mean_z']:+.2f}; {row['sd_ratio']:.2f})" in said
    assert f"farthest: method_3 on data_7, z {z['data_7']:+.1f}." in said


def test_flagged_data_sets_are_left_out_a_second_time(drawn):
    cells = drawn(20)
    cells.mean.loc["data_7"] += 100
    every, rest, *_ = sentences(cells, PRINT, str, flagged=["absent", "data_7"])
    assert "over 300 data sets" in every
    assert rest.startswith("Without the flagged data_7: method_0 1.")
    assert sentences(cells, PRINT, str, flagged=["absent"]) == sentences(cells, PRINT, str)


def test_where_no_deviation_is_printed_no_ratio_is_told(drawn):
    said = sentences(drawn(20, prints_sd=False), PRINT, str)
    assert "over 300 data sets (mean): " in said[0]
    assert "No standard deviations are printed" in said[-1]


def test_where_nothing_is_printed_nothing_is_said(drawn):
    cells = drawn(20)
    ours = Comparison("holdout", cells.mean, cells.sd, cells.repetitions, cells.mean * np.nan, cells.sd * np.nan)
    assert sentences(ours, PRINT, str) == []

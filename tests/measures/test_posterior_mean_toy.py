"""Laws of the toy problem: what the two rules answer to the same noisy observations."""

import numpy as np
import pytest
from measured import frame

from bayes_hpo.errors import UserError
from bayes_hpo.measures.forrester import forrester

NAME = "posterior_mean_toy"


@pytest.fixture(scope="module")
def rows(grid):
    """The frame of the measure, by kind."""
    return frame(grid, NAME).set_index("kind")


@pytest.fixture(scope="module")
def noiseless(grid):
    """The same without noise, seen by chains that are long enough to notice."""
    selector = grid.cfg["measures"][NAME]["selector"]
    surrogate = selector["surrogate"]
    patient = surrogate | {"hyperparameters": surrogate["hyperparameters"] | {"burn_in": 100, "samples": 5}}
    return frame(grid, NAME, noise=0.0, selector=selector | {"surrogate": patient}).set_index("kind")


def answer(rows, kind):
    """(x, y, true) of one answer."""
    return rows.loc[kind, ["x", "y", "true"]]


def test_the_function_has_the_published_minimum():
    """Forrester, Sobester and Keane (2008): -6.02074 at .757249."""
    x = np.linspace(0, 1, 100_001)
    assert x[forrester(x).argmin()] == pytest.approx(0.757249, abs=1e-5)
    assert 100 * (forrester(x).min() - 0.15) == pytest.approx(-6.02074, abs=1e-5)


def test_without_noise_both_rules_answer_the_minimum_within_the_spacing_of_the_observations(noiseless):
    seen = np.sort(noiseless.loc["observation", "x"])
    after = np.searchsorted(seen, answer(noiseless, "minimum")["x"])
    for kind in ("argmin", "posterior_mean"):
        x, y, true = answer(noiseless, kind)
        assert seen[after - 1] - 1e-9 <= x <= seen[after] + 1e-9
        assert y == pytest.approx(true, abs=0.001)


def test_argmin_answers_the_lowest_observation(rows):
    seen = rows.loc["observation"].sort_values("y")
    assert answer(rows, "argmin").tolist() == seen[["x", "y", "true"]].iloc[0].tolist()


def test_the_posterior_mean_answers_the_lowest_point_of_the_drawn_mean(rows):
    mean = rows.loc["mean"].sort_values("y")
    x, y, _ = answer(rows, "posterior_mean")
    assert y <= mean["y"].iloc[0] + 1e-6
    assert x == pytest.approx(mean["x"].iloc[0], abs=0.005)


def test_the_minimum_is_that_of_the_truth(rows):
    x, y, true = answer(rows, "minimum")
    assert y == true == rows.loc["truth", "y"].min()
    assert x == pytest.approx(0.757, abs=0.002)


def test_true_values_are_the_functions(rows):
    np.testing.assert_array_equal(rows["true"], forrester(rows["x"].to_numpy()))
    np.testing.assert_array_equal(rows.loc["truth", "y"], rows.loc["truth", "true"])


def test_the_noise_scales_with_its_setting(grid, rows):
    twice = frame(grid, NAME, noise=0.06).set_index("kind")
    one, two = (each.loc["observation", "y"] - each.loc["observation", "true"] for each in (rows, twice))
    np.testing.assert_allclose(two, 2 * one)
    assert one.std() == pytest.approx(0.03, rel=0.35)  # of 40 draws
    assert set(rows["noise"]) == {0.03}


def test_the_band_lies_around_the_mean_and_is_narrow_where_noiseless_values_were_seen(noiseless):
    lower, mean, upper = (noiseless.loc[kind, "y"].to_numpy() for kind in ("lower", "mean", "upper"))
    np.testing.assert_allclose((upper + lower) / 2, mean)
    line, seen = (noiseless.loc[kind, "x"].to_numpy() for kind in ("mean", "observation"))
    distance = np.abs(np.subtract.outer(line, seen)).min(axis=1)
    assert (upper - lower)[distance < 0.002].max() < 0.2 * (upper - lower)[distance > 0.02].max()


def test_the_same_study_gives_the_same_frame(grid, rows):
    assert frame(grid, NAME).set_index("kind").equals(rows)


def test_nothing_to_observe_is_one_sentence(grid):
    with pytest.raises(UserError, match=r"measure\.observations=0 must be at least 1 and"):
        frame(grid, NAME, observations=0)
    assert len(frame(grid, NAME, observations=1).query("kind == 'observation'")) == 1

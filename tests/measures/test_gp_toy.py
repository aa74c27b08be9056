"""Laws of the toy Gaussian process: the truth, its observations, the model's line and the next trial."""

import numpy as np
import pytest
from measured import frame

from bayes_hpo.errors import UserError
from bayes_hpo.measures.forrester import forrester

NAME = "gp_toy"


@pytest.fixture(scope="module")
def rows(grid):
    """The frame of the measure, by kind."""
    return frame(grid, NAME).set_index("kind")


def test_the_truth_is_forresters_function_and_observations_are_off_by_the_noise(grid, rows):
    truth = rows.loc["truth"]
    np.testing.assert_array_equal(truth["y"], forrester(truth["x"].to_numpy()))
    one, two = (frame(grid, NAME, noise=noise).set_index("kind").loc["observation"] for noise in (0.01, 0.02))
    np.testing.assert_allclose(two["y"] - forrester(two["x"]), 2 * (one["y"] - forrester(one["x"])))
    assert len(rows.loc["observation"]) == 8


def test_the_band_lies_around_the_mean(rows):
    lower, mean, upper = (rows.loc[kind, "y"].to_numpy() for kind in ("lower", "mean", "upper"))
    np.testing.assert_allclose((upper + lower) / 2, mean)
    assert (upper > lower).all()


def test_the_improvement_is_positive_and_nowhere_on_the_line_far_above_the_next_trials(rows):
    assert (rows.loc["improvement", "y"] >= 0).all()
    assert rows.loc["next", "y"] >= 0.97 * rows.loc["improvement", "y"].max()


def test_the_other_acquisitions_are_a_probability_and_two_deviations_below_the_mean(rows):
    probability, bound = rows.loc["probability", "y"], rows.loc["bound", "y"].to_numpy()
    assert probability.between(0, 1).all()
    lower, mean = (rows.loc[kind, "y"].to_numpy() for kind in ("lower", "mean"))
    assert (bound <= mean).all()
    # The mean of deviations is at most the deviation over samples, which the band has.
    assert (bound >= mean - 2 * (mean - lower) - 1e-12).all()
    improvement, best = rows.loc["improvement", "y"].to_numpy(), rows.loc["observation", "y"].min()
    assert (improvement[probability > 0.5] > 0).all()
    assert ((mean < best) <= (bound < best)).all()


def test_the_same_study_gives_the_same_frame(grid, rows):
    assert frame(grid, NAME).set_index("kind").equals(rows)


def test_too_little_to_observe_is_one_sentence(grid):
    with pytest.raises(UserError, match=r"measure\.observations=1 must be at least 2 and"):
        frame(grid, NAME, observations=1)

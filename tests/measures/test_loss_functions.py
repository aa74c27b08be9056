"""The losses as functions: their values where they are known, and what is impossible."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.measures.loss_functions import LossCurves, LossSurfaces

GRID = SimpleNamespace(owner="ensembles_width")


@pytest.fixture(scope="module")
def curves():
    return LossCurves(points=200, slope=10.0, members=7)(GRID)


@pytest.fixture(scope="module")
def surfaces():
    return LossSurfaces(points=41)(GRID)


def test_all_losses_go_from_one_to_zero(curves):
    for name, part in curves[curves["kind"] == "curve"].groupby("loss"):
        assert part["value"].is_monotonic_decreasing
        assert part["value"].iloc[[0, -1]].tolist() == pytest.approx([1, 0], abs=1e-4), name


def test_an_ensemble_of_seven_has_eight_values(curves):
    marked = curves[curves["kind"] == "possible"].groupby("loss")
    assert set(marked.size()) == {8}
    zero_one = marked.get_group("zero_one")
    assert zero_one["value"].tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
    sigmoid = marked.get_group("sigmoid")["value"].to_numpy()
    np.testing.assert_allclose(sigmoid + sigmoid[::-1], 1)


def test_surfaces_are_blank_where_no_margins_have_the_moments(surfaces):
    """A sample of any margins lies within; where d exceeds (1 - mu1^2) / 2, none does."""
    blank = surfaces["value"].isna()
    assert (blank == (surfaces["disagreement"] > (1 - surfaces["mu1"] ** 2) / 2 + 1e-9)).all()
    assert 0.3 < blank.mean() < 0.4  # a third of the plane: the mean of mu1^2


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_margins_with_these_moments(surfaces, seed):
    M = np.random.default_rng(seed).uniform(-1, 1, 500)
    mu1, mu2 = M.mean(), (M**2).mean()
    near = (surfaces["mu1"] - mu1).abs() + 4 * (surfaces["disagreement"] - (1 - mu2) / 2).abs()
    found = surfaces.assign(near=near).sort_values("near").groupby("loss").first()["value"]
    assert found["squared_margin"] == pytest.approx(((1 - M) ** 2 / 4).mean(), abs=0.03)
    assert found["c_bound"] == pytest.approx((1 - np.sign(mu1) * mu1**2 / mu2) / 2, abs=0.03)


def test_half_a_margin_without_disagreement_is_worth_none_with_the_most(surfaces):
    """Thesis, 4.3.2."""
    at = surfaces[surfaces["loss"] == "squared_margin"].set_index(["mu1", "disagreement"])["value"]
    places = at.index.to_frame().to_numpy()
    value = [at.iloc[np.abs(places - place).sum(axis=1).argmin()] for place in ([0.5, 0], [0, 0.5])]
    assert value == pytest.approx([0.25, 0.25])

"""The toy covariances: what the thesis says of them holds on its sample and on others."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError

GRID = SimpleNamespace(owner="conditional")


@pytest.fixture(scope="module")
def measure(grid_of):
    """The measure of conf/measure/toy_covariances.yaml."""
    return build(grid_of().cfg["measures"]["toy_covariances"], "measure")


def matrices(rows):
    """dict, kernel -> matrix (100, 100), and the choice of each row (100,)."""
    by_kernel = {
        name: part.pivot(index="row", columns="column", values="value").to_numpy()
        for name, part in rows.groupby("kernel")
    }
    return by_kernel, rows.drop_duplicates("row").sort_values("row")["choice"].to_numpy()


@pytest.fixture(scope="module", params=["conditional", "another", "a third"])
def found(measure, request):
    """Matrices and choices of one sample."""
    return matrices(measure(SimpleNamespace(owner=request.param)))


def mean(matrix, roots, one, other):
    block = matrix[np.ix_(roots == one, roots == other)]
    return block[~np.eye(len(block), dtype=bool)].mean() if one == other else block.mean()


def test_every_kernel_is_symmetric_positive_semidefinite_with_a_unit_diagonal(found):
    for matrix in found[0].values():
        assert matrix.shape == (100, 100)
        np.testing.assert_allclose(matrix, matrix.T)
        np.testing.assert_allclose(np.diag(matrix), 1)
        assert np.linalg.eigvalsh(matrix).min() > -1e-9


def test_points_are_sorted_by_their_choice_of_which_the_middle_one_has_half(found):
    roots = found[1]
    assert list(roots) == sorted(roots)
    assert [30 < (roots == name).sum() < 70 for name in "abc"] == [False, True, False]  # the nearest of three values


def test_imputation_raises_the_covariance_within_a_choice_and_leaves_neighbours_confused(found):
    by_kernel, roots = found
    for name in "abc":
        assert mean(by_kernel["imputed"], roots, name, name) > mean(by_kernel["random"], roots, name, name) + 0.1
    for one, other in ("ab", "bc"):
        assert mean(by_kernel["imputed"], roots, one, other) > 0.2
    assert mean(by_kernel["imputed"], roots, "a", "c") < 0.15


def test_the_conditional_kernel_is_zero_between_choices_and_the_kernel_inside(found):
    by_kernel, roots = found
    same = roots[:, None] == roots
    assert (by_kernel["conditional"][~same] == 0).all()
    np.testing.assert_array_equal(by_kernel["conditional"][same], by_kernel["imputed"][same])


def test_the_mondrian_kernel_is_close_to_the_laplace_kernel(found):
    by_kernel, _ = found
    error = np.sqrt(by_kernel["laplace"] * (1 - by_kernel["laplace"]) / 30)
    gap = np.abs(by_kernel["mondrian"] - by_kernel["laplace"])
    assert gap.mean() < 0.1
    assert (gap <= 4.5 * error + 1e-12).mean() > 0.999
    assert set(np.unique(np.round(30 * by_kernel["mondrian"], 9) % 1)) == {0.0}


def test_the_lengths_are_the_printed_ones(measure):
    assert (measure.points, measure.length, measure.laplace_length, measure.partitions) == (100, 0.5, 0.75, 30)
    rows = measure(GRID)
    by_kernel, roots = matrices(rows)
    # Two points of the same choice differ in one coordinate x: exp(-x^2 / .5) and exp(-|x| / .75).
    inside = roots[:, None] == roots
    x = np.sqrt(-0.5 * np.log(by_kernel["imputed"][inside]))
    np.testing.assert_allclose(by_kernel["laplace"][inside], np.exp(-x / 0.75), atol=1e-6)


def test_the_frame_tells_the_settings_of_each_kernel(measure):
    rows = replace(measure, length=0.4, laplace_length=0.6, partitions=7)(GRID)
    settings = rows.drop_duplicates("kernel").set_index("kernel")[["length", "partitions"]]
    assert settings["length"].to_dict() == {
        **dict.fromkeys(("random", "imputed", "conditional"), 0.4),
        **dict.fromkeys(("laplace", "mondrian"), 0.6),
    }
    assert settings["partitions"].to_dict() == {**dict.fromkeys(settings.index, 0), "mondrian": 7}


def test_the_same_study_has_the_same_sample(measure):
    assert measure(GRID).equals(measure(GRID))
    assert not measure(GRID).equals(measure(SimpleNamespace(owner="another")))


@pytest.mark.parametrize("setting", ["points", "length", "laplace_length", "partitions"])
def test_nothing_to_draw_is_refused(grid_of, setting):
    with pytest.raises(UserError, match=rf"measure\.{setting}=0 must be at least"):
        build(grid_of().cfg["measures"]["toy_covariances"] | {setting: 0}, "measure")

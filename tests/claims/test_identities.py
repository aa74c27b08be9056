"""Identities hold for the kernels of the package and are seen to fail for wrong ones."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.claims.identities import FRAMES, IDENTITIES
from bayes_hpo.claims.ledger import ledger
from bayes_hpo.claims.study import Study

CLAIMS = ["F5.2-imputation-cov", "F5.3-cond-zero", "F5.5-mondrian"]


@pytest.fixture(scope="module")
def toys():
    """The committed frame of scale small."""
    return pd.read_parquet("released/conditional/small/measures/toy_covariances.parquet")


def _changed(toys, kernel, change):
    """The frame with change(values (n, n)) in place of a kernel's."""
    own = toys["kernel"] == kernel
    n = toys.loc[own, "row"].max() + 1
    values = toys["value"].copy()
    values[own] = change(values[own].to_numpy().reshape(n, n)).ravel()
    return toys.assign(value=values)


def test_the_packages_kernels_keep_them(toys):
    found = {name: one.function(toys) for name, one in IDENTITIES.items() if FRAMES[name] == "toy_covariances"}
    assert found["imputation_raises_covariance"] >= 0
    assert found["conditions_do_not_covary"] == 0
    assert found["mondrian_error"] > 0


def test_without_imputation_covariances_do_not_rise(toys):
    random = toys.loc[toys["kernel"] == "random", "value"].to_numpy()
    less = _changed(toys, "imputed", lambda k: 0.9 * random.reshape(k.shape))
    assert IDENTITIES["imputation_raises_covariance"].function(less) < 0
    same = _changed(toys, "imputed", lambda k: random.reshape(k.shape))
    assert IDENTITIES["imputation_raises_covariance"].function(same) == -np.inf
    choices = toys[toys["kernel"] == "imputed"].drop_duplicates("row")["choice"].to_numpy()
    apart = _changed(toys, "imputed", lambda k: np.where(choices[:, None] == choices, k, -1e-9))
    assert IDENTITIES["imputation_raises_covariance"].function(apart) < 0


def test_one_covariance_between_conditions_is_seen(toys):
    def leak(matrix):
        matrix = matrix.copy()
        matrix[0, -1] = 1e-12
        return matrix

    assert IDENTITIES["conditions_do_not_covary"].function(_changed(toys, "conditional", leak)) == -1e-12


def test_a_mondrian_kernel_that_is_off_is_seen(toys):
    assert IDENTITIES["mondrian_error"].function(_changed(toys, "mondrian", lambda k: k**2)) < 0


def test_the_ledger_has_them_without_interval(toys, rows):
    frame = ledger({"conditional": Study(toys={"toy_covariances": toys})}, rows, "small").set_index("claim")
    assert set(frame.loc[CLAIMS, "verdict"]) == {"reproduced"}
    assert frame.loc[CLAIMS, ["low", "high", "p", "power"]].isna().all(axis=None)
    assert not frame.loc[CLAIMS, "interim"].any()
    broken = _changed(toys, "conditional", lambda k: k + 1e-6)
    frame = ledger({"conditional": Study(toys={"toy_covariances": broken})}, rows, "small").set_index("claim")
    assert frame.loc["F5.3-cond-zero", "verdict"] == "not reproduced"
    frame = ledger({"conditional": Study()}, rows, "small").set_index("claim")
    assert set(frame.loc[CLAIMS, "verdict"]) == {"not run"}
    assert set(frame.loc[CLAIMS, "note"].str.split("; ").str[-1]) == {"no measure toy_covariances of this scale"}

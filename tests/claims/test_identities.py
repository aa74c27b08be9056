"""Identities hold for the kernels and losses of the package and are seen to fail for wrong ones."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.identities import FRAMES, IDENTITIES
from bayes_hpo.claims.ledger import ledger
from bayes_hpo.claims.study import Study
from bayes_hpo.configuration.build import build

ENSEMBLES = {  # claim -> its statement
    "T4.1-01-blind": "zero_one_is_blind",
    "T4.1-values": "table_4_1_values",
    "T4.2-tradeoff": "losses_trade_off",
    "T4.2-margin-blind": "margin_is_blind",
}
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


@pytest.fixture(scope="module")
def ensembles(grid_of):
    """The frame of conf/measure/toy_ensembles.yaml."""
    return build(grid_of("ensembles_width").cfg["measures"]["toy_ensembles"], "measure")(SimpleNamespace())


def test_the_packages_losses_keep_them(ensembles, rows):
    assert all(IDENTITIES[name].function(ensembles) >= 0 for name in ENSEMBLES.values())
    frame = ledger({"ensembles_width": Study(toys={"toy_ensembles": ensembles})}, rows, "small").set_index("claim")
    assert set(frame.loc[list(ENSEMBLES), "verdict"]) == {"reproduced"}
    assert {one.claim: one.measure for one in read() if one.claim in ENSEMBLES} == ENSEMBLES


@pytest.mark.parametrize(
    ("statement", "of", "column", "value"),
    [
        ("zero_one_is_blind", {"toy": "T4_1", "wrong": "0 0 0"}, "zero_one", 0.5),
        ("zero_one_is_blind", {"toy": "T4_1", "wrong": "1 1 1"}, "c_bound", 0.8),
        ("table_4_1_values", {"toy": "T4_1", "row": "E"}, "sigmoid", 0.99),
        ("losses_trade_off", {"toy": "T4_2", "row": "E+h'1"}, "sigmoid", 0.2),
        ("losses_trade_off", {"toy": "T4_2", "row": "E+h'2"}, "squared_margin", 0.192),
        ("margin_is_blind", {"toy": "T4_2", "wrong": "1 1 0 0 0"}, "margin", 0.41),
    ],
)
def test_one_wrong_loss_is_seen(ensembles, statement, of, column, value):
    at = np.logical_and.reduce([ensembles[name] == wanted for name, wanted in of.items()])
    wrong = ensembles.copy()
    wrong.loc[at, column] = value
    assert at.any()
    assert IDENTITIES[statement].function(wrong) < 0

"""The claims of Shen et al. 2022: each has a row, the printed cells hold what is claimed of them, measures by hand."""

import csv

import numpy as np
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import printed_cells
from bayes_hpo.claims.measure import Side
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.sample import Sample
from bayes_hpo.configuration.options import written
from bayes_hpo.documents import catalog, published

CLAIMS = {claim.claim: claim for claim in read() if claim.document == "divbo2022"}

LABELS = {
    "divbo": {"rs": "RS", "divbo_bo": "BO", "rb": "RB", "divbo_eo": "EO", "nes": "NES", "rs_es": "RS-ES",
              "bo_es": "BO-ES", "rb_es": "RB-ES", "divbo": "DivBO"},
    "divbo_weight": {"divbo": "DivBO", "divbo_fixed_weight": "DivBO (fixed)"},
    "divbo_strategies": {"divbo": "Ensemble selection", "divbo_bagging": "Bagging", "divbo_stacking": "Stacking",
                         "bo_es": "BO-ES (ens_size=25)", "bo_es_100": "BO-ES (ens_size=100)"},
    "divbo_kbo": {"divbo": "DivBO", "rs_es": "RS-ES", "kbo_es": "kBO-ES"},
}  # fmt: skip
TABLES = {"D2-": "T1", "D1-": "T1", "D8-": "T8", "D9-": "T9", "D10": "T10", "D11": "T11"}
OF_CELLS = [name for name in CLAIMS if name[:3] in TABLES]


def value(claim, values):
    """The measure (k,) of a claim whose columns have values: dict, quantity -> (n_datasets, n_columns)."""
    (part,) = parts(claim)
    return part.value(Sample(values, np.full(len(next(iter(values.values()))), 1000)))


def test_every_published_claim_has_a_row():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = {row["id"] for row in csv.DictReader(stream) if row["document"] == "divbo2022"}
    assert len(theirs) == 27
    assert theirs <= set(CLAIMS)
    assert set(CLAIMS) - theirs <= {"D11-kbo-divbo", "D2f-tau-wind", "D2f-order-wind"}  # halves of others


def test_the_primary_one_is_the_pair_that_differs_in_diversity_alone():
    assert [name for name, claim in CLAIMS.items() if claim.tier == "primary"] == ["D2-boes"]
    assert (CLAIMS["D2-boes"].a, CLAIMS["D2-boes"].b) == (("divbo",), ("bo_es",))


@pytest.mark.parametrize("name", OF_CELLS)
def test_the_printed_cells_hold_what_is_claimed(name):
    claim = CLAIMS[name]
    (part,) = parts(claim)
    cells = published.cells("divbo2022", TABLES[name[:3]], LABELS[claim.study])
    mean, _ = printed_cells(part, [cells] * len(part.columns))
    assert len(mean) == (15 if claim.study == "divbo" else 5)
    assert (claim.distances(value(claim, {"error": mean.to_numpy()})) > 0).all()


def test_claims_of_selectors_and_of_the_schedule_are_about_all_data_sets():
    """A study with printed cells is compared on the data sets that have them."""
    for name in ("D8-weight", "D9-es", "D10-size"):
        study = written("study", CLAIMS[name].study)
        assert not study.get("tables")
        assert study["scales"]["small"]["suite"] == "divbo_small"


EVEN, HIGH = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 2.0, 1.0]])


@pytest.mark.parametrize(
    ("name", "quantity", "higher_is_claimed"),
    [
        ("D4t-eff100", "effective_updates_100", True),
        ("D4t-eff50", "effective_updates_50", True),
        ("D5-mindiv", "minimum_diversity", True),
        ("D6-pairdiv", "pair_diversity", True),
        ("D3t-single", "suggestion_error", True),
        ("D3-divbominus", "validation_error", False),
        ("D3-rses", "validation_error", False),
    ],
)
def test_a_run_statistic_counts_on_the_claimed_side(name, quantity, higher_is_claimed):
    """Columns are in the order of a, then of b; BO before DivBO- before RS."""
    holds, fails = (HIGH, EVEN) if higher_is_claimed else (EVEN, HIGH)
    assert (value(CLAIMS[name], {quantity: holds}) > 0).all()
    assert (value(CLAIMS[name], {quantity: fails}) < 0).all()


def test_printed_updates_are_the_excess_over_both():
    found = value(CLAIMS["D4t-eff100"], {"effective_updates_100": np.array([[3.4, 1.8, 2.1]])})
    np.testing.assert_allclose(found, [1.6, 1.3])


def test_ensembles_come_before_single_models_pair_by_pair():
    claim = CLAIMS["D3-nonens"]
    (part,) = parts(claim)
    ranks = {"rs": 8.72, "divbo_bo": 7.21, "divbo_minus": 8.22, "rs_es": 4.3, "bo_es": 3.0, "divbo": 1.82}
    errors = np.array([[ranks[column.method] for column in part.columns]] * 3)
    np.testing.assert_allclose(value(claim, {"validation_error": errors}), [100] * 9)
    assert {(part.columns[a].method, part.columns[b].method) for a, b in part.pairs} == {
        (one, other) for one in ("rs_es", "bo_es", "divbo") for other in ("rs", "divbo_bo", "divbo_minus")
    }


def test_the_lead_by_validation_error_must_hold_from_trial_100_on():
    names = ["validation_error_100", "validation_error_150", "validation_error_200", "validation_error"]
    claim = CLAIMS["D3-cross100"]
    leading = {name: np.arange(10.0)[None] for name in names}
    assert value(claim, leading).shape == (4 * 9,)
    assert (value(claim, leading) > 0).all()
    for name in names:
        late = leading | {name: np.array([[1.5, 1, 2, 3, 4, 5, 6, 7, 8, 9]])}
        assert (value(claim, late) < 0).sum() == 1
    assert (value(CLAIMS["D3-valrank"], {"validation_error": np.arange(10.0)[None]}) == np.arange(1, 10)).all()


def test_a_head_start_compares_the_early_with_the_final_error():
    final, early = np.array([[1.0, 2.0, 3.0]]), np.array([[2.5, 9.0, 9.0]])
    found = value(CLAIMS["D4-speed"], {"validation_error": final, "validation_error_150": early})
    np.testing.assert_allclose(found, [2.0 - 2.5, 3.0 - 2.5])


def test_autogluon_is_compared_with_the_test_error():
    values = {"error": np.array([[9.01], [10.06], [1.18]]), "autogluon_error": np.array([[9.10], [9.98], [1.23]])}
    claim = CLAIMS["D12-autogluon"]
    assert value(claim, values).item() == pytest.approx(np.median([0.09, -0.08, 0.05, 0.005, 0.07, -0.015]))
    assert (claim.distances(value(claim, values)) > 0).all()


def test_taus_are_compared_within_their_searches():
    taus = {"tau_lightgbm": 0.65, "tau_xgboost": 0.6, "tau_forest": 0.5, "tau_performance": 0.26}
    sample = Sample({name: np.full((4, 1), tau) for name, tau in taus.items()}, np.full(4, 100))
    side = Side((0,), ())
    np.testing.assert_allclose(MEASURES["diversity_tau_lead"].function(sample, side), [0.39])
    np.testing.assert_allclose(MEASURES["diversity_tau_order"].function(sample, side), [0.05, 0.1])


def test_the_share_of_worse_random_configurations_is_a_mean_over_searches():
    claim = CLAIMS["D3t-88"]
    assert value(claim, {"better_than_random": np.array([[0.8], [0.96]])}).item() == pytest.approx(claim.printed[0])


def test_the_errors_of_members_are_close_within_the_margin():
    claim = CLAIMS["D5-avg-err"]
    found = value(claim, {"member_error": np.array([[44.6, 44.7, 44.2]])})
    np.testing.assert_allclose(found, [0.1, -0.4])
    assert (claim.distances(found) > 0).tolist() == [True, False]

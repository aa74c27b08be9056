"""The claims of Shen et al. 2022: who is compared with whom by its text, what is printed of it, measures by hand."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bayes_hpo.claims import power
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import printed_cells
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.sample import Sample
from bayes_hpo.claims.study import read as read_study
from bayes_hpo.claims.verdict import lacks
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


RIVALS = ("rs", "divbo_bo", "rb", "divbo_eo", "nes", "rs_es", "bo_es", "rb_es")  # of table 1
SIDES = {  # claim: a, for which the text claims something over b, data sets if it names some, printed
    "D2-boes": ("divbo", "bo_es", "", None),  # table 2b
    "D2-rses": ("divbo", "rs_es", "", None),  # table 2a
    "D2-rbes": ("divbo", "rb_es", "", None),  # table 2c
    "D1-testrank": ("divbo", "*", "", None),  # table 1: 1.73, the lowest of nine
    "D1-order": ("rb_es", "bo_es", "", None),  # table 1: 2.90, 3.13
    "D1-best10": ("divbo", "rb_es", "", None),  # 4.3: best on 10 and on 3 data sets
    "D3-valrank": ("divbo", "*", "", 2.58 - 1.82),  # figure 3
    "D3-cross100": ("divbo", "*", "", None),  # figure 3
    "D3-nonens": ("rs_es " * 3 + "bo_es " * 3 + "divbo " * 3, "rs divbo_bo divbo_minus " * 3, "", None),  # 4.3
    "D3-divbominus": ("divbo_bo divbo_minus", "divbo_minus rs", "", None),  # 4.3: 7.21 < 8.22 < 8.72
    "D3-rses": ("rs_es", "nes divbo_eo", "", None),  # 4.3: 4.30 < 5.82, 6.65
    "D4-speed": ("divbo", "bo_es rb_es", "", None),  # 4.3: fewer iterations
    "D4t-eff100": ("divbo", "bo_es rb_es", "", min(3.4 - 1.8, 3.4 - 2.1)),  # table 4
    "D4t-eff50": ("divbo", "bo_es rb_es", "", min(1.5 - 0.6, 1.5 - 0.8)),  # table 4
    "D5-mindiv": ("divbo", "bo_es rb_es", "", 0.23 - 0.05),  # figure 5
    "D5-avg-err": ("divbo", "bo_es rb_es", "quake", None),  # figure 5: about 44.60 for all
    "D3t-single": ("divbo", "bo_es rb_es", "quake", min(44.33 - 44.03, 44.33 - 43.85)),  # table 3, D28
    "D3t-88": ("divbo", "", "quake", 0.88),  # 4.3, D28
    "D6-pairdiv": ("divbo", "bo_es rb_es", "", None),  # figure 6: more diverse
    "D8-weight": ("divbo", "divbo_fixed_weight", "", None),  # table 8
    "D9-es": ("divbo", "divbo_bagging divbo_stacking", "", None),  # table 9
    "D10-size": ("bo_es", "bo_es_100", "", None),  # table 10: 100 is worse
    "D11-kbo": ("kbo_es", "rs_es", "", None),  # table 11
    "D11-kbo-divbo": ("divbo", "kbo_es", "", None),  # table 11
    "D12-autogluon": ("divbo", "", "elevators house_8L pol quake wind", None),  # table 12
    "D2f-tau": ("rs_es", "", "quake", 0.65 - 0.26),  # 4.2, the first of its two data sets
    "D2f-order": ("rs_es", "", "quake", None),
    "D2f-tau-wind": ("rs_es", "", "wind", 0.58 - 0.19),
    "D2f-order-wind": ("rs_es", "", "wind", None),
    "D7-beta": ("divbo", "divbo_beta_2", "", None),  # A.5: .2 lowers the accuracy
}


def value(claim, values):
    """The measure (k,) of a claim whose columns have values: dict, quantity -> (n_datasets, n_columns)."""
    (part,) = parts(claim)
    return part.value(Sample(values, np.full(len(next(iter(values.values()))), 1000)))


def value_of(claim, **quantities):
    """The same on one data set: quantity -> (dict, method -> value)."""
    (part,) = parts(claim)
    return value(
        claim, {name: np.array([[of[column.method] for column in part.columns]]) for name, of in quantities.items()}
    )


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_compares_what_its_text_does_on_the_data_sets_of_its_text(name):
    claim, (a, b, datasets, printed) = CLAIMS[name], SIDES[name]
    assert (claim.a, claim.b) == (tuple(a.split()), tuple(b.split()))
    assert claim.datasets == tuple(datasets.split())
    assert claim.printed == (() if printed is None else (pytest.approx(printed),))


def test_ranks_are_among_nine_methods_in_test_and_ten_in_validation():
    for name in ("D1-testrank", "D1-order", "D1-best10"):
        assert CLAIMS[name].field == (*RIVALS, "divbo")
    for name in ("D3-valrank", "D3-cross100"):
        assert CLAIMS[name].field == (*RIVALS, "divbo", "divbo_minus")


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
        suites = {scale: study["scales"][scale]["suite"] for scale in ("small", "paper")}
        assert suites == {"small": "divbo_small", "paper": "divbo15"}


@pytest.fixture(scope="module")
def powers_of(grid_of):
    """Function: (claim, factor of the printed deviations, number of experiments) -> its Power by scale, as composed."""

    def powers(name, factor=1.0, count=20):
        (part,) = parts(CLAIMS[name])
        grid, nowhere = grid_of(part.study, "small"), Path("nowhere")
        of_grid = {"datasets": grid.datasets, "registered": grid.registered, "pools": {}, "scored": False, "hint": None}
        study = read_study(part.study, grid.cfg["study"], nowhere, nowhere, scale="small", **of_grid)
        printed = {where: (mean, factor * sd) for where, (mean, sd) in study.printed.items()}
        study = replace(study, printed=printed)
        return {
            scale: power.of_part(part, design, study, grid.registered, count=count)
            for scale, design in study.designs.items()
        }

    return powers


def test_the_primary_claim_has_its_power_at_six_repetitions_without_more_noise_than_the_print(powers_of):
    both = powers_of("D2-boes", count=1000)
    assert both["small"].value == pytest.approx(0.8, abs=0.04)
    assert both["paper"].value == pytest.approx(0.9, abs=0.04)
    assert powers_of("D2-boes", factor=10, count=1000) == both  # table 1's cells fit five repetitions (D2)


def test_claims_for_which_no_scale_offers_enough_are_undecidable_by_design(powers_of):
    powers = {name: powers_of(name) for name in CLAIMS if name[:3] not in ("D1-", "D2-")}  # of table 1: simulated
    never = {name for name, by_scale in powers.items() if {one.value for one in by_scale.values()} == {0}}
    assert never == {"D11-kbo", "D11-kbo-divbo", "D12-autogluon", "D7-beta"}
    assert all(lacks(power.best(powers[name]).high) for name in never)
    of_one = [name for name, claim in CLAIMS.items() if len(claim.datasets) == 1]
    assert {powers[name]["small"].value for name in of_one} == {0}  # six repetitions
    for name in ("D8-weight", "D9-es", "D10-size", "D4-speed", *of_one):  # at paper ten repetitions
        assert np.isnan(power.best(powers[name]).value)


def test_no_note_gives_a_verdict():
    """The rules do, by the power at every scale; a note may say how large that is."""
    assert not [claim.claim for claim in read() if "undecidable" in claim.note]


OF_FIGURE_3 = {"rs": 8.72, "divbo_bo": 7.21, "divbo_minus": 8.22, "rs_es": 4.3, "nes": 5.82, "divbo_eo": 6.65,
               "divbo": 1.82}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "quantity", "of_text"),
    [
        ("D4t-eff100", "effective_updates_100", {"divbo": 3.4, "bo_es": 1.8, "rb_es": 2.1}),
        ("D4t-eff50", "effective_updates_50", {"divbo": 1.5, "bo_es": 0.6, "rb_es": 0.8}),
        ("D5-mindiv", "minimum_diversity", {"divbo": 0.23, "bo_es": 0.05, "rb_es": 0.05}),
        ("D3t-single", "suggestion_error", {"divbo": 44.33, "bo_es": 44.03, "rb_es": 43.85}),
        ("D6-pairdiv", "pair_diversity", {"divbo": 0.3, "bo_es": 0.2, "rb_es": 0.1}),  # more diverse; lost in print
        ("D7-beta", "validation_error", {"divbo": 5.0, "divbo_beta_2": 6.0}),  # less accurate; lost in print
        ("D3-divbominus", "validation_error", OF_FIGURE_3),
        ("D3-rses", "validation_error", OF_FIGURE_3),
        ("D3-nonens", "validation_error", OF_FIGURE_3 | {"bo_es": 2.58}),
    ],
)
def test_a_run_statistic_counts_on_the_claimed_side(name, quantity, of_text):
    claim, negated = CLAIMS[name], {method: -number for method, number in of_text.items()}
    found = value_of(claim, **{quantity: of_text})
    assert (found > 0).all()
    assert (value_of(claim, **{quantity: negated}) < 0).all()
    if claim.printed:
        assert found.min() == pytest.approx(claim.printed[0])


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
    claim, others = CLAIMS["D3-cross100"], [*RIVALS, "divbo_minus"]
    first = {"divbo": 0.0} | {method: float(rank) for rank, method in enumerate(others, start=1)}
    leading = dict.fromkeys(names, first)
    assert value_of(claim, **leading).shape == (4 * 9,)
    assert (value_of(claim, **leading) > 0).all()
    for name in names:
        assert (value_of(claim, **leading | {name: first | {"divbo": 1.5}}) < 0).sum() == 1
    assert sorted(value_of(CLAIMS["D3-valrank"], validation_error=first)) == list(range(1, 10))


def test_a_head_start_compares_the_early_with_the_final_error():
    final, early = {"divbo": 1.0, "bo_es": 2.0, "rb_es": 3.0}, {"divbo": 2.5, "bo_es": 9.0, "rb_es": 9.0}
    found = value_of(CLAIMS["D4-speed"], validation_error=final, validation_error_150=early)
    np.testing.assert_allclose(found, [2.0 - 2.5, 3.0 - 2.5])


def test_autogluon_is_compared_with_the_test_error():
    values = {"error": np.array([[9.01], [10.06], [1.18]]), "autogluon_error": np.array([[9.10], [9.98], [1.23]])}
    claim = CLAIMS["D12-autogluon"]
    assert value(claim, values).item() == pytest.approx(np.median([0.09, -0.08, 0.05, 0.005, 0.07, -0.015]))
    assert (claim.distances(value(claim, values)) > 0).all()


@pytest.mark.parametrize(("name", "lightgbm", "performance"), [("D2f-tau", 0.65, 0.26), ("D2f-tau-wind", 0.58, 0.19)])
def test_taus_are_compared_within_their_searches(name, lightgbm, performance):
    taus = {"tau_lightgbm": {"rs_es": lightgbm}, "tau_performance": {"rs_es": performance}}
    assert value_of(CLAIMS[name], **taus) == [pytest.approx(CLAIMS[name].printed[0])]


def test_lightgbm_comes_before_xgboost_and_that_before_a_forest():
    taus = {"tau_lightgbm": {"rs_es": 0.65}, "tau_xgboost": {"rs_es": 0.6}, "tau_forest": {"rs_es": 0.5}}
    for name in ("D2f-order", "D2f-order-wind"):
        np.testing.assert_allclose(value_of(CLAIMS[name], **taus), [0.05, 0.1])


def test_the_share_of_worse_random_configurations_is_a_mean_over_searches():
    claim = CLAIMS["D3t-88"]
    assert value(claim, {"better_than_random": np.array([[0.8], [0.96]])}).item() == pytest.approx(claim.printed[0])
    (part,) = parts(claim)
    assert part.measure.unit == "share of random configurations"


def test_the_errors_of_members_are_close_within_the_margin():
    claim = CLAIMS["D5-avg-err"]
    found = value_of(claim, member_error={"divbo": 44.6, "bo_es": 44.7, "rb_es": 44.2})
    np.testing.assert_allclose(found, [0.1, -0.4])
    assert (claim.distances(found) > 0).tolist() == [True, False]

"""What stands beside a verdict, one phrase for each reason."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.interval import Bootstrapped
from bayes_hpo.claims.notes import notes
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.sample import MEASURED
from bayes_hpo.claims.study import STATISTIC_COLUMNS, Study
from bayes_hpo.claims.verdict import of_part
from bayes_hpo.configuration.options import options, written

WIDE = 1 / student.ppf(0.975, 40)  # the deviation of an estimate whose interval is +- 1


def evidence(estimate=0.5, published=1.2, units=40, repetitions=(20,) * 40, tests=np.nan, deviation=WIDE):
    """Function of a claim: Evidence of one component, 41 families."""
    return lambda claim: Evidence(
        claim,
        1,
        np.array([estimate]),
        Bootstrapped(np.array([deviation]), 41),
        units,
        repetitions,
        np.array([published]),
        np.array([tests]),
    )


@pytest.fixture
def said(claim_file):
    """Function: the notes on some evidence (function of the claim), of a claim that differs so from the usual one."""

    def phrases(evidence_of, scale="paper", studies=None, power=0.9, **change):
        part = parts(read(claim_file(change))[0])[0]
        found = evidence_of and evidence_of(part.claim)
        studies = {"overfitting": Study()} if studies is None else studies
        return notes(part, found, of_part(part.claim, found, scale), power, studies, scale)

    return phrases


@pytest.mark.parametrize(
    ("change", "phrases"),
    [
        ({}, []),
        ({"published": 1.6}, ["the interval excludes the published size on the same data sets"]),
        ({"estimate": 2.0}, []),
        ({"units": 9}, ["9 data sets: fewer than 10 decide nothing"]),
        ({"units": 1}, ["1 data set: fewer than 10 decide nothing"]),
        (
            {"estimate": 2.0, "repetitions": (1,) * 40},
            ["one repetition: its noise cannot be told from what differs between data sets"],
        ),
    ],
)
def test_remark_on_evidence(said, change, phrases):
    assert said(evidence(**change)) == phrases


def test_low_power_is_told_where_it_is_known(said):
    assert said(evidence(), power=0.3) == ["power below .5: an insignificant result decides nothing"]
    assert said(evidence(), power=np.nan) == []


def test_a_difference_that_the_test_tells_within_the_margin_is_told(said):
    equality = {"kind": "equality", "measure": "hodges_lehmann", "limit": "2"}
    within = {"estimate": 0.5, "deviation": 0.1}
    assert said(evidence(**within, tests=0.3), **equality) == []
    told = "within the margin, but Wilcoxon's test tells a difference (p = 0.011)"
    assert said(evidence(**within, tests=0.011), **equality) == [told]


def test_of_one_data_set_repetitions_are_counted(said):
    few = {"units": 9, "repetitions": (1,) * 9}
    assert said(evidence(**few), datasets="pima") == ["9 repetitions: fewer than 10 decide nothing"]
    assert said(evidence(estimate=2.0, units=10, repetitions=(1,) * 10), datasets="pima") == []


def test_what_differs_in_the_data_is_told_once_and_only_beside_a_result(said):
    substituted = {"overfitting": Study(data_note="other data sets")}
    assert said(evidence(), studies=substituted) == ["other data sets"]
    assert "other data sets" not in said(None, studies=substituted)


def test_a_scale_without_evidence_says_so(said):
    assert said(evidence(), scale="smoke") == ["smoke scale: no evidence"]


def test_why_there_is_no_evidence(said, as_published):
    scores = as_published(["pima"], 1, ["holdout"], ["gp", "gp_r"])
    here = {"overfitting": Study(scores)}
    assert said(None, studies={}) == ["study overfitting has no scale paper"]
    assert said(None) == ["no scores of gp-r (hold-out) in the study overfitting, nor of 1 more"]
    assert said(None, studies=here, b="rs") == ["no scores of rs (hold-out) in the study overfitting"]
    assert said(None, studies=here, datasets="iris") == ["no scores on iris"]
    assert said(None, studies=here) == ["what is compared has no data set and repetition in common"]


COMPARED = ["divbo", "bo_es"]
D6 = {"document": "divbo2022", "study": "divbo", "measure": "pair_diversity_excess", "a": "divbo", "b": "bo_es"}
COMMAND = "python -m bayes_hpo.stages.measure study={} measure={} scale=paper finished=true"


def divbo(scored=COMPARED, measured=(), quantity="pair_diversity", study="divbo", **of):
    """Studies, of which one has such scores and run statistics on quake."""
    row = {"dataset": "quake", "repetition": 0, "validation": "holdout", "quantity": quantity, "value": 0.5}
    scores = pd.DataFrame([row | {"method": method} for method in scored], columns=[*row, "method"])
    statistics = pd.DataFrame([row | of | {"method": method} for method in measured], columns=STATISTIC_COLUMNS)
    return {study: Study(scores, statistics=statistics, labels={"divbo": "DivBO", "bo_es": "BO-ES"})}


@pytest.mark.parametrize("datasets", ["", "quake"])
def test_a_measure_that_was_not_made_is_named_with_its_command(said, datasets):
    claim = D6 | {"datasets": datasets}
    made = COMMAND.format("divbo", "pair_statistics") + " makes it"
    both = "no measure pair_statistics of DivBO (hold-out) in the study divbo, nor of 1 more; "
    assert said(None, studies=divbo(), **claim) == [both + made]
    one = "no measure pair_statistics of BO-ES (hold-out) in the study divbo; "
    assert said(None, studies=divbo(measured=["divbo"]), **claim) == [one + made]
    assert said(None, studies=divbo(measured=COMPARED, value=np.nan), **claim) == [both + made]
    none_in_common = ["what is compared has no data set and repetition in common"]
    assert said(None, studies=divbo(measured=COMPARED), **claim) == none_in_common


def test_a_measure_of_other_data_sets_than_those_of_the_claim_was_not_made_for_it(said):
    on_wind = divbo(measured=COMPARED, dataset="wind")
    (phrase,) = said(None, studies=on_wind, **D6, datasets="quake")
    assert phrase.startswith("no measure pair_statistics of DivBO (hold-out) in the study divbo, nor of 1 more; ")


def test_scores_are_missed_before_measures(said):
    one = ["no scores of BO-ES (hold-out) in the study divbo"]
    assert said(None, studies=divbo(["divbo"]), **D6) == one
    assert said(None, studies=divbo(), **D6, datasets="wind") == ["no scores on wind"]


def test_what_a_measure_left_out_is_named(said):
    """As the surrogate that needs xgboost, where that is not installed."""
    claim = D6 | {"study": "divbo_surrogates", "measure": "diversity_tau_order", "a": "divbo", "b": ""}
    without = divbo(measured=["divbo"], quantity="tau_lightgbm", study="divbo_surrogates")
    without["divbo_surrogates"].statistics.loc[1] = without["divbo_surrogates"].statistics.loc[0]
    without["divbo_surrogates"].statistics.loc[1, "quantity"] = "tau_forest"
    start = "no measure surrogate_correlations (tau_xgboost) of DivBO (hold-out) in the study divbo_surrogates; "
    made = COMMAND.format("divbo_surrogates", "surrogate_correlations") + " makes it"
    assert said(None, studies=without, **claim) == [start + made]


def test_measures_of_claims_are_those_of_their_studies():
    assert set(MEASURED) <= set(options("measure"))
    for part in [part for claim in read() if not claim.is_identity for part in parts(claim)]:
        asked = {name for name, quantities in MEASURED.items() if set(quantities) & set(part.measure.quantities)}
        for study in {column.study for column in part.columns}:
            assert asked <= set(written("study", study).get("measures", [])), part.claim.claim


def test_methods_of_claims_have_labels_where_their_document_calls_them_otherwise():
    for part in [part for claim in read() if claim.document == "divbo2022" for part in parts(claim)]:
        assert {column.method for column in part.columns} <= set(written("study", part.study)["labels"])

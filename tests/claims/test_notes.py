"""What stands beside a verdict, one phrase for each reason."""

import numpy as np
import pytest
from scipy.stats import t as student

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.interval import Bootstrapped
from bayes_hpo.claims.notes import notes
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.power import Power
from bayes_hpo.claims.study import Study
from bayes_hpo.claims.verdict import of_part

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
        return notes(part, found, of_part(part.claim, found, scale), {scale: Power(power)}, studies, scale)

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
    assert said(None) == ["no scores of gp-r (hold-out) of overfitting and 1 more"]
    assert said(None, studies=here, b="rs") == ["no scores of rs (hold-out) of overfitting"]
    assert said(None, studies=here, datasets="iris") == ["no scores on iris"]
    assert said(None, studies=here) == ["what is compared has no data set and repetition in common"]

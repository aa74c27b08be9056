"""What stands beside a verdict, one phrase for each reason."""

from dataclasses import replace

import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.remarks import remarks
from bayes_hpo.claims.study import Study
from bayes_hpo.claims.verdict import of_part

EVIDENCE = Evidence(0.5, 1.0, published=1.2, power=0.9, units=40, repetitions=(20,) * 40)


@pytest.fixture
def said(claim_file):
    """Function: the remarks on some evidence, of a claim that differs so from the usual one."""

    def phrases(evidence, scale="paper", studies=None, **change):
        part = parts(read(claim_file(change))[0])[0]
        found = of_part(part.claim, evidence, scale)
        return remarks(part, evidence, found, {"overfitting": Study()} if studies is None else studies, scale)

    return phrases


@pytest.mark.parametrize(
    ("change", "phrases"),
    [
        ({}, ["insignificant at this power"]),
        ({"power": 0.3}, ["power below .5: an insignificant result decides nothing"]),
        ({"published": 1.6}, ["insignificant at this power", "the interval excludes the published size"]),
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
    assert said(replace(EVIDENCE, **change)) == phrases


def test_of_one_data_set_repetitions_are_counted(said):
    few = replace(EVIDENCE, units=9, repetitions=(1,) * 9)
    assert said(few, datasets="pima") == ["9 repetitions: fewer than 10 decide nothing"]
    assert said(replace(few, units=10, estimate=2.0), datasets="pima") == []


def test_a_scale_without_evidence_says_so(said):
    assert said(EVIDENCE, scale="smoke") == ["smoke scale: no evidence"]


def test_why_there_is_no_evidence(said, as_published):
    scores = as_published(["pima"], 1, ["holdout"], ["gp", "gp_r"])
    here = {"overfitting": Study(scores)}
    assert said(None, studies={}) == ["study overfitting has no scale paper"]
    assert said(None) == ["no scores of gp-r (hold-out) of overfitting and 1 more"]
    assert said(None, studies=here, b="rs") == ["no scores of rs (hold-out) of overfitting"]
    assert said(None, studies=here, datasets="iris") == ["no scores on iris"]
    assert said(None, studies=here) == ["what is compared has no data set and repetition in common"]

"""The verdicts of DESIGN, section 10, one case each."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.verdict import FROM_WEAKEST, concludes, of_claim, of_part

EVIDENCE = Evidence(2.0, 1.0, published=2.5, power=0.9, units=40, repetitions=(20,) * 40)


@pytest.fixture
def claim_of(claim_file):
    """Function: a claim of this kind with this limit."""
    return lambda kind, limit="": read(claim_file({"kind": kind, "limit": limit}))[0]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "reproduced"),
        ({"published": np.nan}, "reproduced"),
        ({"published": 3.1}, "smaller than published"),
        ({"published": 0.9}, "larger than published"),
        ({"estimate": -2.0}, "not reproduced"),
        ({"estimate": 0.5}, "inconclusive"),
        ({"estimate": 0.5, "published": 9.0}, "inconclusive"),  # nothing but the interval establishes a direction
        ({"estimate": -0.5, "power": 0.1}, "inconclusive"),
        ({"estimate": 0.0, "half_width": 0.0}, "inconclusive"),
        ({"units": 9}, "inconclusive"),
        ({"units": 9, "estimate": -2.0}, "inconclusive"),
        ({"half_width": np.nan}, "inconclusive"),
    ],
)
def test_verdict_on_a_direction(claim_of, change, verdict):
    assert of_part(claim_of("direction"), replace(EVIDENCE, **change), "paper") == verdict


@pytest.mark.parametrize(
    ("estimate", "half_width", "verdict"),
    [
        (0.05, 0.09, "reproduced"),
        (-0.05, 0.09, "reproduced"),
        (0.0, 0.0, "reproduced"),
        (0.05, 0.11, "inconclusive"),
        (0.0, 5.0, "inconclusive"),
        (-0.3, 0.1, "not reproduced"),
        (0.3, 0.1, "not reproduced"),
        (0.3, 0.2, "inconclusive"),
    ],
)
def test_verdict_on_equality(claim_of, estimate, half_width, verdict):
    evidence = replace(EVIDENCE, estimate=estimate, half_width=half_width, published=9.0)
    assert of_part(claim_of("equality"), evidence, "paper") == verdict


def test_a_threshold_moves_the_direction(claim_of):
    claim = claim_of("direction", "1.5")
    assert of_part(claim, EVIDENCE, "paper") == "inconclusive"
    assert of_part(claim, replace(EVIDENCE, half_width=0.4, published=2.2), "paper") == "reproduced"
    assert of_part(claim, replace(EVIDENCE, estimate=1.0, half_width=0.4), "paper") == "not reproduced"


@pytest.mark.parametrize("scale", ["toy", "smoke"])
def test_a_scale_without_evidence_fills_no_verdict(claim_of, scale):
    assert of_part(claim_of("direction"), EVIDENCE, scale) == "not run"


def test_without_evidence_nothing_was_run(claim_of):
    assert of_part(claim_of("direction"), None, "paper") == "not run"


def test_many_estimates_conclude_as_each(claim_of):
    assert list(concludes(claim_of("direction"), np.array([2.0, 0.5]), 1.0)) == [True, False]
    assert list(concludes(claim_of("equality"), np.array([0.1, -0.12]), 0.04)) == [True, False]


def test_a_claim_has_the_verdict_of_its_weakest_part():
    assert of_claim(["reproduced", "reproduced"]) == "reproduced"
    assert of_claim(["reproduced", "smaller than published"]) == "smaller than published"
    assert of_claim(["smaller than published", "inconclusive"]) == "inconclusive"
    for other in FROM_WEAKEST:
        assert of_claim(["not reproduced", other]) == "not reproduced"

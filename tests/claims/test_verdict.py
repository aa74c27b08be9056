"""The verdicts of docs/statistics.md, one case each."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.interval import GUARD, Bootstrapped
from bayes_hpo.claims.verdict import FROM_WEAKEST, is_open, lacks, levels, of_claim, of_part

FAMILIES = 41
QUANTILES = {"direction": student.ppf(0.975, 40), **dict.fromkeys(["equality", "closeness"], student.ppf(0.95, 40))}


@pytest.fixture
def claim_of(claim_file):
    """Function: a claim of this kind with this limit."""
    return lambda kind, limit="": read(claim_file({"kind": kind, "limit": limit}))[0]


@pytest.fixture
def evidence_of(claim_of):
    """Function: Evidence of components with these estimates and half intervals (lists), at the claim's own level."""

    def make(estimates, widths, claim=None, needed=None, tests=np.nan, published=np.nan, **fields):
        claim, count = claim or claim_of("direction"), len(estimates)
        usual = {"units": 45, "repetitions": (20,) * 45}
        return Evidence(
            claim=claim,
            needed=needed or count,
            estimates=np.array(estimates, float),
            interval=Bootstrapped(np.array(widths, float) / QUANTILES[claim.kind], FAMILIES),
            all_published=np.full(count, published),
            tests=np.full(count, tests),
            **usual | fields,
        )

    return make


def verdict_of(evidence, scale="paper", power=np.nan):
    return of_part(evidence.claim, evidence, scale, power)


@pytest.mark.parametrize(
    ("estimate", "width", "change", "verdict"),
    [
        (2.0, 1.0, {"published": 2.5}, "reproduced"),
        (2.0, 1.0, {}, "reproduced"),
        (2.0, 1.0, {"published": 3.1}, "smaller than published"),
        (2.0, 1.0, {"published": 0.9}, "larger than published"),
        (-2.0, 1.0, {"published": 2.5}, "not reproduced"),
        (0.5, 1.0, {"published": 9.0}, "inconclusive"),  # nothing but the interval establishes a direction
        (0.0, 0.0, {}, "inconclusive"),
        (2.0, 1.0, {"units": 9}, "inconclusive"),
        (-2.0, 1.0, {"units": 9}, "inconclusive"),
        (2.0, np.nan, {}, "inconclusive"),
        (2.0, 1.0, {"tests": 0.01}, "reproduced"),  # a test is for equality only
    ],
)
def test_verdict_on_a_direction(evidence_of, estimate, width, change, verdict):
    assert verdict_of(evidence_of([estimate], [width], **change)) == verdict


@pytest.mark.parametrize(
    ("estimate", "width", "verdict"),
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
def test_verdict_on_equality(evidence_of, claim_of, estimate, width, verdict):
    claim = claim_of("equality", ".15")
    assert verdict_of(evidence_of([estimate], [width], claim, published=9.0)) == verdict


def test_equality_is_not_reproduced_where_the_documents_test_rejects_it(evidence_of, claim_of):
    claim = claim_of("equality", ".15")
    assert verdict_of(evidence_of([0.05], [0.05], claim, tests=0.06)) == "reproduced"
    assert verdict_of(evidence_of([0.05], [0.05], claim, tests=0.04)) == "inconclusive"


def test_what_is_close_may_differ(evidence_of, claim_of):
    claim = claim_of("closeness", ".5")
    assert verdict_of(evidence_of([-0.3], [0.1], claim, tests=0.001)) == "reproduced"
    assert verdict_of(evidence_of([-0.45], [0.1], claim)) == "inconclusive"
    assert verdict_of(evidence_of([-0.7], [0.1], claim)) == "not reproduced"


def test_a_threshold_moves_the_direction(evidence_of, claim_of):
    claim = claim_of("direction", "1.5")
    assert verdict_of(evidence_of([2.0], [1.0], claim)) == "inconclusive"
    assert verdict_of(evidence_of([2.0], [0.4], claim)) == "reproduced"
    assert verdict_of(evidence_of([1.0], [0.4], claim)) == "not reproduced"


def test_a_bound_within_three_monte_carlo_errors_of_its_threshold_decides_nothing(evidence_of):
    assert pytest.approx(1.015) == GUARD
    for width, verdict in ((1 / 1.014, "inconclusive"), (1 / 1.016, "reproduced")):
        assert verdict_of(evidence_of([1.0], [width])) == verdict
    for width, verdict in ((1 / 1.014, "inconclusive"), (1 / 1.016, "not reproduced")):
        assert verdict_of(evidence_of([-1.0], [width])) == verdict


def test_resamples_leave_open_what_twice_their_guard_or_none_would_turn(evidence_of):
    widths = {0.9: False, 1 / 1.04: False, 1 / 1.02: True, 1 / 1.01: True, 1.01: False}
    for width, open_ in widths.items():
        evidence = evidence_of([1.0], [width])
        assert is_open(evidence.claim, evidence) == open_, width


def test_a_power_lacks_below_a_fifth_and_an_unknown_one_does_not():
    assert [lacks(power) for power in (0.199, 0.2, np.nan)] == [True, False, False]


def test_the_published_size_is_excluded_by_the_guarded_interval_and_with_enough_repetitions(evidence_of):
    assert verdict_of(evidence_of([5.0], [1.0], published=6.01)) == "reproduced"
    assert verdict_of(evidence_of([5.0], [1.0], published=6.02)) == "smaller than published"
    assert verdict_of(evidence_of([5.0], [1.0], published=9.0, is_as_precise=False)) == "reproduced"


def test_what_needs_all_is_reproduced_when_each_interval_clears(evidence_of):
    assert verdict_of(evidence_of([2.0, 3.0, 1.5], [1.0, 1.0, 1.0])) == "reproduced"
    assert verdict_of(evidence_of([2.0, 3.0, 0.9], [1.0, 1.0, 1.0])) == "inconclusive"


def test_a_lead_over_many_is_contradicted_by_one_corrected_interval_only(evidence_of):
    rivals = [1.0] * 12
    assert verdict_of(evidence_of([*rivals, -1.2], [1.0] * 13)) == "inconclusive"  # alone it would contradict
    corrected = student.ppf(1 - 0.025 / 13, 40) / QUANTILES["direction"]
    assert verdict_of(evidence_of([*rivals, -1.03 * corrected], [1.0] * 13)) == "not reproduced"


def test_a_majority_needs_its_number_of_corrected_intervals_and_falls_with_as_many(evidence_of):
    corrected = 1.03 * student.ppf(1 - 0.025 / 3, 40) / QUANTILES["direction"]  # of six, three may seem true
    assert verdict_of(evidence_of([corrected] * 4 + [-9, -9], [1.0] * 6, needed=4)) == "reproduced"
    assert verdict_of(evidence_of([corrected] * 3 + [1.1, -9, -9], [1.0] * 6, needed=4)) == "inconclusive"
    against = -1.03 * student.ppf(1 - 0.025 / 4, 40) / QUANTILES["direction"]
    assert verdict_of(evidence_of([against] * 3 + [9, 9, 9], [1.0] * 6, needed=4)) == "not reproduced"
    assert verdict_of(evidence_of([against] * 2 + [0, 9, 9, 9], [1.0] * 6, needed=4)) == "inconclusive"


def test_a_single_component_has_the_level_of_its_claim(claim_of):
    assert levels(claim_of("direction"), 1, 1) == pytest.approx((0.95, 0.95))
    assert levels(claim_of("equality", ".15"), 1, 1) == pytest.approx((0.9, 0.9))


def test_what_no_scale_can_decide_is_undecidable_unless_it_is_decided(evidence_of):
    assert verdict_of(evidence_of([0.5], [1.0]), power=0.19) == "undecidable by design"
    assert verdict_of(evidence_of([0.5], [1.0]), power=0.21) == "inconclusive"
    assert verdict_of(evidence_of([2.0], [1.0]), power=0.1) == "reproduced"
    assert verdict_of(evidence_of([-2.0], [1.0]), power=0.1) == "not reproduced"


@pytest.mark.parametrize("scale", ["toy", "smoke"])
def test_a_scale_without_evidence_fills_no_verdict(evidence_of, scale):
    assert verdict_of(evidence_of([2.0], [1.0]), scale) == "not run"


@pytest.mark.parametrize(("scale", "verdict"), [("smoke", "not run"), ("small", "reproduced")])
def test_an_identity_is_stated_of_scales_with_evidence_only(evidence_of, claim_of, scale, verdict):
    claim = replace(claim_of("direction"), kind="identity")
    assert verdict_of(replace(evidence_of([0.0], [np.nan]), claim=claim), scale) == verdict


def test_without_evidence_nothing_was_run(claim_of):
    assert of_part(claim_of("direction"), None, "paper") == "not run"
    assert of_part(claim_of("direction"), None, "paper", power=0.1) == "undecidable by design"


def test_a_claim_has_the_verdict_of_its_weakest_part():
    assert of_claim(["reproduced", "reproduced"]) == "reproduced"
    assert of_claim(["reproduced", "smaller than published"]) == "smaller than published"
    assert of_claim(["smaller than published", "inconclusive"]) == "inconclusive"
    assert of_claim(["not run", "undecidable by design"]) == "undecidable by design"
    for other in FROM_WEAKEST:
        assert of_claim(["not reproduced", other]) == "not reproduced"


def test_the_deciding_component_is_the_one_that_completes_what_is_needed(evidence_of, claim_of):
    assert evidence_of([2.0, 1.5, 3.0], [1.0, 0.1, 2.9]).deciding == 2  # its interval begins lowest
    assert evidence_of([5.0, 1.0, 3.0], [1.0, 1.0, 1.0], needed=2).deciding == 2
    assert evidence_of([0.05, -0.1], [0.01, 0.01], claim_of("equality", ".15")).deciding == 1


@pytest.mark.parametrize("estimate", [0.3, 1.0, 3.0])
def test_p_is_the_level_at_which_the_interval_touches_the_limit(evidence_of, claim_of, estimate):
    one = evidence_of([estimate], [1.0])
    assert one.interval.widths(1 - one.p)[0] == pytest.approx(estimate)
    margin = evidence_of([0.1], [0.04], claim_of("equality", ".15"))
    assert margin.interval.widths(1 - 2 * margin.p)[0] == pytest.approx(0.05)
    assert evidence_of([estimate, 9.0], [1.0, 1.0]).p == pytest.approx(one.p)  # the least convincing one
    assert replace(evidence_of([estimate] * 4, [1.0] * 4), needed=3).p == pytest.approx(min(1, 2 * one.p))

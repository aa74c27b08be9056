"""The verdict on a part of a claim and on the whole claim (docs/statistics.md)."""

import numpy as np

from bayes_hpo.names import NO_EVIDENCE
from bayes_hpo.stats.wilcoxon import LEVEL

NOT_REPRODUCED, NOT_RUN, INCONCLUSIVE = "not reproduced", "not run", "inconclusive"
UNDECIDABLE = "undecidable by design"
SMALLER, LARGER, REPRODUCED = "smaller than published", "larger than published", "reproduced"
FROM_WEAKEST = (NOT_REPRODUCED, NOT_RUN, UNDECIDABLE, INCONCLUSIVE, SMALLER, LARGER, REPRODUCED)
LEAST_UNITS = 10  # fewer data sets decide nothing
LEAST_POWER, NO_POWER = 0.5, 0.2  # below: an insignificant result says nothing; at no scale is there hope


def shows(claim, estimates, widths):
    """Which components' intervals (estimate +- width) show what the claim says: bool (..., k).

    A direction: the interval lies above the limit. Equality: it lies within the margin.
    """
    return distances(claim, estimates) > widths if claim.is_direction else distances(claim, estimates) >= widths


def denies(claim, estimates, widths):
    """Which lie wholly on the other side: below the limit; for equality, outside the margin."""
    return distances(claim, estimates) < -widths


def distances(claim, estimates):
    """How far estimates (..., k) lie on the claim's side of its limit; negative on the other side."""
    return estimates - claim.limit if claim.is_direction else claim.limit - np.abs(estimates)


def levels(claim, components, needed):
    """Confidence of the intervals (to conclude, to contradict) of each component, of which `needed` must hold.

    With fewer than `needed` true ones, components - needed + 1 are false, of which one must seem true; with `needed`
    true ones, one of them must seem false. Bonferroni's bound on both keeps a false verdict at the level of one.
    """
    alpha = 1 - claim.level
    return 1 - alpha / (components - needed + 1), 1 - alpha / needed


def of_part(claim, evidence, scale, power=np.nan):
    """The verdict on one part of a claim. evidence: Evidence, or None when there is none.

    power: the best of all scales that are offered, NaN when unknown. What the interval leaves open is inconclusive, or
    undecidable by design where no scale has the power.
    """
    if evidence is not None and claim.is_identity:
        return REPRODUCED if evidence.estimate >= claim.limit else NOT_REPRODUCED
    undecided = UNDECIDABLE if power < NO_POWER else INCONCLUSIVE
    if evidence is None or scale in NO_EVIDENCE:
        return UNDECIDABLE if power < NO_POWER else NOT_RUN
    if evidence.units < LEAST_UNITS or not np.isfinite(evidence.interval.widths(claim.level)).all():
        return undecided
    concluding, contradicting = levels(claim, evidence.components, evidence.needed)
    interval = evidence.interval
    against = denies(claim, evidence.estimates, interval.guard * interval.widths(contradicting))
    if against.sum() > evidence.components - evidence.needed:
        return NOT_REPRODUCED
    found = shows(claim, evidence.estimates, interval.guard * interval.widths(concluding))
    if found.sum() < evidence.needed or (claim.kind == "equality" and evidence.p_test < LEVEL):
        return undecided
    if claim.is_direction and evidence.published < evidence.low:
        return LARGER
    if claim.is_direction and evidence.published > evidence.high:
        return SMALLER
    return REPRODUCED


def of_claim(verdicts):
    """The verdict on a claim from those on its parts: the weakest."""
    return min(verdicts, key=FROM_WEAKEST.index)

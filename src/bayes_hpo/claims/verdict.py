"""The verdict on a part of a claim and on the whole claim (DESIGN, section 10)."""

import numpy as np

from bayes_hpo.names import NO_EVIDENCE

NOT_REPRODUCED, NOT_RUN, INCONCLUSIVE = "not reproduced", "not run", "inconclusive"
SMALLER, LARGER, REPRODUCED = "smaller than published", "larger than published", "reproduced"
FROM_WEAKEST = (NOT_REPRODUCED, NOT_RUN, INCONCLUSIVE, SMALLER, LARGER, REPRODUCED)
LEAST_UNITS = 10  # fewer data sets decide nothing
LEAST_POWER = 0.5


def concludes(claim, estimate, half_width):
    """Whether an estimate (...) with such an interval shows what the claim says: bool (...).

    A direction: the interval lies above the limit. Equality: it lies within the margin.
    """
    if claim.kind == "equality":
        return np.abs(estimate) + half_width <= claim.limit
    return estimate - half_width > claim.limit


def contradicts(claim, estimate, half_width):
    """Whether the interval lies wholly on the other side: below the limit; for equality, outside the margin."""
    if claim.kind == "equality":
        return np.abs(estimate) - half_width > claim.limit
    return estimate + half_width < claim.limit


def of_part(claim, evidence, scale):
    """The verdict on one part of a claim. evidence: Evidence, or None when there is none.

    What the interval leaves open is inconclusive, however high the power; the ledger's note then says if the
    published size is excluded.
    """
    if evidence is None or scale in NO_EVIDENCE:
        return NOT_RUN
    found = evidence.estimate, evidence.half_width
    if evidence.units < LEAST_UNITS or not np.isfinite(evidence.half_width):
        return INCONCLUSIVE
    if contradicts(claim, *found):
        return NOT_REPRODUCED
    if not concludes(claim, *found):
        return INCONCLUSIVE
    if claim.kind == "direction" and evidence.published < evidence.low:
        return LARGER
    if claim.kind == "direction" and evidence.published > evidence.high:
        return SMALLER
    return REPRODUCED


def of_claim(verdicts):
    """The verdict on a claim from those on its parts: the weakest."""
    return min(verdicts, key=FROM_WEAKEST.index)

"""The verdict on a part of a claim and on the whole claim (docs/statistics.md)."""

from dataclasses import replace

import numpy as np

from bayes_hpo.documents.names import NO_EVIDENCE, VERDICTS
from bayes_hpo.stats.wilcoxon import LEVEL

REPRODUCED, SMALLER, LARGER, NOT_REPRODUCED, INCONCLUSIVE, UNDECIDABLE, NOT_RUN = VERDICTS
FROM_WEAKEST = (NOT_REPRODUCED, UNDECIDABLE, NOT_RUN, INCONCLUSIVE, SMALLER, LARGER, REPRODUCED)
LEAST_UNITS = 10  # fewer data sets decide nothing
LEAST_POWER = 0.5  # below: an insignificant result says nothing
NO_POWER = 0.2  # below at every scale: undecidable by design
MORE_DRAWS = 5  # times as many, where the draws leave the verdict open


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


def concludes(claim, estimates, widths, needed, tests):
    """Whether enough components show what is claimed (...), and no test (..., k) tells apart what should be equal."""
    shown = shows(claim, estimates, widths).sum(axis=-1) >= needed
    return shown & ~((claim.kind == "equality") & (np.asarray(tests) < LEVEL).any(axis=-1))


def of_part(claim, evidence, scale, power=np.nan):
    """The verdict on one part of a claim. evidence: Evidence, or None when there is none.

    power: what it is at most at any scale that is offered, NaN when unknown. What the interval leaves open is
    inconclusive, or undecidable by design where no scale has the power.
    """
    undecided = UNDECIDABLE if lacks(power) else INCONCLUSIVE
    if evidence is None or scale in NO_EVIDENCE:
        return UNDECIDABLE if lacks(power) else NOT_RUN
    if claim.is_identity:
        return REPRODUCED if evidence.estimate >= claim.limit else NOT_REPRODUCED
    if evidence.units < LEAST_UNITS or not np.isfinite(evidence.interval.widths(claim.level)).all():
        return undecided
    interval, needed = evidence.interval, evidence.needed
    concluding, contradicting = levels(claim, evidence.components, needed)
    against = denies(claim, evidence.estimates, interval.guard * interval.widths(contradicting))
    if against.sum() > evidence.components - needed:
        return NOT_REPRODUCED
    widths = interval.guard * interval.widths(concluding)
    if not concludes(claim, evidence.estimates, widths, needed, evidence.tests):
        return undecided
    return _size(evidence, interval.guard * evidence.half_width) if claim.is_direction else REPRODUCED


def lacks(power):
    """Whether a power, or what it is at most, cannot decide a claim; an unknown one is not lacking."""
    return power < NO_POWER


def is_open(claim, evidence):
    """Whether the resamples leave the verdict open: it would be another one without their guard, or with twice that."""
    if evidence is None or evidence.interval.guard == 1:
        return False
    guards = 1.0, 2 * evidence.interval.guard - 1
    intervals = [replace(evidence.interval, guard=guard) for guard in guards]
    return len({of_part(claim, replace(evidence, interval=interval), "") for interval in intervals}) > 1


def _size(evidence, width):
    """The verdict on a direction that holds: whether the interval excludes the published size.

    That is asked only where as many repetitions are behind ours as behind the print: with fewer, noise makes ranks and
    wins smaller.
    """
    away = evidence.published - evidence.estimate
    if not evidence.is_as_precise or not np.abs(away) > width:
        return REPRODUCED
    return SMALLER if away > 0 else LARGER


def of_claim(verdicts):
    """The verdict on a claim from those on its parts: the weakest."""
    return min(verdicts, key=FROM_WEAKEST.index)

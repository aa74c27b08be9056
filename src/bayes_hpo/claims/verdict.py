"""The verdict on a part of a claim and on the whole claim (docs/statistics.md)."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.claims.claim import Claim
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.interval import Bootstrapped
from bayes_hpo.documents.names import NO_EVIDENCE, VERDICTS
from bayes_hpo.stats.wilcoxon import LEVEL

REPRODUCED, SMALLER, LARGER, NOT_REPRODUCED, INCONCLUSIVE, UNDECIDABLE, NOT_RUN = VERDICTS
FROM_WEAKEST = (NOT_REPRODUCED, UNDECIDABLE, NOT_RUN, INCONCLUSIVE, SMALLER, LARGER, REPRODUCED)
LEAST_UNITS = 10  # fewer data sets decide nothing
LEAST_POWER = 0.5  # with less, an insignificant result decides nothing
NO_POWER = 0.2  # with less at every scale, undecidable by design
MORE_DRAWS = 5  # factor on the draws, if they leave the verdict open


def shows(claim: Claim, estimates: NDArray, widths: NDArray) -> NDArray:
    """Whether the interval (estimate +- width) of each component shows what is claimed: bool (..., k).

    For a direction, the interval lies above the limit; for equality, within the margin.
    """
    return claim.distances(estimates) > widths if claim.is_direction else claim.distances(estimates) >= widths


def denies(claim: Claim, estimates: NDArray, widths: NDArray) -> NDArray:
    """Whether the interval of each component lies entirely on the other side: below the limit, or beyond the margin."""
    return claim.distances(estimates) < -widths


def levels(claim: Claim, components: int, needed: int) -> tuple[float, float]:
    """Confidence levels of each component's interval (to conclude, to contradict), if `needed` components must hold.

    With fewer than `needed` true ones, at least components - needed + 1 are false, one of which must appear true; with
    `needed` true ones, one of these must appear false. Bonferroni's bound on both limits the probability of a false
    verdict to that of a single component.
    """
    alpha = 1 - claim.level
    return 1 - alpha / (components - needed + 1), 1 - alpha / needed


def concludes(claim: Claim, estimates: NDArray, widths: NDArray, needed: int, tests: NDArray) -> NDArray:
    """Whether enough components show the claim (...), and, for equality, no test (..., k) finds a difference."""
    shown = shows(claim, estimates, widths).sum(axis=-1) >= needed
    return shown & ~((claim.kind == "equality") & (np.asarray(tests) < LEVEL).any(axis=-1))


def of_part(claim: Claim, evidence: Evidence | None, scale: str, power: float = np.nan) -> str:
    """The verdict on one part of a claim. evidence: None without runs.

    If the interval leaves it open, the verdict is inconclusive, or undecidable by design if no scale has enough power.
    power: upper bound at the best scale whose runs are evidence, NaN if unknown.
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


def lacks(power: float) -> bool:
    """Whether a power, or an upper bound on it, is too low to decide a claim; False for an unknown power."""
    return power < NO_POWER


def is_open(claim: Claim, evidence: Evidence | None) -> bool:
    """Whether the resamples leave the verdict open: without their guard, or with twice the guard, it would differ."""
    if evidence is None or not isinstance(evidence.interval, Bootstrapped):
        return False
    guards = 1.0, 2 * evidence.interval.guard - 1
    intervals = [replace(evidence.interval, guard=guard) for guard in guards]
    return len({of_part(claim, replace(evidence, interval=interval), "") for interval in intervals}) > 1


def _size(evidence, width):
    """The verdict on a direction that holds: whether the interval excludes the published size.

    Sizes are compared only if ours rest on at least as many repetitions as the print: noise shrinks ranks and wins.
    """
    away = evidence.published - evidence.estimate
    if not evidence.is_as_precise or not np.abs(away) > width:
        return REPRODUCED
    return SMALLER if away > 0 else LARGER


def of_claim(verdicts: Iterable[str]) -> str:
    """The verdict on a claim: the weakest of those on its parts."""
    return min(verdicts, key=FROM_WEAKEST.index)

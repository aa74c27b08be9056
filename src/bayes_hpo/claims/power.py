"""Power: the probability that a part of a claim is concluded at a scale if the printed values are true.

It comes from published cells, or from the net wins or win frequencies in a table; without these, power is unknown
(NaN). Power from our own runs would only restate their p-value.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bayes_hpo.claims.evidence import is_tested, printed_cells
from bayes_hpo.claims.interval import GUARD, Flipped, by_family
from bayes_hpo.claims.measure import WIN_FREQUENCY
from bayes_hpo.claims.part import Part
from bayes_hpo.claims.sample import ERROR, Sample
from bayes_hpo.claims.study import Design, Study
from bayes_hpo.claims.verdict import LEAST_UNITS, NO_POWER, concludes, lacks, levels
from bayes_hpo.data.registry import Row
from bayes_hpo.documents import published
from bayes_hpo.stats import bootstrap, sign_flips, wilcoxon
from bayes_hpo.stats.win_frequency import sign_test
from bayes_hpo.stats.win_loss import chance_of_more

EXPERIMENTS = (1000, 4000, 16000)  # numbers of experiments; the next one is used if power is still open
GROUPS = 20  # groups of experiments, which the jackknife leaves out in turn
AT_ONCE = 100  # experiments per batch, which fits into the processor's cache
SUMMARIES = {"overfitting": "T3_4"}  # study -> table of net wins to use if no cells are published
SETS_BEHIND = 118  # data sets in that table


class Power(NamedTuple):
    """A power in [0, 1], NaN if unknown, with its Monte Carlo standard error."""

    value: float
    error: float = 0.0

    @property
    def high(self) -> float:
        """Upper bound of the power: three standard errors above its estimate."""
        return self.value + 3 * self.error

    @property
    def is_open(self) -> bool:
        """Whether the experiments leave open on which side of NO_POWER the power lies."""
        return abs(self.value - NO_POWER) < 3 * self.error


UNKNOWN = Power(np.nan)


def at_scales(part: Part, study: Study, rows: Mapping[str, Row], seed: int = bootstrap.SEED) -> dict[str, Power]:
    """Power of a part at each scale of its study, by name of the scale; UNKNOWN if the print does not determine it.

    The highest, which decides whether the part can be decided at all, gets more experiments while it is open.
    """
    powers = {scale: of_part(part, design, study, rows, seed) for scale, design in study.designs.items()}
    for count in EXPERIMENTS[1:]:
        known = [scale for scale in powers if np.isfinite(powers[scale].value)]
        highest = max(known, key=lambda scale: powers[scale].high, default="")
        if not powers.get(highest, UNKNOWN).is_open:
            break
        powers[highest] = of_part(part, study.designs[highest], study, rows, seed, count)
    return powers


def best(powers: Mapping[str, Power]) -> Power:
    """The highest power over scales; UNKNOWN if only an unknown one may suffice to decide a claim."""
    known = [power for power in powers.values() if np.isfinite(power.value)]
    highest = max(known, key=lambda power: power.high, default=UNKNOWN)
    return UNKNOWN if len(known) < len(powers) and lacks(highest.high) else highest


def of_part(
    part: Part,
    design: Design,
    study: Study,
    rows: Mapping[str, Row],
    seed: int = bootstrap.SEED,
    count: int = EXPERIMENTS[0],
) -> Power:
    """Power of a part at a Design of its study, from `count` experiments; UNKNOWN if too little is printed.

    0 if fewer data sets, or repetitions of the only one, are available than can decide anything, whatever is printed.
    From net wins it is the power of the weakest component, an upper bound for all, as the correlations are not printed.
    """
    if len({column.study for column in part.columns}) > 1:
        return UNKNOWN
    cells = printed_cells(part, [study.printed.get(column.validation) for column in part.columns])
    names = design.datasets_of(part, () if cells is None else cells[0].index)
    if design.units(part, names) < LEAST_UNITS:
        return Power(0.0)
    if part.claim.datasets:
        return UNKNOWN
    if part.measure.unit == WIN_FREQUENCY:
        return _of_win_frequency(part, design, rows, seed, count)
    if part.measure.quantities != (ERROR,):
        return UNKNOWN
    if cells is None:
        return _of_net_wins(part, design)
    if not set(names) <= set(cells[0].index):
        return UNKNOWN
    lacking = [_lacking(part, column, design, study.printed_repetitions) for column in part.columns]
    mean, sd = (np.ascontiguousarray(frame.loc[names]) for frame in cells)
    return _of_cells(part, names, mean, np.nan_to_num(sd) * lacking, rows, seed, count)


def _of_cells(part, names, mean, deviation, rows, seed, count):
    """Power as the share of `count` experiments that conclude, if the published cells of some data sets are the truth.

    Each experiment draws as many families as there are, with replacement, and independent noise for each cell.
    mean, deviation (n_datasets, n_columns): of the cells, and of the noise that fewer repetitions than printed add.
    """
    families, sizes = (np.array([getattr(rows[name], key) for name in names]) for key in ("family", "rest"))
    rng, results = np.random.default_rng([seed, 1]), []  # a stream separate from that of the families
    for drawn, numbers in _experiments(tuple(families), seed, count):
        errors = mean[drawn] + deviation[drawn] * rng.standard_normal((*drawn.shape, deviation.shape[1]))
        results.append(_results(part, Sample({ERROR: errors}, sizes[drawn]), numbers))
    estimates, tests, widths = (np.concatenate(values) for values in zip(*results, strict=True))
    if part.terms is None:
        widths = _of_resamples(part, estimates, len(set(families)), rng)
    return _of_experiments(part, estimates, tests, widths)


def _of_resamples(part, estimates, units, rng):
    """Half-widths (e, k) of bootstrap intervals over so many units, in standard deviations of the estimates (e, k)."""
    scatter = np.sqrt(rng.chisquare(units - 1, estimates.shape) / (units - 1))
    return GUARD * bootstrap.quantile(_level(part, estimates), units) * scatter


def _of_experiments(part, estimates, tests, widths):
    """Power as the share of experiments, (e, k) each, that conclude."""
    count = len(estimates)
    shares = [_share(part, estimates[kept], tests[kept], widths[kept]) for kept in _all_and_without_groups(count)]
    return Power(shares[0], max(_jackknife_error(shares[1:]), np.sqrt(shares[0] * (1 - shares[0]) / count)))


def _share(part, estimates, tests, widths):
    """Share of experiments, (e, k) each, that conclude.

    widths: of the intervals; without signed terms in multiples of a deviation, for which that of the estimates is used.
    """
    if part.terms is None:
        widths = widths * estimates.std(axis=0, ddof=1)
    needed = part.measure.needed(estimates.shape[-1])
    return float(concludes(part.claim, estimates, widths, needed, tests).mean())


def _all_and_without_groups(count):
    """Masks of the experiments to keep, bool (count,): all, then all but each of the GROUPS groups."""
    group = np.arange(count) % GROUPS
    return [np.ones(count, bool), *(group != left_out for left_out in range(GROUPS))]


def _jackknife_error(values):
    """Standard error of a statistic from its values without each of g groups: sqrt((g - 1) / g sum (v - mean v)^2).

    The binomial error alone would be too small: the experiments share the deviation of their estimates, and near the
    margin the share that concludes depends strongly on it.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), 11.
    """
    return float(np.sqrt((len(values) - 1) * np.var(values)))


@lru_cache(maxsize=8)
def _experiments(families, seed, count):
    """(drawn (e, n), families (e, n)) for `count` experiments: numbers of n data sets, and of their families.

    families: label of each data set (tuple). A family drawn twice counts as two.
    """
    labels, of = np.unique(families, return_inverse=True)
    members = [np.flatnonzero(of == label) for label in range(len(labels))]
    by_size = {}
    for draw in np.random.default_rng(seed).integers(len(labels), size=(count, len(labels))):
        chosen = [members[label] for label in draw]
        pair = np.concatenate(chosen), np.repeat(np.arange(len(draw)), [len(family) for family in chosen])
        by_size.setdefault(len(pair[0]), []).append(pair)
    return [
        tuple(np.array(both) for both in zip(*same[first : first + AT_ONCE], strict=True))
        for same in by_size.values()
        for first in range(0, len(same), AT_ONCE)
    ]


def _results(part, sample, families):
    """(estimates, p of the document's test, half-widths) of experiments, (e, k) each; NaN if they have none."""
    estimates = part.value(sample)
    tests = widths = np.full_like(estimates, np.nan)
    if part.claim.kind == "equality" and is_tested(part):
        errors = sample.values[ERROR]
        pairs = [wilcoxon.p_value(errors[..., b] - errors[..., a]) for a, b in part.pairs]
        tests = np.stack(pairs, axis=-1)
    if part.terms is not None:
        terms, totals = part.terms(sample)
        units = np.broadcast_to(100 / totals, estimates.shape)
        level = _level(part, estimates)
        experiments = zip(by_family(terms, families), units, strict=True)
        widths = np.array([Flipped(*experiment).widths(level) for experiment in experiments])
    return estimates, tests, widths


def _lacking(part, column, design, behind):
    """Noise of a cell with our number of repetitions beyond that of the print, in sds of one repetition.

    sqrt(1 / ours - 1 / printed): the printed cells already contain the noise of their own repetitions.
    """
    ours = design.repetitions_of(part, column.validation)
    return np.sqrt(max(0, 1 / ours - 1 / behind[column.validation]))


def _of_net_wins(part, design):
    """Power of the weakest pair if the printed net wins are the truth, each data set won with equal probability."""
    table = SUMMARIES.get(part.study)
    if part.claim.measure != "net_wins" or not part.pairs or table is None:
        return UNKNOWN
    wins, validation = published.net_wins(table), part.columns[0].validation
    columns = [part.columns[position] for pair in part.pairs for position in pair]
    known = wins[validation][0]
    if not all(column.method in known and column.validation == validation for column in columns):
        return UNKNOWN
    share = np.array([known.loc[part.columns[a].method, part.columns[b].method] for a, b in part.pairs]) / SETS_BEHIND
    count = len(design.datasets)
    needed = sign_flips.critical(np.ones(count), _level(part, share))
    return Power(float(chance_of_more(needed, share, count).min()))


def _of_win_frequency(part, design, rows, seed, count):
    """Power if the printed win frequency, that of the weakest component, is the probability of winning each search."""
    names, repetitions = design.datasets, design.repetitions[part.validation]
    if not np.isfinite(part.printed):
        return UNKNOWN
    rng = np.random.default_rng(seed)
    wins = rng.binomial(repetitions, 0.5 + part.printed, (count, len(names))) / repetitions - 0.5
    signs = [((row > 0).sum(), (row < 0).sum()) for row in wins]
    tests = np.array([[sign_test(max(both), min(both))] for both in signs])
    estimates = wins.mean(axis=1, keepdims=True)
    units = len({rows[name].family for name in names})
    return _of_experiments(part, estimates, tests, _of_resamples(part, estimates, units, rng))


def _level(part, estimates):
    """Confidence level of the interval with which each component (..., k) concludes."""
    count = estimates.shape[-1]
    return levels(part.claim, count, part.measure.needed(count))[0]

"""What our runs and the published cells say of the parts of claims: estimate, interval, published size, power."""

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from bayes_hpo.claims.sample import ERROR, Sample
from bayes_hpo.claims.verdict import concludes
from bayes_hpo.stats.bootstrap import SEED, Resamples, half_width
from bayes_hpo.stats.power import simulated

EXPERIMENTS = 400  # of which power is a share
NOTHING = MappingProxyType({})


@dataclass(frozen=True)
class Evidence:
    """estimate and its interval of half_width on either side, in the unit of the measure; NaN where there is none.

    published: the same measure of the published cells of the same data sets, NaN without cells. power: see
    stats.power; without cells that of our own. units: data sets, or repetitions of the only one. repetitions
    (n_units,).
    """

    estimate: float
    half_width: float
    published: float
    power: float
    units: int
    repetitions: tuple

    @property
    def low(self):
        """Lower end of the interval."""
        return self.estimate - self.half_width

    @property
    def high(self):
        """Upper end of the interval."""
        return self.estimate + self.half_width


def weigh(parts, runs, printed=NOTHING):
    """Evidence of each part (list) on the Runs that all of them rest on.

    printed: dict, (study, validation) -> mean and sd that the document prints, two frames (data sets, methods).
    Every part is measured by one function on our means, on their resamples, on the published cells and on the
    experiments that are simulated from these.
    """
    runs, cells = _beside_cells(parts[0], runs, printed)
    resamples = _resamples(tuple(runs.families), tuple(runs.repetitions))
    sizes, families = runs.sizes[resamples.datasets], len(set(runs.families))
    ours = _measured(parts, _alone(runs.means()), runs.sizes[None])
    resampled = _measured(parts, {name: resamples.means(part) for name, part in runs.values.items()}, sizes)
    theirs, imagined = np.full_like(ours, np.nan), resampled
    if cells is not None:
        mean, sd = cells
        theirs = _measured(parts, _alone({ERROR: mean}), runs.sizes[None])
        rng, datasets = np.random.default_rng(SEED), resamples.datasets[:EXPERIMENTS]
        errors = simulated(mean, sd, repetitions=runs.repetitions, datasets=datasets, rng=rng)
        imagined = _measured(parts, {ERROR: errors}, sizes[:EXPERIMENTS])
    return [
        _evidence(part, runs, families, *one)
        for part, *one in zip(parts, ours, resampled, theirs, imagined, strict=True)
    ]


def _evidence(part, runs, families, ours, resampled, theirs, imagined):
    """The Evidence of one part from its measure on each of the four: arrays (1,), (draws,), (1,), (draws,)."""
    width, imagined_width = (half_width(draws, part.claim.level, families) for draws in (resampled, imagined))
    return Evidence(
        estimate=float(ours[0]),
        half_width=width,
        published=float(theirs[0]),
        power=float(np.mean(concludes(part.claim, imagined, imagined_width))) if np.isfinite(width) else np.nan,
        units=len(runs.families),
        repetitions=tuple(runs.repetitions.tolist()),
    )


def _beside_cells(part, runs, printed):
    """(runs, cells): the Runs of the data sets that have published cells, and these; all Runs and None without any.

    cells: mean and sd of the errors in percent, two arrays (n_units, n_columns); sd are ours where none is printed.
    """
    tables = [printed.get((column.study, column.validation)) for column in part.columns]
    if part.measure.quantities != (ERROR,) or not all(map(_has, tables, part.columns)):
        return runs, None
    found = [[one[column.method] for one in table] for table, column in zip(tables, part.columns, strict=True)]
    mean, sd = (np.column_stack([one.reindex(runs.datasets) for one in kind]) for kind in zip(*found, strict=True))
    sd = np.where(np.isnan(sd), runs.deviations(ERROR), sd)
    there = np.isfinite(mean).all(axis=1)
    return (runs.only(there), (mean[there], sd[there])) if there.any() else (runs, None)


def _has(table, column):
    return table is not None and column.method in table[0]


def _measured(parts, values, sizes):
    """The measure of each part (n_parts, draws); values: dict, quantity -> (draws, n_units, n_columns)."""
    chunks = Sample(values, sizes).chunks()
    return np.concatenate([[part.value(chunk) for part in parts] for chunk in chunks], axis=1)


def _alone(values):
    """The values (n_units, n_columns) of each quantity as those of one draw."""
    return {name: part[None] for name, part in values.items()}


@lru_cache(maxsize=4)
def _resamples(families, repetitions):
    """The same resamples for all parts that rest on the same data sets and numbers of repetitions."""
    return Resamples.draw(families, repetitions)

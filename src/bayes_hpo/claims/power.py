"""Power: the chance that a part of a claim is concluded at a scale if what the document prints is true.

From published cells, or from the net wins that a table prints; where neither is there, power is unknown (NaN). Power
from our own runs would be their p-value once more.
"""

import numpy as np

from bayes_hpo import published
from bayes_hpo.claims.evidence import has
from bayes_hpo.claims.sample import ERROR, Resampled
from bayes_hpo.claims.verdict import levels, shows
from bayes_hpo.stats import bootstrap

EXPERIMENTS, COPIES = 2000, 40  # experiments, and copies of the cells with noise of their own that they are drawn from
SUMMARIES = {"overfitting": "T3_4"}  # study -> the table whose net wins stand where no cells were published
SETS_BEHIND = 118  # data sets of that table


def of_part(part, design, study, rows):
    """Power of a part at a Design of its study, in [0, 1]; NaN when the print does not tell.

    study: the Study, with the printed cells. rows: the registry, dict, data set -> row.
    """
    if len({column.study for column in part.columns}) > 1 or part.claim.datasets:
        return np.nan
    tables = [study.printed.get(column.validation) for column in part.columns]
    if part.measure.quantities != (ERROR,):
        return np.nan
    if all(map(has, tables, part.columns)):
        return _of_cells(part, tables, design, study.behind, rows)
    return _of_net_wins(part, design)


def _of_cells(part, tables, design, behind, rows):
    """Power when the published cells are the truth. tables: mean and sd of each column (two frames)."""
    names = [name for name in design.datasets if all(name in table[0].index for table in tables)]
    cells = [
        [one.loc[names, column.method] for one in table] for table, column in zip(tables, part.columns, strict=True)
    ]
    mean, sd = (np.column_stack(columns) for columns in zip(*cells, strict=True))
    there = np.isfinite(mean).all(axis=1)
    names = [name for name, known in zip(names, there, strict=True) if known]
    if len(names) < 2:
        return np.nan
    deviation = np.nan_to_num(sd[there]) * [_lacking(part, column, design, behind) for column in part.columns]
    families = [rows[name].family for name in names]
    sizes = np.array([rows[name].rest for name in names])
    rng, found = np.random.default_rng(bootstrap.SEED), []
    copies = COPIES if deviation.any() else 1
    for often in np.array_split(bootstrap.draw(families, EXPERIMENTS), copies):
        errors = mean[there] + deviation * rng.standard_normal(deviation.shape)
        found.append(part.value(Resampled({ERROR: errors}, sizes, often)))
    return _share(part, np.concatenate(found), len(set(families)))


def _lacking(part, column, design, behind):
    """What the noise of a cell with fewer repetitions than the print has is beyond it, in deviations of one repetition.

    sqrt(1 / ours - 1 / printed): the printed cells hold the noise of their own repetitions already.
    """
    ours = design.repetitions[column.validation]
    if part.claim.repetitions:
        ours = min(ours, part.claim.repetitions)
    return np.sqrt(max(0, 1 / ours - 1 / behind[column.validation]))


def _of_net_wins(part, design):
    """Power when the printed net wins are the truth: each data set is won with the same chance, pairs independently."""
    table = SUMMARIES.get(part.claim.study)
    if part.claim.measure != "net_wins" or not part.pairs or table is None:
        return np.nan
    wins, validation = published.net_wins(table), part.columns[0].validation
    columns = [part.columns[position] for pair in part.pairs for position in pair]
    known = wins[validation][0]
    if not all(column.method in known and column.validation == validation for column in columns):
        return np.nan
    share = np.array([known.loc[part.columns[a].method, part.columns[b].method] for a, b in part.pairs]) / SETS_BEHIND
    count = len(design.datasets)
    won = np.random.default_rng(bootstrap.SEED).binomial(count, (1 + share) / 2, size=(EXPERIMENTS, len(share)))
    return _share(part, 100 * (2 * won / count - 1), count)


def _share(part, estimates, families):
    """Share of the experiments, estimates (draws, k), whose intervals conclude."""
    components = estimates.shape[1]
    needed = part.measure.needed(components)
    level, _ = levels(part.claim, components, needed)
    widths = bootstrap.quantile(level, families) * estimates.std(axis=0, ddof=1)
    return float((shows(part.claim, estimates, widths).sum(axis=1) >= needed).mean())

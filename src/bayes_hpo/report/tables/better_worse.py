"""Numbers of data sets on which a method is significantly better or worse than others: Shen et al. 2022, table 2."""

import numpy as np
import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.report import caption
from bayes_hpo.report.comparison import Comparison, of_methods
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import NOTHING, Table
from bayes_hpo.stats.ranks import comparable
from bayes_hpo.stats.wilcoxon import LEVEL, exact_p_value, p_value

COUNTS = {"better": "B", "same": "S", "worse": "W"}  # our name -> printed name
BETTER, SAME, WORSE = COUNTS
LOWER = "lower mean"
READING = (
    "better, worse: data sets on which {method} has the lower, the higher mean error and Wilcoxon's signed-rank test "
    "over the repetitions has p <= .05 (zeros dropped, normal approximation, no continuity correction; exact p in the "
    "file); lower mean: whatever the test says, publ. by the cells of table 1 on the same data sets."
)


def counts_table(
    results: Results, *, validation: str, method: str, rivals: list[str], document: str, table: str, note: str
) -> Table:
    """Table of rivals x (better, same, worse: data sets of `method`), ours and the printed numbers.

    table: printed table, such as "T2". note: sentence on the print. A rival without common scores has no numbers.
    """
    parts = {name: of_methods(results, validation, [method, name]) for name in rivals}
    judged = {name: judgements(part, method, name) for name, part in parts.items()}
    label = results.printed.method
    names = {name: f"{label(method)} vs {label(name)}" for name in rivals}
    printed = published.by_metric(document, table, COUNTS, list(names.values()))["value"]
    rows = {names[name]: _row(parts[name], judged[name], printed.loc[names[name]], method, name) for name in rivals}
    cells = pd.DataFrame.from_dict(rows, orient="index").rename_axis("pair")
    cells.columns = pd.MultiIndex.from_tuples(cells.columns)
    values = pd.concat([frame.assign(against=label(name)) for name, frame in judged.items()], ignore_index=True)
    named = values["dataset"].map(results.printed.dataset)
    values = values.assign(dataset=named, method=label(method), validation=validation)
    scored = {name: part for name, part in parts.items() if len(part.mean)}
    notes = [
        *_coverage(scored, names, results.planned(validation)),
        READING.format(method=label(method)),
        *_least(scored),
        note,
    ]
    return Table(cells, values, notes)


def judgements(part: Comparison, method: str, rival: str) -> pd.DataFrame:
    """Frame with a row per data set.

    repetitions: number of them.
    difference: mean error of the rival minus that of the method.
    p, p_exact: of Wilcoxon's test over the repetitions, approximate and exact.
    judgement: better, same or worse.
    """
    rows = []
    for name, runs in part.runs.groupby(level=0, sort=False) if len(part.mean) else ():
        gains = runs[rival] - runs[method]
        p, gain = float(p_value(gains)), float(comparable(gains.mean()))
        judgement = SAME if p > LEVEL or gain == 0 else BETTER if gain > 0 else WORSE
        tests = {"difference": gain, "p": p, "p_exact": exact_p_value(gains), "judgement": judgement}
        rows.append({"dataset": name, "repetitions": len(runs)} | tests)
    columns = ["dataset", "repetitions", "difference", "p", "p_exact", "judgement"]
    return pd.DataFrame(rows, columns=columns)


def _row(part: Comparison, judged: pd.DataFrame, printed: pd.Series, method: str, rival: str) -> dict:
    """The cells of one rival: dict, (count, ours or publ.) -> text."""
    counted = judged["judgement"].value_counts()
    cells = {}
    for name in COUNTS:
        cells[name, "ours"] = str(counted.get(name, 0)) if len(judged) else NOTHING
        cells[name, "publ."] = f"{printed[name]:.0f}"
    cells[LOWER, "ours"] = _lower(part.mean, method, rival)
    cells[LOWER, "publ."] = _lower(part.published, method, rival)
    return cells


def _lower(mean: pd.DataFrame, method: str, rival: str) -> str:
    """The number of data sets on which the method has the lower mean, such as "9 of 12"."""
    if not {method, rival} <= set(mean) or mean.empty:
        return NOTHING
    return f"{(comparable(mean[method]) < comparable(mean[rival])).sum()} of {len(mean)}"


def _coverage(parts: dict[str, Comparison], names: dict[str, str], planned: tuple[int, int]) -> list[str]:
    """The sentence (list) on the data sets and repetitions behind each pair."""
    rests = [
        f"{names[name]}: {caption.size(len(part.mean), part.repetitions, planned)}" for name, part in parts.items()
    ]
    return ["; ".join(rests) + "."] if rests else ["No scores."]


def _least(parts: dict[str, Comparison]) -> list[str]:
    """The sentence (list) on the smallest p possible with so few repetitions, if it exceeds the level."""
    fewest = min((int(part.repetitions.min()) for part in parts.values()), default=0)
    least = float(p_value(np.arange(1, fewest + 1))) if fewest else 1.0
    return [f"With {caption.counted(fewest, 'repetition')} no p is below {least:.2f}."] if least > LEVEL else []

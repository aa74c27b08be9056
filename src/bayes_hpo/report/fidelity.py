"""How well our errors agree with the printed ones: z scores and ratios of standard deviations."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.documents.catalog import Precision
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import RunError
from bayes_hpo.report.caption import counted
from bayes_hpo.report.comparison import Comparison, of_methods
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.markdown import has_place, markdown, put
from bayes_hpo.report.tables.table import NOTHING, number

EARLY = 0.2  # share of the trials that 5-fold validation allows if the printed budget counts models
COLUMNS = ["data_sets", "rms_z", "mean_z", "farthest", "farthest_z", "sd_ratio", "sd_data_sets", "sd_zeros"]
Z = "z: the difference over its standard error, from the repetitions of both and the rounding of the print."
RATIO = (
    "Ratio: our standard deviation over the printed one, geometric mean over data sets, without {} in which one of the "
    "two is 0."
)
NO_ROWS = "No printed method has released scores of several repetitions."
NO_RATIO = "No standard deviations are printed: in z ours stand for the print's, and there is no ratio of the two."


def z_scores(compared: Comparison, precision: Precision) -> pd.DataFrame:
    """Ours minus published, divided by the standard error of the difference, the print's rounding included.

    Returns a frame (data sets, methods), NaN where nothing is printed, or where ours rests on one repetition. If no
    standard deviation is printed, ours replaces it. The root mean square is near 1 if the protocol is the document's.
    precision: catalog.Precision of the table.
    """
    ours = _variances(compared.sd, compared.repetitions, precision.ddof)
    printed = _variances(compared.published_sd, precision.repetitions, precision.ddof).fillna(ours)
    rounding = 10.0 ** (-2 * precision.decimals) / 12  # variance of rounding, uniform over a unit of the last decimal
    squares = ours.div(compared.repetitions, axis=0) + printed / precision.repetitions + rounding
    return (compared.mean - compared.published_mean) / np.sqrt(squares)


def sd_ratios(compared: Comparison, precision: Precision) -> pd.DataFrame:
    """Our standard deviation over repetitions divided by the printed one, both with divisor n - 1 (data sets, methods).

    NaN where none is printed, where either is 0, and for one repetition. precision: catalog.Precision of the table.
    """
    ours = _variances(compared.sd, compared.repetitions, precision.ddof)
    printed = _variances(compared.published_sd, precision.repetitions, precision.ddof)
    return np.sqrt(ours.where(ours > 0) / printed.where(printed > 0))


def by_method(compared: Comparison, precision: Precision) -> pd.DataFrame:
    """Frame of COLUMNS with a row for each method that has a z score.

    data_sets: number of z scores.
    rms_z, mean_z: their root mean square and mean.
    farthest, farthest_z: data set with the largest |z|, and its z.
    sd_ratio: geometric mean of sd_ratios, in which twice and half the printed sd cancel and no single small sd
        dominates, as one would in a root mean square; NaN without any.
    sd_data_sets: number of ratios.
    sd_zeros: number of data sets with a printed sd and several repetitions that have no ratio: it or ours is 0.
    """
    z = z_scores(compared, precision).dropna(axis=1, how="all")
    if z.empty:
        return pd.DataFrame(columns=COLUMNS)
    ratios = sd_ratios(compared, precision)[z.columns]
    farthest = z.abs().idxmax()
    frame = {
        "data_sets": z.count(),
        "rms_z": np.sqrt((z**2).mean()),
        "mean_z": z.mean(),
        "farthest": farthest,
        "farthest_z": pd.Series({method: z.loc[name, method] for method, name in farthest.items()}),
        "sd_ratio": np.exp(np.log(ratios).mean()),
        "sd_data_sets": ratios.count(),
        "sd_zeros": (compared.published_sd[z.columns].notna() & ratios.isna())[compared.repetitions > 1].sum(),
    }
    return pd.DataFrame(frame)[COLUMNS]


def sentences(compared: Comparison, precision: Precision, label: Callable, flagged: Sequence[str] = ()) -> list[str]:
    """Sentences (list) for a caption: the agreement of every printed method, and again without the flagged data sets.

    label: function, method -> printed name. Empty if nothing is printed.
    """
    every = by_method(compared, precision)
    if every.empty:
        return []
    prints_sd = (every["sd_data_sets"] + every["sd_zeros"]).any()
    numbers = "mean; ratio of standard deviations" if prints_sd else "mean"
    sets = counted(every["data_sets"].max(), "data set")
    notes = [f"Ours against the print, root mean square of z over {sets} ({numbers}): {_numbers(every, label)}."]
    entered = [name for name in flagged if name in compared.mean.index]
    rest = by_method(compared.without(entered), precision)
    if entered and len(rest):
        notes.append(f"Without the flagged {', '.join(entered)}: {_numbers(rest, label)}.")
    left_out = counted(every["sd_zeros"].sum(), "cell")
    return [*notes, Z, RATIO.format(left_out) if prints_sd else NO_RATIO]


def _numbers(numbers, label):
    """Phrase with the numbers of every method and the cell farthest from the print."""
    ratios = numbers["sd_ratio"].map(lambda ratio: "" if pd.isna(ratio) else f"; {ratio:.2f}")
    phrases = [
        f"{label(row.Index)} {row.rms_z:.2f} ({row.mean_z:+.2f}{ratios[row.Index]})" for row in numbers.itertuples()
    ]
    row = numbers.loc[numbers["farthest_z"].abs().idxmax()]
    return f"{', '.join(phrases)}; farthest: {label(row.name)} on {row['farthest']}, z {row['farthest_z']:+.1f}"


def _variances(sd, repetitions, ddof):
    """Variances of single runs (data sets, methods) with divisor n - 1, from standard deviations with divisor n - ddof.

    repetitions: series (data sets,) or a number. NaN for one repetition.
    """
    n = pd.Series(repetitions, index=sd.index, dtype=float)
    return sd.pow(2).mul(((n - ddof) / (n - 1)).where(n > 1), axis=0)


def update(results: Results) -> list[str]:
    """Write `table` of released Results to their README.md, if that has a place for the study and scale.

    Nothing is written if the command leaves data sets out. Returns a sentence (list) if the table cannot be made.
    """
    page, place = Path(str(results.released), "README.md"), f"fidelity {results.study} {results.scale}"
    try:
        if has_place(place, page) and not results.left_out:
            put(place, table(results), page)
    except RunError as problem:
        return [str(problem)]
    return []


def table(results: Results) -> str:
    """Lines of a Markdown table: a row per printed method, and another one without the flagged data sets that it has.

    Each method is compared alone, on all data sets on which it has scores (`by_method`): at the end of its searches
    and, in one column, early in them. Without any row, NO_ROWS.
    """
    flagged = results.printed.called(results.printed.flagged)
    early, rows = _early(results.scores), dict[str, dict]()
    for validation in results.printed.precision:
        for method in results.methods:
            end, before = (of_methods(results, validation, [method], scores) for scores in (results.scores, early))
            entered = [name for name in flagged if name in end.mean.index]
            for less in ([], entered) if entered else ([],):
                rows |= _row(results.printed, end.without(less), before.without(less), less)
    return markdown("method", pd.DataFrame.from_dict(rows, orient="index")) if rows else NO_ROWS


def _early(scores):
    """The scores at the iteration nearest to the share EARLY of the trials, marked as final."""
    before_end = scores[~scores["final"]]
    wanted = EARLY * scores["iteration"].max()
    step = min(sorted(before_end["iteration"].unique()), key=lambda t: abs(t - wanted), default=0)
    return before_end[before_end["iteration"] == step].assign(final=True)


def _row(printed, end, before, less):
    """A row of the table: dict, label -> texts by column; empty if none of its cells are printed.

    end, before: Comparison of the method at the end of its searches and early in them. less: data sets left out.
    """
    precision = printed.precision[end.validation]
    late, early = by_method(end, precision), by_method(before, precision)
    if late.empty:
        return {}
    numbers = late.iloc[0]
    ratio = f"{number(numbers.sd_ratio, 2)} ({numbers.sd_data_sets})"
    texts = {
        "data sets": str(numbers.data_sets),
        "rms z": number(numbers.rms_z, 2),
        "mean z": f"{numbers.mean_z:+.2f}",
        "farthest z": f"{numbers.farthest_z:+.1f} ({printed.dataset(numbers.farthest)})",
        "sd ratio (data sets)": ratio if numbers.sd_data_sets else NOTHING,
        "rms z, a fifth of the trials": number(early["rms_z"].get(numbers.name), 2),
    }
    without = f" without {', '.join(map(printed.dataset, less))}" if less else ""
    return {f"{printed.method(numbers.name)}, {VALIDATIONS[end.validation]}{without}": texts}

"""How close our errors are to the printed ones: z scores and ratios of standard deviations, in captions and a table."""

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

EARLY = 0.2  # share of the trials: what 5-fold validation would leave of a printed budget that counts models
COLUMNS = ["data_sets", "rms_z", "mean_z", "farthest", "farthest_z", "sd_ratio", "sd_data_sets", "sd_zeros"]
Z = "z: the difference over its standard error, from the repetitions of both and the rounding of the print."
RATIO = (
    "Ratio: our standard deviation over the printed one, geometric mean over data sets, without {} in which one of the "
    "two is 0."
)
NO_RATIO = "No standard deviations are printed: in z ours stand for the print's, and there is no ratio of the two."


def z_scores(compared: Comparison, precision: Precision) -> pd.DataFrame:
    """Ours minus published over the standard error of both (data sets, methods), the print's rounding included.

    Where no standard deviation is printed, ours stands for the print's. Near 1 in root mean square when the protocol is
    the document's; NaN where nothing is printed, or of one repetition. precision: catalog.Precision of the table.
    """
    ours = _variances(compared.sd, compared.repetitions)
    printed = _variances(compared.published_sd, precision.repetitions).fillna(ours)
    rounding = 10.0 ** (-2 * precision.decimals) / 12  # variance of a uniform error of one unit in the last decimal
    squares = ours.div(compared.repetitions, axis=0) + printed / precision.repetitions + rounding
    return (compared.mean - compared.published_mean) / np.sqrt(squares)


def sd_ratios(compared: Comparison, precision: Precision) -> pd.DataFrame:
    """Our standard deviation over repetitions divided by the printed one, both with divisor n - 1 (data sets, methods).

    NaN where none is printed or either is 0, and of one repetition. precision: catalog.Precision of the table.
    """
    ours = _variances(compared.sd, compared.repetitions)
    printed = _variances(compared.published_sd, precision.repetitions)
    return np.sqrt(ours.where(ours > 0) / printed.where(printed > 0))


def by_method(compared: Comparison, precision: Precision) -> pd.DataFrame:
    """Frame of COLUMNS, a row for each method that has a z score.

    data_sets: number of z scores.
    rms_z, mean_z: root mean square and mean of them.
    farthest, farthest_z: the data set of the largest |z|, and that z.
    sd_ratio: geometric mean of sd_ratios, in which twice and half the printed deviation cancel and no single small
      deviation dominates as in a root mean square; NaN without any.
    sd_data_sets: number of ratios.
    sd_zeros: data sets with a printed deviation that were left out because it or ours is 0.
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
        "sd_zeros": (compared.published_sd[z.columns].notna() & ratios.isna()).sum(),
    }
    return pd.DataFrame(frame)[COLUMNS]


def sentences(compared: Comparison, precision: Precision, label: Callable, flagged: Sequence[str] = ()) -> list[str]:
    """Sentences (list) for a caption: the numbers of every printed method, and again without the flagged data sets.

    label: function, method -> its name in print. Empty when nothing is printed.
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
    """The numbers of every method and the farthest of all cells, in one phrase."""
    ratios = numbers["sd_ratio"].map(lambda ratio: "" if pd.isna(ratio) else f"; {ratio:.2f}")
    phrases = [
        f"{label(row.Index)} {row.rms_z:.2f} ({row.mean_z:+.2f}{ratios[row.Index]})" for row in numbers.itertuples()
    ]
    row = numbers.loc[numbers["farthest_z"].abs().idxmax()]
    return f"{', '.join(phrases)}; farthest: {label(row.name)} on {row['farthest']}, z {row['farthest_z']:+.1f}"


def _variances(sd, repetitions):
    """Variances of one run (data sets, methods) with divisor n - 1, from standard deviations with divisor n.

    repetitions: series (data sets,) or a number. NaN of one repetition.
    """
    n = pd.Series(repetitions, index=sd.index, dtype=float)
    return sd.pow(2).mul((n / (n - 1)).where(n > 1), axis=0)


def update(results: Results) -> list[str]:
    """Put `table` of released Results into their README.md, when that has a place for the study and scale.

    A command that leaves data sets out makes no table. Returns a sentence (list) when it cannot be made.
    """
    page, place = Path(str(results.released), "README.md"), f"fidelity {results.study} {results.scale}"
    try:
        if has_place(place, page) and not results.left_out:
            put(place, table(results), page)
    except RunError as problem:
        return [str(problem)]
    return []


def table(results: Results) -> str:
    """Lines of a Markdown table: a row a printed method, and one without the flagged data sets where it has some.

    Each method stands alone, on every data set on which it has scores (`by_method`), at the end of its
    searches and, in one column, early in them.
    """
    flagged = results.printed.called(results.printed.flagged)
    early, rows = _early(results.scores), dict[str, dict]()
    for validation in results.printed.precision:
        for method in results.methods:
            end, before = (of_methods(results, validation, [method], scores) for scores in (results.scores, early))
            entered = [name for name in flagged if name in end.mean.index]
            for less in ([], entered) if entered else ([],):
                rows |= _row(results.printed, end.without(less), before.without(less), less)
    return markdown("method", pd.DataFrame.from_dict(rows, orient="index"))


def _early(scores):
    """The scores at the step nearest to a share EARLY of the trials, as if the searches had ended there."""
    before_end = scores[~scores["final"]]
    wanted = EARLY * scores["iteration"].max()
    step = min(sorted(before_end["iteration"].unique()), key=lambda t: abs(t - wanted), default=0)
    return before_end[before_end["iteration"] == step].assign(final=True)


def _row(printed, end, before, less):
    """dict, label -> texts of one row; empty when nothing is printed of its cells.

    end, before: Comparison of the method at the end of its searches and early. less: data sets that they lack.
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

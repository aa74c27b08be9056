"""The data splits of the protocols, drawn from the splits that the code makes: figure 3.2 of the thesis."""

from itertools import groupby
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report.results import Results

# distinguishable in grey; in the order of the rows in a panel
LOOKS: dict[str, dict[str, Any]] = {
    "validation": {"facecolor": "#00539B"},
    "train": {"facecolor": "#D3E1EE"},
    "selection": {"facecolor": "white", "edgecolor": "#D55E00", "hatch": "//////"},
    "test": {"facecolor": "0.62"},
}
LETTERS = {"train": "T", "validation": "V", "selection": "S", "test": "G"}
KINDS = {"": "fixed", "r": "reshuffled", "sel": "fixed, selection split", "sel_r": "reshuffled, selection split"}
GAP, FOLD_GAP = 0.25, 0.12  # gaps between iterations and between folds, as shares of the height of one


def figure(results: Results, *, measure: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): a panel per protocol, a band per iteration, which in 5-fold has a strip per fold."""
    rows = results.measure(measure)
    drawing = Figure(figsize=(7.2, 5.4), layout="constrained")
    axes = drawing.subplots(len(KINDS), len(VALIDATIONS))
    for column, (validation, label) in zip(axes.T, VALIDATIONS.items(), strict=True):
        for axis, (kind, splits) in zip(column, KINDS.items(), strict=True):
            bands = in_order(rows[rows["protocol"] == "_".join(filter(None, [validation, kind]))])
            draw_bands(axis, bands)
            draw_shares(axis, bands.iloc[0])
            axis.set_title(f"{label}, {splits}", loc="left", pad=12)
    handles = [Patch(label=f"{part} ({LETTERS[part]})", **look) for part, look in LOOKS.items()]
    drawing.legend(handles=handles, loc="outside upper center", ncols=len(handles), handlelength=2.5)
    return drawing, notes(rows)


def in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """The parts as a frame, index (iteration, fold), a column per row of the data set, from the rows of one protocol.

    The columns follow the first iteration: validation rows fold by fold, then training, selection and test rows.
    """
    bands = rows.pivot(index=["iteration", "fold"], columns="row", values="part")
    order, first = list(LOOKS), bands.loc[1]
    return bands[sorted(bands.columns, key=lambda row: [order.index(part) for part in first[row]])]


def draw_bands(axis: Axes, bands: pd.DataFrame) -> None:
    """Draw a bar for each run of rows in the same part; iterations and folds are stacked. bands: of `in_order`."""
    folds = bands.index.get_level_values("fold").max()
    height = (1 - GAP) / folds
    for (iteration, fold), parts in bands.iterrows():
        bottom, start = iteration - 0.5 + GAP / 2 + (fold - 1) * height, 0
        bars: dict[str, list[tuple]] = {}  # part -> (first row, rows) of each of its bars
        for part, group in groupby(parts):
            length = len(list(group))
            bars.setdefault(part, []).append((start, length))
            start += length
        for part, ranges in bars.items():
            axis.broken_barh(ranges, (bottom, height * (1 - FOLD_GAP)), linewidth=0, **LOOKS[part])
    iterations = sorted(bands.index.unique("iteration"))
    axis.set_xlim(0, bands.shape[1])
    axis.set_ylim(iterations[-1] + 0.5, iterations[0] - 0.5)
    axis.set_yticks(iterations, [f"iteration {number}" for number in iterations])
    axis.set_xticks([])
    axis.tick_params(length=0)
    axis.grid(False)
    axis.spines[:].set_visible(False)


def draw_shares(axis: Axes, parts: pd.Series) -> None:
    """Write the shares of all rows above the bands, training and validation in one text. parts: the first band."""
    share = {part: f"{LETTERS[part]} {100 * size:.0f} %" for part, size in parts.value_counts(normalize=True).items()}
    blocks = {f"{share['validation']}, {share['train']}": ["validation", "train"]}
    blocks |= {share[part]: [part] for part in ("selection", "test") if part in share}
    for text, members in blocks.items():
        places = parts.isin(members).to_numpy().nonzero()[0]
        axis.text(places.mean() + 0.5, 0.5, text, ha="center", va="bottom", size=7)


def notes(rows: pd.DataFrame) -> list[str]:
    """Sentences with the numbers of rows of each part."""
    first = rows[(rows["iteration"] == 1) & (rows["fold"] == 1)]
    sizes = first.groupby("protocol")["part"].value_counts().unstack(fill_value=0)
    plain, selecting = (sizes.loc[name] for name in ("holdout", "holdout_sel"))
    return [
        f"{rows['dataset'].iloc[0]}, first repetition: of {plain.sum()} rows {plain['test']} for test, "
        f"{plain['validation']} for validation, the rest for training; with a selection split "
        f"{selecting['selection']} for selection, {selecting['validation']} for validation. Shares are of all rows.",
        "In 5-fold an iteration trains a model per fold, a strip each. The rows of a panel stand in the order of its "
        "first iteration: test and selection part never move, reshuffled splits are drawn anew.",
        "At the end the chosen hyperparameters are trained on T, V and S. The printed figure is lost; shares: "
        "docs/decisions.md, D1 to D3.",
    ]

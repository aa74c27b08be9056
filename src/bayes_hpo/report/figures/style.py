"""The house style of figures: print size, thin axes, methods distinguished by marker, grey level and dashes."""

import io
import logging
import textwrap
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

SETTINGS: Any = {  # matplotlib's rcParams
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.labelsize": 8,
    "legend.fontsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "legend.frameon": False,
    "legend.handlelength": 2.8,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
}
DASHED = (0, (4, 2))
MARKERS = 8  # per line
CAPTION_SIZE, LINE_SPACING, CAPTION_CHARACTERS = 6, 1.2, 21  # points, multiple of the size, per inch
LEGEND_CHARACTERS, LEGEND_HANDLE = 15, 10  # characters per inch, and in the width of a handle with its spaces
# The first four differ by at least a sixth in grey level, all of them in marker; no pair is red and green.
FAMILIES = [("#A6A6A6", "D"), ("#000000", "o"), ("#D55E00", "^"), ("#00539B", "s"), ("#CC79A7", "v"), ("#6A3D9A", "P")]


def house() -> AbstractContextManager:
    """A context for drawing and saving figures in the house style."""
    return matplotlib.rc_context(SETTINGS)


def legend_above(figure: Figure, *axes: Axes) -> None:
    """Add the legend of some axes above a figure with constrained layout, in as many columns as fit."""
    handles = [handle for axis in axes for handle in axis.get_legend_handles_labels()[0]]
    longest = max(len(str(handle.get_label())) for handle in handles)
    columns = int(figure.get_figwidth() * LEGEND_CHARACTERS / (longest + LEGEND_HANDLE))
    figure.legend(handles=handles, loc="outside upper center", ncols=max(1, columns))


def write_below(figure: Figure, sentences: Iterable[str]) -> None:
    """Write the caption below a figure with constrained layout, and enlarge the figure by its height."""
    characters = int(figure.get_figwidth() * CAPTION_CHARACTERS)
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, characters)]
    figure.set_figheight(figure.get_figheight() + len(lines) * CAPTION_SIZE * LINE_SPACING / 72)
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=CAPTION_SIZE, linespacing=LINE_SPACING, color="0.3")


def save(figure: Figure, path: Path, suffix: str) -> None:
    """Write the figure as "pdf" or "png"; the bytes are reproducible."""
    unstamped = {"pdf": {"CreationDate": None}, "png": {"Software": None}}
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it logs every glyph at level INFO
    drawn = io.BytesIO()  # matplotlib fails badly on a full disk, so draw in memory first
    figure.savefig(drawn, format=suffix, metadata=unstamped[suffix])
    path.write_bytes(drawn.getvalue())


def spaced(length: int, place: int) -> tuple[int, int]:
    """The markevery of line number `place` with so many points: some MARKERS, none above that of the line before."""
    every = max(1, length // MARKERS)
    return place % every, every


def lines(methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Line properties of each method: dict, name -> keyword arguments for plot.

    A reshuffled method has the colour and marker of its fixed counterpart, but is dashed with an open marker.
    """
    families: dict[str, tuple[str, str]] = {}
    styles = {}
    for name in methods:
        reshuffled = is_reshuffled(name)
        colour, marker = families.setdefault(name.removesuffix("_r"), FAMILIES[len(families) % len(FAMILIES)])
        styles[name] = {
            "color": colour,
            "marker": marker,
            "linestyle": DASHED if reshuffled else "-",
            "markerfacecolor": "white" if reshuffled else colour,
        }
    return styles


def is_reshuffled(method: str) -> bool:
    """Whether a method draws new splits in every round, judged by its name."""
    return method.endswith("_r")

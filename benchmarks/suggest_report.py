"""The tables and the figure of `benchmarks.suggest`."""

import matplotlib.pyplot as plt

from bayes_hpo.report.figures import style
from bayes_hpo.report.tables.markdown import markdown
from benchmarks.lines import LINES
from benchmarks.peers import OPTIMIZERS


def table(rows):
    """A table per number of dimensions: median CPU seconds of a suggestion, and of a new process with its first one."""
    starts = rows.drop_duplicates("optimizer", keep="last").set_index("optimizer")["start"]
    names, parts = [name for name in OPTIMIZERS if name in starts], []
    for d, own in rows.groupby("d"):
        cells = own.pivot(index="optimizer", columns="n", values="median").reindex(names)
        cells.columns = [f"n = {n}" for n in cells]
        parts.append(markdown(f"d = {d}", cells.assign(**{"new process": starts}).map("{:.3g}".format)))
    return "\n\n".join([*parts, face(rows)])


def face(rows):
    """The sentence below the tables: what they rest on."""
    told = {name: ", ".join(sorted(set(map(str, rows[name])))) for name in ("machine", "revision", "version")}
    count = f"{rows['suggestions'].min()} to {rows['suggestions'].max()}"
    return f"Medians of {count} suggestions on {told['machine']}; revision {told['revision']}; {told['version']}."


def draw(rows, path):
    """Median CPU seconds of a suggestion by the number of observations, a panel for each d, written as PNG."""
    with style.house():
        groups = list(rows.groupby("d"))
        figure, axes = plt.subplots(1, len(groups), figsize=(8, 3.2), layout="constrained", sharey=True, squeeze=False)
        for axis, (d, own) in zip(axes[0], groups, strict=True):
            draw_lines(axis, own)
            axis.set_title(f"d = {d}")
        axes[0, 0].set_ylabel("CPU seconds of a suggestion")
        style.legend_above(figure, axes[0, 0])
        style.save(figure, path, "png")
        plt.close(figure)


def draw_lines(axis, rows):
    """Draw the median seconds of every optimizer of one d."""
    for name, own in rows.groupby("optimizer", sort=False):
        colour, dashes = LINES[name]
        axis.plot(own["n"], own["median"], color=colour, linestyle=dashes, label=name)
    axis.set(xlabel="observations", xscale="log", yscale="log")
    sizes = sorted(rows["n"].unique())
    axis.set_xticks(sizes, map(str, sizes))
    axis.minorticks_off()

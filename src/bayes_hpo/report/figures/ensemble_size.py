"""Error by size of ensembles built by forward selection: figure 4.10 of the thesis, figure 7 of uai2016."""

import seaborn
from matplotlib.figure import Figure

from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.report import caption
from bayes_hpo.report.figures import style
from bayes_hpo.report.results import Results


def by_size(results: Results, *, measure: str, dataset: str, validation: str, note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): means over the repetitions on one data set, with bands of one standard deviation.

    measure: name of the measure (`measures.ensemble_sizes`).
    dataset: data set of the document; the largest of the suite replaces one that is missing.
    note: sentence on what is printed.
    Raises: RunError without the measure.
    """
    title, rows = results.shown(measure, dataset, validation)
    methods = [method for method in results.methods if method in set(rows["method"])]
    labels, (symbol, _) = {method: results.printed.method(method) for method in methods}, results.unit_labels
    looks = dict(zip(labels.values(), style.lines(methods).values(), strict=True))
    drawn = rows.assign(error=results.unit.factor * rows["test_error"], label=rows["method"].map(labels))
    drawing = Figure(figsize=(4.8, 3.0), layout="constrained")
    axis = drawing.subplots()
    seaborn.lineplot(
        drawn,
        x="size",
        y="error",
        hue="label",
        hue_order=list(labels.values()),
        palette={label: look["color"] for label, look in looks.items()},
        errorbar="sd",
        err_kws={"alpha": 0.2, "linewidth": 0},
        ax=axis,
    )
    axis.set(title=title, xlabel="models in the ensemble, with repeats", ylabel=f"test error ({symbol})")
    axis.set_xlim(1, drawn["size"].max())
    axis.legend(title=None)
    return drawing, [
        f"{title}: {VALIDATIONS[validation]}, the last rows outside the test part, "
        f"{caption.counted(rows['repetition'].nunique(), 'repetition')}.",
        "Lines: means; bands: standard deviation over repetitions (divisor n - 1); a single one has none. A step may "
        "choose a model again.",
        note,
    ]

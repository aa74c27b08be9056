"""Error and rank of ensembles by number of members: ours, with the results of uai2016's table 2."""

from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from bayes_hpo.report.comparison import as_printed
from bayes_hpo.report.figures import style
from bayes_hpo.report.figures.curves import RANK_LABEL
from bayes_hpo.report.results import Results
from bayes_hpo.stats.ranks import ranks


def by_number(results: Results, *, validation: str, sizes: dict[str, int], note: str) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): mean error (left) and mean rank among the sizes (right), with the printed error.

    sizes: method -> number of members. note: sentence on how they are searched.
    Raises: MissingResultsError unless two of them have common scores.
    """
    compared, notes = as_printed(results, validation, list(sizes))
    members = {results.printed.method(name): size for name, size in sizes.items()}
    errors = compared.mean[sorted(compared.mean, key=lambda label: members[label])]
    numbers, symbol = [members[label] for label in errors], results.unit_labels[0]
    drawing = Figure(figsize=(7.2, 2.8), layout="constrained")
    left, right = drawing.subplots(1, 2)
    left.plot(numbers, errors.mean(), color="black", marker="o", label="ours")
    for label, value in compared.published.mean().items():
        left.plot(members[label], value, color="#D55E00", marker="^", linestyle="none", label=f"published, {label}")
    right.plot(numbers, ranks(errors).mean(), color="black", marker="o")
    left.set_ylabel(f"mean test error ({symbol})")
    right.set_ylabel(RANK_LABEL)
    for axis in (left, right):
        axis.set_xscale("log")
        axis.xaxis.set_minor_locator(NullLocator())
        axis.set_xticks(numbers, map(str, numbers))
        axis.set_xlabel("number of members")
    style.legend_above(drawing, left)
    return drawing, [*notes, note]

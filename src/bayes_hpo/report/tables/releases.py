"""The table of released/README.md: the released searches, their core-hours and the revisions that made them."""

from pathlib import Path

import pandas as pd

from bayes_hpo.errors import RunError
from bayes_hpo.report.tables.markdown import has_place, put
from bayes_hpo.storage import parquet

HEADER = ["study, scale", "protocol", "searcher", "methods", "data sets", "repetitions", "core-hours", "revisions"]
PLACE = "released"


def update(folder: str | Path) -> None:
    """Write the table of all scores in a folder of released scores to its README.md, if that has a place for it.

    Raises: RunError when a score file is damaged.
    """
    page = Path(folder, "README.md")
    if has_place(PLACE, page):
        put(PLACE, table(folder), page)


def table(folder: str | Path) -> str:
    """Lines of the table, a row per study, scale, protocol and searcher."""
    searches: dict[tuple, dict] = {}
    for path in sorted(Path(folder).glob("*/*/*/*/*.parquet")):
        study, scale, dataset, protocol, searcher = path.relative_to(folder).with_suffix("").parts
        searches.setdefault((f"{study}, {scale}", protocol, searcher), {})[dataset] = _ends(path)
    rows = [HEADER, [":--"] * 4 + ["--:"] * 3 + [":--"]]
    rows += [[*key, *_row(pd.concat(parts))] for key, parts in searches.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _ends(path):
    """The final scores in one file."""
    try:
        frame = parquet.read(path).to_pandas()
    except parquet.DAMAGE as problem:
        raise RunError(f"{path} cannot be read ({str(problem).splitlines()[0]}); restore it") from problem
    return frame[frame["final"]]


def _row(ends):
    """Cells of one search. ends: frame with the data set as the first level of its index."""
    runs = ends.groupby([ends.index.get_level_values(0), "repetition"])  # methods share a search
    numbers = runs.size().groupby(level=0).size()
    counts = sorted({numbers.min(), numbers.max()})
    return [
        ", ".join(sorted(set(ends["method"]))),
        str(len(numbers)),
        " to ".join(map(str, counts)),
        f"{runs['seconds'].max().sum() / 3600:.2f}",
        ", ".join(dict.fromkeys(ends["revision"])),
    ]

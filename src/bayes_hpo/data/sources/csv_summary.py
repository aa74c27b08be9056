"""A summary of a user's CSV file as text: sizes, missing values, text columns, and suspicious columns."""

from pathlib import Path

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources.csv_file import rows_of
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.sources.table import LAST, MISSING, number, position


def summary(row: Row, settings: Settings, data: Data) -> list[str]:
    """Sentences about settings.csv, which was read as `data`; warnings come last.

    There is a warning about each column that is constant, or whose values are all distinct and text or whole numbers,
    like row numbers or names.
    """
    header, _, records = rows_of(Path(settings.csv).read_bytes())
    target = position(header, settings.target or row.target or LAST)
    columns = dict(zip(header, zip(*records, strict=True), strict=True))
    features = {name: columns[name] for name in header if name != header[target] and name not in row.drop}
    present = {name: [cell for cell in cells if cell not in MISSING] for name, cells in features.items()}
    missing = {name: len(features[name]) - len(cells) for name, cells in present.items()}
    texts = [name for name, cells in present.items() if any(number(cell) is None for cell in cells)]
    constant = [name for name, cells in present.items() if len(set(cells)) <= 1]
    distinct = [name for name, cells in present.items() if name not in constant and _is_like_an_id(cells, len(records))]
    classes = f"{len(data.header['labels'])} classes of {header[target]}" if data.header["labels"] else header[target]
    return [
        f"{len(records)} rows, {len(features)} features, {classes}, {sum(missing.values())} missing values"
        f"{_listed(' in', [name for name in missing if missing[name]])}",
        *([f"text, each value an indicator:{_listed('', texts)}"] if texts else []),
        *(f"warning: column {name} has one value only; remove it" for name in constant),
        *(
            f"warning: all values of column {name} differ; remove it if it numbers or names the rows"
            for name in distinct
        ),
    ]


def _is_like_an_id(cells, n):
    """Whether the values of all n rows are distinct and no number has a fractional part."""
    return len(set(cells)) == n and not any(number(cell) is not None and not float(cell).is_integer() for cell in cells)


def _listed(word, names):
    return f"{word} {', '.join(names)}" if names else ""

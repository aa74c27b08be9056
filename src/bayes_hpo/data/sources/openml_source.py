"""Data sets of OpenML, downloaded by number or read from a folder of substitutes."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources.openml_files import OML, fetched, known_sums
from bayes_hpo.data.sources.openml_formats import read_table
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.sources.table import LAST, OUTCOMES, classified
from bayes_hpo.errors import RunError, UserError

REST = "rest"  # label of all classes but one
BESIDE = ("regression", "other")  # siblings of settings.openml_dir that may also contain substitutes


def lacking(row: Row, settings: Settings) -> str:
    """Why the data set cannot be read or requested; empty if it can. Does not contact OpenML.

    Raises: UserError when data.openml_dir is not a folder.
    """
    if not settings.openml_dir:
        return "" if row.openml_id else "its number at OpenML is not known, so it is read from a folder (docs/data.md)"
    if not Path(settings.openml_dir).is_dir():
        raise UserError(f"data.openml_dir={settings.openml_dir} is not a folder; leave it out to download from OpenML")
    wanted = " or ".join(part.name for part in _stand_ins(row)) or "file of this set that conf/datasets.csv names"
    return "" if _present(row, settings) else f"{settings.openml_dir} has no {wanted}"


def read(row: Row, settings: Settings) -> Data:
    """The Data of data set row.openml_id: nominal columns as indicators or codes, missing values as NaN.

    With settings.openml_dir it is read from the substitute that the registry names.
    Raises: UserError for an unknown target or folder; RunError when the data set is unavailable or invalid.
    """
    if reason := lacking(row, settings):
        raise RunError(f"{row.name} is unavailable: {reason}")
    part, content, about = (_from_folder if settings.openml_dir else _from_openml)(row, settings)
    checksum = part.verify(content, settings.openml_dir)
    target = settings.target or row.target or about["target"]
    try:
        drop = {*row.drop, *about["drop"]}
        X, y, labels = read_table(part.name, content, target, drop, _outcome(row))
    except RunError as problem:
        raise RunError(f"OpenML data set {row.openml_id or row.name}: {problem}") from problem
    header = row.header({part.name: checksum}, bool(part.sha256), labels, about["licence"])
    return Data(X, y, np.empty(0, np.int64), True, header)


def _outcome(row):
    """The function of the target column: two classes if the registry names one to separate from the others."""
    if not row.against_rest:
        return OUTCOMES[row.task]
    return lambda cells: classified([cell if cell == row.against_rest else REST for cell in cells])


def _from_openml(row, settings):
    """(Part, its bytes, facts from its description) of the file from OpenML."""
    folder = fetched(row, settings)
    description = ElementTree.parse(folder / "description.xml").getroot()
    about = {
        "target": _stated(description, "default_target_attribute"),
        "drop": _all_stated(description, "row_id_attribute", "ignore_attribute"),
        "licence": _stated(description, "licence"),
    }
    return Part("dataset.arff", known_sums(row)), (folder / "dataset.arff").read_bytes(), about


def _from_folder(row, settings):
    """(Part, its bytes, default facts) of the substitute for OpenML's file."""
    part, path = _present(row, settings)
    return part, path.read_bytes(), {"target": LAST, "drop": (), "licence": ""}


def _present(row, settings):
    """(Part, path) of the first substitute for OpenML's file that exists, else None."""
    places = ((part, place(part, settings)) for part in _stand_ins(row))
    return next(((part, path) for part, path in places if path), None)


def place(part: Part, settings: Settings) -> Path | None:
    """The path of a file in settings.openml_dir or its siblings; None if it does not exist."""
    folder = Path(settings.openml_dir)
    roots = [folder, *(folder.resolve().parent / name for name in BESIDE)]
    return next((root / part.name for root in roots if (root / part.name).is_file()), None)


def _stand_ins(row):
    """Substitutes (Parts) for OpenML's file; the first layout in the registry is that file itself."""
    return [part for (part, *_) in row.layouts[1:]]


def _stated(description, name):
    return (description.findtext(OML + name) or "").strip()


def _all_stated(description, *names):
    """All names in the elements `names` of the description, which may contain comma-separated lists."""
    texts = [element.text or "" for name in names for element in description.findall(OML + name)]
    return {name.strip() for text in texts for name in text.split(",")}

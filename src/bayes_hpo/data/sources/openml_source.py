"""Data sets of OpenML by id: nominal attributes as indicators, missing values marked."""

import hashlib
from xml.etree import ElementTree

import arff
import numpy as np

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.sources.openml_files import OML, fetched, known_sums
from bayes_hpo.data.sources.table import class_numbers, one_hot, stratifiable
from bayes_hpo.errors import Fault, UserError


def lacking(row, settings):
    """Why the data set cannot be asked for; empty when it can (whether OpenML answers is not tried)."""
    return "" if row.openml_id else "the registry names no openml_id"


def read(row, settings):
    """Return the Data of OpenML data set row.openml_id: nominal columns as indicators, NaN where a value is missing.

    Raises: UserError for an unknown target; Fault when the set cannot be had whole or cannot be used.
    """
    if problem := lacking(row, settings):
        raise Fault(f"{row.name} cannot be had: {problem}")
    folder = fetched(row, settings)
    description = ElementTree.parse(folder / "description.xml").getroot()
    content = (folder / "dataset.arff").read_bytes()
    try:
        X, y, labels = _features(content, description, row, settings)
    except Fault as problem:
        raise Fault(f"OpenML data set {row.openml_id}: {problem}") from problem
    header = {
        "name": row.name,
        "source": "openml",
        "files": {"dataset.arff": hashlib.sha256(content).hexdigest()},
        "verified": bool(known_sums(row)),
        "labels": labels,
        "licence": row.licence or _stated(description, "licence"),
    }
    return Data(X, y, np.empty(0, np.int64), True, header)


def _features(content, description, row, settings):
    """(X (n, p), y (n,), class labels) of the bytes of an ARFF file."""
    try:
        table = arff.loads(content.decode())
    except (arff.ArffException, ValueError) as problem:
        raise Fault(f"its ARFF file cannot be read ({problem})") from problem
    names = [name for name, _ in table["attributes"]]
    target = settings.target or row.target or _stated(description, "default_target_attribute")
    if target not in names:
        raise UserError(f"data.target={target} is no attribute of {row.name}; allowed: {', '.join(names)}")
    columns = dict(zip(names, zip(*table["data"], strict=True), strict=True))
    labels = [
        "" if value is None else value if isinstance(value, str) else f"{value:.17g}" for value in columns[target]
    ]
    y, classes = class_numbers(labels)
    stratifiable(y, classes)
    skipped = {target, *row.drop, *_all_stated(description, "row_id_attribute", "ignore_attribute")}
    X = [_feature(name, kind, columns[name]) for name, kind in table["attributes"] if name not in skipped]
    return np.hstack(X), y, classes


def _feature(name, kind, values):
    """Features (n, 1) of a numeric attribute, (n, k) of a nominal one; a missing value is None."""
    if isinstance(kind, list):
        return one_hot(name, values, kind)
    if kind.upper() in ("NUMERIC", "REAL", "INTEGER"):
        return np.array([[np.nan if value is None else value] for value in values], dtype=float)  # (n, 1)
    raise Fault(f"attribute {name} is of type {kind}; name it in column `drop` of conf/datasets.csv")


def _stated(description, name):
    return (description.findtext(OML + name) or "").strip()


def _all_stated(description, *names):
    """Every name that the elements `names` of the description hold, which may be lists."""
    texts = [element.text or "" for name in names for element in description.findall(OML + name)]
    return {one.strip() for text in texts for one in text.split(",")}

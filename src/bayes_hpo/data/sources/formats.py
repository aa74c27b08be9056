"""Readers for the file formats of the archive and of substitutes for its missing files."""

import gzip
import io

import arff
import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.archive_scale import archive_scale
from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources.adult import read_adult


def read_part(part: Part, content: bytes, row: Row) -> tuple[NDArray, NDArray]:
    """(X (n, p), y (n,) integers as in the file) from the bytes of one file.

    Substitutes are converted to the scale of the archive.
    Raises: ValueError when the content does not have the format that the name implies.
    """
    for ending, reader in READERS.items():
        if part.name.endswith(ending):
            try:
                return reader(content, row)
            except (ValueError, IndexError, KeyError, EOFError, OSError, arff.ArffException) as problem:
                raise ValueError(f"{part.name} cannot be read ({problem})") from problem
    raise ValueError(f"{part.name} has an unknown format; known endings: {', '.join(READERS)}")


def _archive(content, row):
    """NAME_R.dat: a header line, then row number, features and class, separated by tabs."""
    table = _table(content)
    return table[:, 1:-1], _whole(table[:, -1])


def _arff(content, row):
    """NAME.arff: the numbers of NAME_R.dat without the row numbers."""
    table = np.array(arff.loads(content.decode())["data"], dtype=float)
    if not len(table):
        raise ValueError("it has no rows")
    return table[:, :-1], _whole(table[:, -1])


def _pmlb(content, row):
    """The .tsv.gz of PMLB: named columns, integer codes."""
    content = gzip.decompress(content)
    names = content.partition(b"\n")[0].decode().split("\t")
    table = _table(content)
    keep = [j for j, name in enumerate(names) if name not in {row.target, *row.drop}]
    return archive_scale(table[:, keep]), _whole(table[:, names.index(row.target)])


def _uci_adult(content, row):
    X, y = read_adult(content.decode())
    return archive_scale(X), y


def _table(content):
    """Numbers (n, columns) below a header line."""
    if b"\n" not in content.strip():
        raise ValueError("it has no rows")
    return np.loadtxt(io.BytesIO(content), skiprows=1, ndmin=2)


def _whole(column):
    """Class numbers (n,) as integers."""
    if not np.array_equal(column, np.rint(column)):
        raise ValueError("the last column holds no class numbers")
    return column.astype(np.int64)


READERS = {"_R.dat": _archive, ".arff": _arff, ".tsv.gz": _pmlb, "adult.data": _uci_adult, "adult.test": _uci_adult}

"""MNIST: the four original IDX files in a folder, or OpenML's copy."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources import openml_source
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError

BYTES = 8  # type code of unsigned bytes, the third byte of an IDX file; the fourth is the number of dimensions


def lacking(row: Row, settings: Settings) -> str:
    """Why the data set cannot be read or requested; empty if it can.

    Raises: UserError when data.openml_dir is not a folder.
    """
    if not settings.openml_dir:
        return openml_source.lacking(row, settings)
    absent = [part.name for part in row.layouts[0] if not openml_source.place(part, settings)]
    return f"{settings.openml_dir} has no {', '.join(absent)}" if absent else ""


def read(row: Row, settings: Settings) -> Data:
    """The Data: pixels (n, 784) as bytes; the last pair of files (images, labels) is the given test part.

    Raises: UserError for a wrong folder; RunError when a file is missing, cut or altered.
    """
    if reason := lacking(row, settings):
        raise RunError(f"{row.name} is unavailable: {reason}")
    if not settings.openml_dir:
        copy = openml_source.read(replace(row, layouts=()), settings)
        return replace(copy, X=copy.X.astype(np.uint8))
    parts = row.layouts[0]
    contents = {part: Path(str(openml_source.place(part, settings))).read_bytes() for part in parts}
    sums = {part.name: part.verify(content, settings.openml_dir) for part, content in contents.items()}
    arrays = [idx(part, content) for part, content in contents.items()]
    X = np.concatenate([images.reshape(len(images), -1) for images in arrays[::2]])
    y = np.concatenate(arrays[1::2]).astype(np.int64)
    given_test = np.arange(len(y) - len(arrays[-1]), len(y))
    return Data(X, y, given_test, True, row.header(sums, all(part.sha256 for part in parts), list(range(10))))


def idx(part: Part, content: bytes) -> NDArray:
    """The array of bytes in a gzipped IDX file: two zeros, type, number of dimensions, their sizes, the values.

    Raises: RunError when the file is truncated or not an IDX file of bytes.
    """
    try:
        content = gzip.decompress(content)
    except (EOFError, OSError) as problem:
        raise RunError(f"{part.name} is not a complete gzip file ({problem})") from problem
    if content[:3] != bytes([0, 0, BYTES]):
        raise RunError(f"{part.name} is not an IDX file of bytes")
    shape = np.frombuffer(content, ">u4", count=content[3], offset=4)
    numbers = np.frombuffer(content, np.uint8, offset=4 + 4 * content[3])
    if len(numbers) != np.prod(shape):
        raise RunError(f"{part.name} has {len(numbers)} numbers, its header says {np.prod(shape)}; fetch it again")
    return numbers.reshape(shape)

"""CIFAR-10: the original binary batches in a folder, or OpenML's copy."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources import openml_source
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError

RECORDS, PIXELS = 10_000, 3072  # records per file; values per image: 32 x 32 red, then green, then blue
RECORD = np.dtype([("label", np.uint8), ("pixels", np.uint8, PIXELS)])
LABELS = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]


def lacking(row: Row, settings: Settings) -> str:
    """Why the data set cannot be read or requested; empty if it can.

    Raises: UserError when data.cifar_dir is not a folder.
    """
    if not settings.cifar_dir:
        return openml_source.lacking(row, settings)
    folder = Path(settings.cifar_dir)
    if not folder.is_dir():
        raise UserError(f"data.cifar_dir={folder} is not a folder; give the one that holds data_batch_1.bin")
    absent = [part.name for part in row.layouts[0] if not (folder / part.name).is_file()]
    return f"{folder} has no {', '.join(absent)}" if absent else ""


def read(row: Row, settings: Settings) -> Data:
    """The Data: pixels (n, 3072) as bytes, rows in the order of the batches, the last file as test part.

    The test part of OpenML's copy is the last sixth of its rows, the same share as in the batches.
    Raises: UserError for a wrong folder; RunError when a file is missing, cut or altered.
    """
    if reason := lacking(row, settings):
        raise RunError(f"{row.name} is unavailable: {reason}")
    if not settings.cifar_dir:
        return _from_openml(row, settings)
    files, sums = zip(*_files(row, settings.cifar_dir), strict=True)
    records, n_test = np.concatenate(files), len(files[-1])
    verified = all(part.sha256 for part in row.layouts[0])
    header = row.header(dict(sums), verified, LABELS)
    return _data(records["pixels"], records["label"].astype(np.int64), n_test, header)


def _files(row: Row, folder: str) -> Iterator[tuple[NDArray, tuple[str, str]]]:
    """Yield (records, (name, sha256)) of each file."""
    for part in row.layouts[0]:
        content = Path(folder, part.name).read_bytes()
        records, left = divmod(len(content), RECORD.itemsize)
        if left or not 0 < records <= RECORDS:
            raise RunError(
                f"{folder}/{part.name} has {len(content)} bytes, not {RECORDS} records of {RECORD.itemsize} (a label, "
                f"{PIXELS} pixels), nor fewer whole ones; unpack cifar-10-binary.tar.gz again"
            )
        parsed = np.frombuffer(content, RECORD)
        if (largest := parsed["label"].max()) >= len(LABELS):
            raise RunError(
                f"{folder}/{part.name} has the label {largest}, not one of 0 to 9; it is not a CIFAR-10 file"
            )
        yield parsed, (part.name, part.verify(content, folder))


def _from_openml(row: Row, settings: Settings) -> Data:
    """The Data of OpenML's copy, in its row order; the registered files are the original batches, not this copy."""
    data = openml_source.read(replace(row, layouts=()), settings)
    return _data(data.X.astype(np.uint8), data.y, len(data.X) // 6, data.header)


def _data(pixels, y, n_test, header):
    return Data(np.ascontiguousarray(pixels), y, np.arange(len(y) - n_test, len(y)), False, header)

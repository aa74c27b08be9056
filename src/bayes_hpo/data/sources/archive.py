"""The archive of Fernandez-Delgado et al. (JMLR 15, 2014) in its own layout, with its given test parts."""

import numpy as np

from bayes_hpo.data.archive_scale import archive_scale
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row
from bayes_hpo.data.sources.containers import opened
from bayes_hpo.data.sources.download import download
from bayes_hpo.data.sources.formats import read_part
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError


def lacking(row: Row, settings: Settings) -> str:
    """Why the data set cannot be read; empty if it can be read or downloaded.

    Raises: UserError when data.archive_dir does not exist.
    """
    place = _place(settings)
    if not place:
        return "" if settings.archive_url else "it is in the archive, whose folder is not given"
    files = _files(row, opened(place, settings.folder))
    return "" if files else f"{place} has no {row.folder}/{row.layouts[0][0].name}"


def read(row: Row, settings: Settings) -> Data:
    """The Data of a data set of the archive, its numbers unchanged except in the variant `repaired` (D26).

    X (n, p) stacks the training part and the given test part. header["verified"] is false if the sha256 of a file is
    unknown.
    Raises: UserError when data.archive_dir does not exist; RunError when files are missing, cut, altered or unreadable.
    """
    if not _place(settings) and settings.archive_url:
        download(settings.archive_url, _kept(settings), settings)
    if reason := lacking(row, settings):
        raise RunError(
            f"{row.name} is unavailable: {reason}; "
            "give the archive by data.archive_dir=FOLDER or data.archive_url=ADDRESS (docs/data.md)"
        )
    container = opened(_place(settings), settings.folder)
    files = _files(row, container)
    contents = [container.read(row.folder, part.name) for part in files]
    sums = {part.name: part.verify(content, row.folder) for part, content in zip(files, contents, strict=True)}
    try:
        parts = [read_part(part, content, row) for part, content in zip(files, contents, strict=True)]
    except ValueError as problem:
        raise RunError(f"{row.name}: {problem}; fetch the file again") from problem
    verified = all(part.sha256 for part in files)
    return _joined(row, parts, sums, verified)


def _place(settings):
    """The folder or file of the archive: as given, else as downloaded earlier, else empty."""
    return settings.archive_dir or (_kept(settings) if _kept(settings).is_file() else "")


def _kept(settings):
    return settings.folder / "archive" / "data.tar.gz"


def _files(row, container):
    """The first layout (tuple of Parts) whose files all exist; empty if there is none."""
    return next((layout for layout in row.layouts if all(container.has(row.folder, part.name) for part in layout)), ())


def _joined(row, parts, sums, verified):
    """The Data of the parts [(X (n, p), y (n,))], training part first."""
    if row.rescale:
        place = ("train", "test").index(row.rescale)
        parts[place] = (archive_scale(parts[place][0]), parts[place][1])
    sizes = {X.shape[1] for X, _ in parts}
    if len(sizes) > 1:
        raise RunError(f"{row.name}: its parts have {sorted(sizes)} features; fetch the files again")
    codes = np.concatenate([y for _, y in parts])
    if row.against_rest:
        codes = (codes == int(row.against_rest)).astype(np.int64)
    labels, y = np.unique(codes, return_inverse=True)
    header = row.header(sums, verified, labels.tolist())
    given_test = np.arange(len(parts[0][1]), len(y)) if len(parts) > 1 else np.empty(0, np.int64)
    return Data(np.vstack([X for X, _ in parts]), y.astype(np.int64), given_test, False, header)

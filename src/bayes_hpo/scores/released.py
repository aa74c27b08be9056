"""Released scores and measures: small committed files from which all products can be made without a search."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.scores import frames
from bayes_hpo.scores.extended import extended
from bayes_hpo.scores.sums import Sums
from bayes_hpo.storage import measured, parquet, provenance
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import measure_folder, released_folder, score_files, score_folder

OPTIONAL = ["configuration", "failures"]  # columns missing in files of older versions
COLUMNS = [*frames.COLUMNS, *frames.CHECKED, *OPTIONAL, "seconds", "revision"]
CELL = ["repetition", "method"]  # rows of equal values are replaced together
PROVENANCE = ["seconds", "revision"]
FORMAT = {  # a third of the default size; what remains is mostly names in the footer, and seconds, which hardly repeat
    "compression": "zstd",
    "compression_level": 19,
    "store_schema": False,
    "write_statistics": False,
    "use_dictionary": [name for name in COLUMNS if name != "seconds"],
}


def folders(scale: str, study: str, *, results: str, released: str | None) -> tuple[Path, Path]:
    """Folders of a study's scores and measures: in `released` if given, else in `results`.

    Raises: UserError when `released` is not a folder, or contains nothing of the study at this scale; RunError when a
    released file of the study is damaged (`Sums.check`).
    """
    if not released:
        return Path(score_folder(scale, study, results)), Path(measure_folder(scale, study, results))
    folder = Path(released_folder(scale, study, released))
    if not Path(released).is_dir():
        raise UserError(f"scores={released} is not a folder; give that of released scores, such as scores=released")
    if not folder.is_dir():
        others = sorted(f"{path.parent.name} at {path.name}" for path in Path(released).glob("*/*/"))
        raise UserError(
            f"scores={released} holds none of {study} at scale {scale}, but {', '.join(others) or 'no study at all'}; "
            f"leave scores out, or release them: python -m bayes_hpo.stages.release study={study} scale={scale}"
        )
    Sums(released).check(study, scale)
    return folder, folder / "measures"


def release(
    scale: str, study: str, datasets: Sequence[str], *, results: str, released: str, worst_loss: float
) -> Iterator[str]:
    """Copy new and changed scores and measures to `released`; yield a sentence about each data set and measure.

    The unit is one repetition of one method with all its iterations: it is added or replaced as a whole, or left
    unchanged if its scores are equal. Nothing is deleted from `released`; files copied there by hand are added to the
    list of checksums.
    worst_loss: highest possible loss of the study's task.
    Raises: RunError when files on either side are damaged or belong elsewhere (`Sums.verify`, `frames.read`,
    `measured.read`), or a file cannot be written.
    """
    source, measures = folders(scale, study, results=results, released=None)
    target, sums = Path(released_folder(scale, study, released)), Sums(released)
    sums.verify(study, scale)
    if any(source.glob("*/*/*.parquet")) or not (any(measures.glob("*.parquet")) or target.is_dir()):
        frames.read(source, study=study, scale=scale, datasets=datasets, worst_loss=worst_loss)
    written = 0
    for dataset in datasets:
        if score_files(target, [dataset]):
            frames.read(target, study=study, scale=scale, datasets=[dataset], worst_loss=worst_loss)
        paths = score_files(source, [dataset])
        counts = [_release_scores(path, target / path.relative_to(source), sums) for path in paths]
        added, replaced = map(sum, zip(*counts, strict=True)) if counts else (0, 0)
        if added or replaced:
            yield f"{dataset}: {added} cells added, {replaced} replaced"
        written += sum(map(any, counts))
    for path in sorted(measures.glob("*.parquet")):
        if _release_measure(path, target / "measures" / path.name, sums, study=study, scale=scale):
            yield f"measure {path.stem}: copied"
            written += 1
    sums.add(study, scale)
    yield f"{target}: {written} files written"


def _release_scores(source, target, sums):
    """Copy new and changed repetitions from one file to the other; return (number added, number replaced)."""
    finished = _read(source)
    old = _read(target) if target.is_file() else finished.iloc[:0]
    if _same(finished, old):
        return 0, 0
    finished, old = dict(list(finished.groupby(CELL))), dict(list(old.groupby(CELL)))
    added = finished.keys() - old.keys()
    replaced = {cell for cell in finished.keys() & old.keys() if not _same(finished[cell], old[cell])}
    if added or replaced:
        merged = old | {cell: finished[cell] for cell in added | replaced}
        table = pa.Table.from_pandas(pd.concat([merged[cell] for cell in sorted(merged)]), preserve_index=False)
        with sums.changing(target), atomic(target) as temporary:
            parquet.write(table, temporary, **FORMAT)
    return len(added), len(replaced)


def _release_measure(source, target, sums, **names):
    """Release a measure, keeping released rows of other searches; return whether the file has changed."""
    frame = measured.read(source, "make it again (python -m bayes_hpo.stages.measure)", **names)
    merged, depends = extended(frame, provenance.depends(source) or {}, target, "restore it", **names)
    known = provenance.depends(target) == depends
    if known and measured.read(target, "restore it", **names).equals(merged):
        return False
    with sums.changing(target):
        measured.write(merged, target, depends, **names)
    return True


def _read(path):
    """The scores in one file, sorted by CELL: frame of COLUMNS, with the configuration of final rows only.

    Seconds are rounded to three significant digits. Columns missing in files of older versions (OPTIONAL) are empty.
    """
    try:
        table = parquet.read(path)
        frames.check_owner(path, table.schema.metadata, "search again what its name says")
    except parquet.DAMAGE as problem:
        raise RunError(f"{path} cannot be read ({str(problem).splitlines()[0]}); delete it, or restore it") from problem
    frame = table.to_pandas()
    if lacking := [name for name in COLUMNS if name not in {*frame, *OPTIONAL}]:
        raise RunError(f"{path} lacks {', '.join(lacking)}; delete it, or restore it")
    frame = frame.reindex(columns=COLUMNS)
    frame["configuration"] = frame["configuration"].where(frame["final"])
    frame["seconds"] = frame["seconds"].map("{:.3g}".format).astype("float32")
    return frame.sort_values([*CELL, "iteration"], ignore_index=True)


def _same(first, second):
    """Whether two frames contain the same scores, ignoring revision and seconds."""
    first, second = (frame.drop(columns=PROVENANCE).reset_index(drop=True) for frame in (first, second))
    return first.equals(second)

"""The store of prepared data sets, results/data: prepares data sets and lists which are available."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from bayes_hpo.data import sources
from bayes_hpo.data.binary import binary
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row, checked_name, find, registry
from bayes_hpo.data.sources import csv_summary
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError

BINARY = "binary"  # the two-class variant
FILES = {
    "bundled": "bundled",
    "archive": "archive",
    "csv": "csv_file",
    "openml": "openml_source",
    "cifar": "cifar",
    "mnist": "mnist",
}  # modules in sources/
OPENML_FILES = "files of OpenML"  # data sets whose OpenML number is unknown
NEEDED = {
    "bundled": "",
    "archive": "data.archive_dir=FOLDER",
    "csv": "data.csv=FILE",
    "openml": "",
    OPENML_FILES: "data.openml_dir=FOLDER",
    "cifar": "data.cifar_dir=FOLDER",
    "mnist": "",
}


@dataclass(frozen=True)
class Availability:
    """Whether and how a data set can be used.

    state: prepared, obtainable or missing.
    reason: why it is not obtainable, else empty.
    command: command that prepares the data set.
    """

    name: str
    state: str
    reason: str
    command: str


def location(name: str, settings: Settings) -> Path:
    """Path of a prepared data set. Raises: UserError for an invalid name."""
    return settings.folder / f"{checked_name(name)}.npz"


def prepare(name: str, settings: Settings, conf: str = "conf") -> Path:
    """Prepare data set `name` unless a valid file exists; return its path.

    An unregistered name needs settings.csv. If the settings name a source, and for bundled data sets, the source is
    read every time and the store updated, so that corrections of files, registry or readers take effect.
    Raises: UserError for an unknown name or a wrong setting; RunError when the data set is unavailable or differs from
    the registry.
    """
    path = location(name, settings)
    row = _row(name, settings, conf)
    stored = _stored(path, row)
    if stored and not _has_source(row, settings):
        return path
    data = import_module(f"{sources.__name__}.{FILES[row.source]}").read(row, settings)
    if row.variant == BINARY:
        data = binary(data)
    if problem := data.difference(row.stated):
        raise RunError(
            f"{name} is not the registered data set ({problem}); fetch it again or correct conf/datasets.csv"
        )
    if stored is None or (stored.header, stored.digest) != (data.header, data.digest):
        data.save(path)
    return path


def contents(name: str, settings: Settings, conf: str = "conf") -> list[str]:
    """Sentences about the file settings.csv that data set `name` was prepared from; empty without such a file."""
    if not settings.csv:
        return []
    row = _row(name, settings, conf)
    return csv_summary.summary(row, settings, Data.load(location(name, settings), row.stated))


def _has_source(row, settings):
    """Whether the settings name a source of the data set; bundled data sets need none."""
    given = {
        "bundled": True,
        "archive": settings.archive_dir or settings.archive_url,
        "openml": settings.openml_dir or settings.target,
        "cifar": settings.cifar_dir,
        "mnist": settings.openml_dir,
    }
    return bool(settings.csv or given.get(row.source))


def prepare_all(
    names: Sequence[str], settings: Settings, conf: str = "conf", say: Callable[[str], None] = print
) -> None:
    """Prepare every data set of `names` and print one line about each.

    Raises: RunError that lists the data sets that could not be prepared, if any.
    """
    failed = []
    for name in names:
        try:
            say(f"{name}: {prepare(name, settings, conf)}")
        except RunError as problem:
            failed.append(name)
            say(f"{name}: {problem}")
    if failed:
        raise RunError(
            f"{len(failed)} of {len(names)} data sets could not be prepared: {', '.join(failed)}; the others are ready"
        )


def availability(names: Sequence[str], settings: Settings, conf: str = "conf") -> list[Availability]:
    """The Availability of each data set of `names`, without downloads."""
    return [_available(name, settings, conf) for name in names]


def origin(row: Row) -> str:
    """The origin of a data set, a key of NEEDED: its source, or OPENML_FILES if its OpenML number is unknown."""
    return OPENML_FILES if row.source == "openml" and not row.openml_id else row.source


def _available(name, settings, conf):
    row = _row(name, settings, conf)
    stored = _stored(location(name, settings), row)
    reason = "" if stored else import_module(f"{sources.__name__}.{FILES[row.source]}").lacking(row, settings)
    given = NEEDED[origin(row)] if reason else settings.overrides()
    command = f"python -m bayes_hpo.stages.data dataset={name} {given}".rstrip()
    return Availability(name, "prepared" if stored else "missing" if reason else "obtainable", reason, command)


def _row(name, settings, conf):
    """The registered Row, or a new Row for a user's data set, from settings.csv or prepared earlier."""
    user_row = Row(checked_name(name), source="csv")
    if settings.csv:
        row = registry(conf).get(name, user_row)
        if row.source != "csv":
            raise UserError(f"dataset={name} is a registered data set; give the data of data.csv another name")
        return row
    try:
        return find(name, conf)
    except UserError:
        if location(name, settings).exists():
            return user_row
        raise


def _stored(path, row):
    """The prepared Data if it is valid and agrees with the registry, else None."""
    try:
        return Data.load(path, row.stated)
    except RunError:
        return None

"""The store of prepared data sets, results/data: what is in it, what can be had, and how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from bayes_hpo.data import sources
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Row, checked_name, find, registry
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import Fault, UserError

FILES = {"bundled": "bundled", "archive": "archive", "csv": "csv_file", "openml": "openml_source"}  # below sources/
NEEDED = {"bundled": "", "archive": "data.archive_dir=FOLDER", "csv": "data.csv=FILE", "openml": ""}


@dataclass(frozen=True)
class Availability:
    """state: prepared, obtainable or missing; why: what stands in the way; command: what prepares the data set."""

    name: str
    state: str
    why: str
    command: str


def location(name: str, settings: Settings) -> Path:
    """Path of a prepared data set. Raises: UserError for a name that is none."""
    return settings.folder / f"{checked_name(name)}.npz"


def prepare(name: str, settings: Settings, conf: str = "conf") -> Path:
    """Prepare data set `name` unless it is there and whole; return its path. A damaged one is made again.

    A name of the user's own needs settings.csv. Where a source is given (and for bundled sets) it is read each time and
    the store follows it, so a correction of a file, of the registry or of the code that reads is taken over.
    Raises: UserError for an unknown name or a wrong setting; Fault when the data set cannot be had or is not what the
    registry says.
    """
    path = location(name, settings)
    row = _row(name, settings, conf)
    stored = _stored(path, row)
    if stored and not _named(row, settings):
        return path
    data = import_module(f"{sources.__name__}.{FILES[row.source]}").read(row, settings)
    if problem := data.difference(row.stated):
        raise Fault(f"{name} is not the registered data set ({problem}); fetch it again or correct conf/datasets.csv")
    if stored is None or (stored.header, stored.digest) != (data.header, data.digest):
        data.save(path)
    return path


def _named(row, settings):
    """Whether the command says where the data set comes from; what is bundled is always at hand."""
    named = {
        "bundled": True,
        "archive": settings.archive_dir or settings.archive_url,
        "openml": settings.openml_dir or settings.target,
    }
    return bool(settings.csv or named.get(row.source))


def prepare_all(
    names: Sequence[str], settings: Settings, conf: str = "conf", say: Callable[[str], None] = print
) -> None:
    """Prepare every one of `names` that can be had, with a line for each.

    Raises: Fault that names the others, when there are any.
    """
    failed = []
    for name in names:
        try:
            say(f"{name}: {prepare(name, settings, conf)}")
        except Fault as problem:
            failed.append(name)
            say(f"{name}: {problem}")
    if failed:
        raise Fault(
            f"{len(failed)} of {len(names)} data sets could not be prepared: {', '.join(failed)}; the others are ready"
        )


def availability(names: Sequence[str], settings: Settings, conf: str = "conf") -> list[Availability]:
    """Return the Availability of each of `names`; nothing is fetched."""
    return [_available(name, settings, conf) for name in names]


def _available(name, settings, conf):
    row = _row(name, settings, conf)
    whole = _stored(location(name, settings), row)
    why = "" if whole else import_module(f"{sources.__name__}.{FILES[row.source]}").lacking(row, settings)
    given = NEEDED[row.source] if why else settings.overrides()
    command = f"python -m bayes_hpo.stages.data dataset={name} {given}".rstrip()
    return Availability(name, "prepared" if whole else "missing" if why else "obtainable", why, command)


def _row(name, settings, conf):
    """The registered Row, or one for a name of the user's own, which is read from settings.csv or was before."""
    mine = Row(checked_name(name), source="csv")
    if settings.csv:
        row = registry(conf).get(name, mine)
        if row.source != "csv":
            raise UserError(f"dataset={name} is a registered data set; give the data of data.csv another name")
        return row
    try:
        return find(name, conf)
    except UserError:
        if location(name, settings).exists():
            return mine
        raise


def _stored(path, row):
    """The prepared Data when it is whole and the registry's, else None."""
    try:
        return Data.load(path, row.stated)
    except Fault:
        return None

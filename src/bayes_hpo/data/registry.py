"""The registry of data sets: conf/datasets.csv, one row per data set, and the suites that its rows belong to."""

import difflib
import hashlib
import re
from dataclasses import dataclass, fields
from pathlib import Path

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.outcomes.kinds import CLASSIFICATION, KINDS
from bayes_hpo.storage.rows import read_rows

SOURCES = ("bundled", "archive", "csv", "openml", "cifar", "mnist")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")  # part of file names, which are limited to 255 characters
ALLOWED = "letters, digits, '.', '_' and '-', a letter or digit first, at most 100"
SHA256 = re.compile(r"[0-9a-f]{64}")
ON_OPENML = re.compile(r"openml-(\d+)")


@dataclass(frozen=True)
class Part:
    """One file of a data set.

    name: path inside the folder of the data set.
    sha256: allowed checksums; empty if they are unknown.
    """

    name: str
    sha256: tuple = ()

    def verify(self, content: bytes, folder: str) -> str:
        """The sha256 of the file's content, which was read from `folder`.

        Raises: RunError when checksums are registered and this is not one of them.
        """
        checksum = hashlib.sha256(content).hexdigest()
        if self.sha256 and checksum not in self.sha256:
            raise RunError(
                f"{folder}/{self.name} is cut or altered (sha256 {checksum}, registered {' or '.join(self.sha256)}); "
                "download it again, or add its checksum to conf/datasets.csv if you know it to be right"
            )
        return checksum


@dataclass(frozen=True)
class Row:
    """One row of the registry; unknown numbers are 0.

    published_name: name in tables B.1 and B.2 of the thesis, and in the tables of Shen et al. 2022.
    abbreviation: name in chapters 4 and 5 of the thesis and in uai2016.
    layouts: alternative sets of files, each a tuple of Parts, training part first.
    n, p, classes: numbers of rows, feature columns and classes of all parts together.
    n_test: number of rows of the given test part.
    rest: number of rows outside the test part of chapter 3 (D3).
    against_rest: class, as written in the files, to be separated from all others.
    family: label shared by data sets derived from the same data.
    rescale: part ("train" or "test") that the variant `repaired` standardizes.
    """

    name: str
    published_name: str = ""
    abbreviation: str = ""
    task: str = CLASSIFICATION
    source: str = "archive"
    layouts: tuple = ()
    openml_id: int = 0
    target: str = ""
    drop: tuple = ()
    against_rest: str = ""
    n: int = 0
    p: int = 0
    classes: int = 0
    n_test: int = 0
    rest: int = 0
    published_n: int = 0
    published_p: int = 0
    published_classes: int = 0
    family: str = ""
    licence: str = ""
    suites: tuple = ()
    variant: str = ""
    rescale: str = ""
    note: str = ""

    @property
    def folder(self) -> str:
        """Folder of the files: the name without its variant."""
        return self.name.removesuffix(f"-{self.variant}") if self.variant else self.name

    @property
    def stated(self) -> dict:
        """Stated facts about the prepared data set (dict, as `Data.facts`), without sizes if these are unknown."""
        sizes = ("n", "p", "classes", "n_test") if self.n else ()
        return {name: getattr(self, name) for name in ("name", "source", "task", *sizes)}

    def header(self, files: dict[str, str], verified: bool, labels: list, licence: str = "") -> dict:
        """The header of the prepared data set (dict).

        files: name -> sha256.
        verified: whether the registry has the sha256 of every file.
        labels: class labels.
        licence: used if the registry states none.
        """
        known = {"name": self.name, "source": self.source, "licence": self.licence or licence}
        return known | {"files": files, "verified": verified, "labels": labels}


COLUMNS = [
    name for field in fields(Row) for name in (("files", "sha256") if field.name == "layouts" else (field.name,))
]
NUMBERS = [field.name for field in fields(Row) if field.type is int]


def checked_name(name: str) -> str:
    """Return `name` if it is valid, so that a path built from it cannot leave its folder.

    Raises: UserError for characters other than ALLOWED.
    """
    if not NAME.fullmatch(name):
        raise UserError(f"dataset={name} is not a valid name: use {ALLOWED}")
    return name


def registry(conf: str = "conf") -> dict[str, Row]:
    """Return every row of `conf`/datasets.csv, dict name -> Row, in the order of the file.

    Raises: UserError when the file is missing, a row is malformed or a name occurs twice.
    """
    return read_rows(Path(conf) / "datasets.csv", COLUMNS, _row, "is registered twice")


def find(name: str, conf: str = "conf") -> Row:
    """Return the Row of data set `name`; `openml-ID` refers to any data set of OpenML, registered or not.

    Raises: UserError for an invalid or unknown name (with the closest matches).
    """
    rows = registry(conf)
    if checked_name(name) in rows:
        return rows[name]
    if match := ON_OPENML.fullmatch(name):
        return Row(name=name, source="openml", openml_id=int(match[1]))
    close = difflib.get_close_matches(name, rows, n=3)
    hint = f" (did you mean {' or '.join(close)}?)" if close else ""
    raise UserError(
        f"unknown dataset={name}{hint}; allowed: {', '.join(rows)}, openml-ID, or a name of yours with data.csv=FILE"
    )


def stated(name: str, conf: str = "conf") -> dict:
    """Stated facts about the prepared data set `name` (`Row.stated`); empty if it is not registered."""
    row = registry(conf).get(name)
    return row.stated if row else {}


def suite(name: str, conf: str = "conf") -> list[str]:
    """Return the names of the data sets of suite `name`, in the order of the registry.

    Raises: UserError for an unknown suite.
    """
    rows = registry(conf).values()
    names = [row.name for row in rows if name in row.suites]
    if not names:
        known = sorted({suite for row in rows for suite in row.suites})
        raise UserError(f"unknown suite={name}; allowed: {', '.join(known)}")
    return names


def _row(values):
    """The Row of one line (dict, column -> cell). Raises: ValueError, with the reason, when it is malformed."""
    if not NAME.fullmatch(values["name"]):
        raise ValueError(f"the name needs {ALLOWED}")
    values["task"] = values["task"] or CLASSIFICATION
    for name, allowed in {"source": SOURCES, "task": KINDS}.items():
        if values[name] not in allowed:
            raise ValueError(f"{name}={values[name]} is not one of {', '.join(allowed)}")
    for name in (*NUMBERS, "against_rest"):
        if not re.fullmatch(r"\d*", values[name]):
            raise ValueError(f"{name}={values[name]} is not a whole number")
    values |= {name: int(values[name] or 0) for name in NUMBERS}
    if values["rescale"] not in ("", "train", "test"):
        raise ValueError(f"rescale={values['rescale']} is not train, test or empty")
    values["layouts"] = _layouts(values.pop("files"), values.pop("sha256"))
    if values["source"] == "archive" and not values["layouts"]:
        raise ValueError("a data set of the archive needs files")
    for name in ("drop", "suites"):
        values[name] = tuple(filter(None, values[name].split(";")))
    return Row(**values)


def _layouts(files, sums):
    """Alternative layouts (separated by |) of parts (by ;), each with its allowed sha256 sums (by /)."""
    if not files:
        return ()
    names = [layout.split(";") for layout in files.split("|")]
    known = [layout.split(";") for layout in sums.split("|")]
    if [len(layout) for layout in names] != [len(layout) for layout in known]:
        raise ValueError("sha256 must have one place (it may be empty) for each of files, divided by the same ; and |")
    given = [checksum for layout in known for part in layout for checksum in part.split("/") if checksum]
    if wrong := [checksum for checksum in given if not SHA256.fullmatch(checksum)]:
        raise ValueError(f"sha256={wrong[0]} must have 64 lower-case hexadecimal digits")
    if wrong := [name for layout in names for name in layout if not name or ".." in name or name.startswith("/")]:
        raise ValueError(f"file {wrong[0]!r} does not lie in the folder of the data set")
    return tuple(
        tuple(Part(name, tuple(filter(None, given.split("/")))) for name, given in zip(*layout, strict=True))
        for layout in zip(names, known, strict=True)
    )

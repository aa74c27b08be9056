"""The entry of an artifact on the page, without picture, as a JSON file: title, caption, command, a table's texts."""

import json
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

import pandas as pd

from bayes_hpo.errors import RunError
from bayes_hpo.report.tables.text import levels
from bayes_hpo.storage.files import atomic

CHECKSUM = "checksum"


@dataclass(frozen=True)
class PageEntry:
    """The entry of one artifact on the page. The fields from `labels` on are those of a table.

    caption: sentences below the artifact.
    drawn: share of a figure's height above its caption.
    labels: names of the levels of row labels.
    header, index: levels of each column's header and of each row's label.
    cells: texts, one list per row.
    """

    title: str
    caption: list
    command: str
    drawn: float = 1.0
    labels: list | tuple = ()
    header: list | tuple = ()
    index: list | tuple = ()
    cells: list | tuple = ()

    @classmethod
    def of_table(cls, title: str, caption: list[str], command: str, frame: pd.DataFrame) -> "PageEntry":
        """The entry of a table. frame: its texts (`Table.cells`)."""
        return cls(
            title,
            caption,
            command,
            labels=[str(name or "") for name in frame.index.names],
            header=levels(frame.columns),
            index=levels(frame.index),
            cells=frame.to_numpy().tolist(),
        )

    def save(self, path: Path) -> None:
        """Write the entry. Raises: RunError when the file cannot be written."""
        fields = asdict(self)
        with atomic(path) as temporary:
            temporary.write_text(json.dumps(fields | {CHECKSUM: _checksum(path, fields)}), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "PageEntry":
        """The entry in a file. Raises: RunError when it is damaged, altered, another artifact's or not an entry."""
        try:
            fields = json.loads(Path(path).read_text(encoding="utf-8"))
            altered = fields.pop(CHECKSUM, None) != _checksum(path, fields)
            entry = cls(**fields)
        except (OSError, ValueError, TypeError, AttributeError) as problem:
            raise RunError(f"{path} cannot be read ({problem}); delete it and make its artifact again") from problem
        if altered or not entry._is_valid():
            raise RunError(f"{path} was altered or is another artifact's; delete it and make its artifact again")
        return entry

    def _is_valid(self):
        """Whether every value has its type, and the numbers of cells match those of headers and labels."""
        tables = (self.header, self.index, self.cells)
        return (
            all(map(_are_texts, ([self.title, self.command], self.caption, self.labels)))
            and (type(self.drawn) in (int, float) and 0 <= self.drawn <= 1)
            and all(isinstance(table, list) and all(map(_are_texts, table)) and all(table) for table in tables)
            and len({len(levels) for levels in self.header}) <= 1
            and len(self.index) == len(self.cells)
            and {len(labels) for labels in self.index} <= {len(self.labels)}
            and {len(texts) for texts in self.cells} <= {len(self.header)}
        )


def _are_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _checksum(path, fields):
    """Checksum of the fields (dict) of an entry and of the name in its path."""
    return zlib.crc32(json.dumps([Path(path).stem, fields]).encode())

"""What the page shows of an artifact beside its picture: title, face, command and a table's text, as one JSON file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from bayes_hpo.errors import Fault
from bayes_hpo.files import atomic
from bayes_hpo.report.text import levels


@dataclass(frozen=True)
class PageEntry:
    """face: sentences on what the artifact rests on. drawn: share of a figure's height above the face on it.

    The rest is a table's. labels: names of the levels of row labels; header, index: the levels of each column's header
    and of each row's label; cells: texts, one list per row.
    """

    title: str
    face: list
    command: str
    drawn: float = 1.0
    labels: list = ()
    header: list = ()
    index: list = ()
    cells: list = ()

    @classmethod
    def of_table(cls, title, face, command, frame):
        """The entry of a table. frame: its text (`Table.cells`)."""
        return cls(
            title,
            face,
            command,
            labels=[str(name or "") for name in frame.index.names],
            header=levels(frame.columns),
            index=levels(frame.index),
            cells=frame.to_numpy().tolist(),
        )

    def save(self, path):
        """Write the entry. Raises: Fault."""
        with atomic(path) as part:
            part.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path):
        """The entry in a file. Raises: Fault when it is none."""
        try:
            return cls(**json.loads(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as problem:
            raise Fault(f"{path} cannot be read ({problem}); delete it and make its artifact again") from problem

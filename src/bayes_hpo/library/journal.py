"""The journal of an optimizer, whose key identifies the search, and its replacement when there is no file."""

from pathlib import Path

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.parameters import Category
from bayes_hpo.spaces.space import Space
from bayes_hpo.storage.files import Journal

KEPT = (str, int, float, bool, type(None))  # types of choices that JSON preserves


class NoJournal(Journal):
    """Replaces a journal when nothing is to be kept."""

    def __init__(self) -> None:
        self.records = []

    def __exit__(self, *_):
        pass

    def append(self, record: dict) -> None:
        """Discard the record."""


class OpenJournal(Journal):
    """A journal with a helpful error once it is closed."""

    def append(self, record: dict) -> None:
        """Append one record. Raises: UserError once the journal is closed; RunError when it cannot be written."""
        if self._stream.closed:
            raise UserError(f"the journal {self.path} is closed; make another Optimizer with it to go on")
        super().append(record)


def opened(path: str | Path | None, space: Space, settings: dict) -> Journal:
    """The open journal at `path`, with its records; a `NoJournal` for None.

    settings: what trials depend on in addition to the space, as JSON types; part of the key. A journal with another key
        is set aside.
    Raises: UserError for an invalid path, and for a choice in the space that cannot be stored; RunError when the file
    cannot be opened.
    """
    if path is None:
        return NoJournal()
    if not isinstance(path, str | Path) or Path(path) == Path():
        raise UserError(f"journal={path!r} must be the path of a file, or None")
    for name, parameter in space.parameters.items():
        if isinstance(parameter, Category) and (odd := [c for c in parameter.choices if not isinstance(c, KEPT)]):
            raise UserError(
                f"{name}={odd[0]!r} cannot be kept in a journal; let choices be strings, numbers, booleans or None"
            )
    return OpenJournal(path, {"space": _described(space)} | settings).__enter__()


def _described(space):
    """The components of a space as text, for the key."""
    default, imputed = space.default_point.tolist(), space._imputed.tolist()
    parts = [space.parameters, space.fixed, space.conditions.of, space.forbidden.clauses, default]
    return [repr(part) for part in (parts if imputed == default else [*parts, imputed])]

"""Overrides NAME=VALUE for the commands printed in messages and captions."""

import re
from collections.abc import Iterable
from shlex import quote
from typing import Any

PLAIN = re.compile(
    r"(?!(null|true|false|nan|inf)$)[a-z_./][\w./:@%+-]*", re.I | re.A
)  # texts that Hydra reads literally

ASKED = ("study", "scale", "artifact", "scores", "without", "results_dir", "products_dir")  # what is requested


def override(name: str, value: Any) -> str:
    """The override of a name by a value; a text is quoted if Hydra would interpret it otherwise."""
    text = str(value)
    if not isinstance(value, int | float) and not PLAIN.fullmatch(text):
        text = '"' + re.sub(r'(\\*)("|$)', lambda found: 2 * found[1] + (found[2] and '\\"'), text) + '"'
    return f"{name}={text}"


def word(name: str, value: Any) -> str:
    """The override of a name by a value, quoted for the shell."""
    return quote(override(name, value))


def settings(overrides: Iterable[str]) -> tuple[str, ...]:
    """The overrides of a command that change a setting, without those that state the request (ASKED)."""
    return tuple(text for text in overrides if text.partition("=")[0] not in ASKED)

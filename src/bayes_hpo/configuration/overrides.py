"""Overrides NAME=VALUE in the commands that messages and captions print.

They stand apart from `names`, because searches import them: a new printed name re-runs no search.
"""

import re
from shlex import quote
from typing import Any

PLAIN = re.compile(r"(?!(null|true|false|nan|inf)$)[a-z_./][\w./:@%+-]*", re.I | re.A)  # to Hydra this text itself


def override(name: str, value: Any) -> str:
    """The override of a name by a value; a text is quoted where Hydra would read something else than this text."""
    text = str(value)
    if not isinstance(value, int | float) and not PLAIN.fullmatch(text):
        text = '"' + re.sub(r'(\\*)("|$)', lambda found: 2 * found[1] + (found[2] and '\\"'), text) + '"'
    return f"{name}={text}"


def word(name: str, value: Any) -> str:
    """The override of a name by a value, as one word of a command line that can be pasted into a shell."""
    return quote(override(name, value))

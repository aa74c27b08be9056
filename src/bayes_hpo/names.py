"""What stands in paths and configurations, and how the documents print it."""

import re
from shlex import quote
from types import MappingProxyType

NO_EVIDENCE = ("toy", "smoke")  # scales that prove nothing
VALIDATIONS = {"holdout": "hold-out", "kfold": "5-fold"}
NO_LABELS = MappingProxyType({})
PLAIN = re.compile(r"(?!(null|true|false|nan|inf)$)[a-z_./][\w./:@%+-]*", re.I | re.A)  # to Hydra this text itself


def printed(method, labels=NO_LABELS):
    """What a document prints for a method: its label in a study's `labels`, or else gp_sel_r -> gp-sel-r."""
    return labels.get(method, method.replace("_", "-"))


def method(label, labels=NO_LABELS):
    """The method that a document prints as `label`, the inverse of `printed`: gp-sel-r -> gp_sel_r."""
    return {known: name for name, known in labels.items()}.get(label, label.replace("-", "_"))


def override(name, value):
    """The override of a name by a value; a text is quoted where Hydra would read something else than this text."""
    text = str(value)
    if not isinstance(value, int | float) and not PLAIN.fullmatch(text):
        text = '"' + re.sub(r'(\\*)("|$)', lambda found: 2 * found[1] + (found[2] and '\\"'), text) + '"'
    return f"{name}={text}"


def word(name, value):
    """The override of a name by a value, as one word of a command line that can be pasted into a shell."""
    return quote(override(name, value))


def validation_name(protocol):
    """The validation of a protocol: kfold_sel_r -> kfold."""
    return protocol.partition("_")[0]

"""The contents of the folder conf: the settings and groups of a stage with their comments, the options of a group.

Read line by line, without Hydra or OmegaConf, to be fast enough for shell completion.
"""

import re
from dataclasses import dataclass
from pathlib import Path

CONF = Path("conf")  # relative: a stage runs in the root of the checkout, whose conf/ the user may edit
LINE = re.compile(r"(?P<indent> *)(?P<group>- )?(?P<name>\w+):(?: (?P<default>.*?))?(?:  # (?P<comment>.*))?")


@dataclass(frozen=True)
class Setting:
    """A setting of a stage with its dotted name, or a group; default: as written in the file."""

    name: str
    default: str
    comment: str
    is_group: bool


def settings(stage: str, conf: Path = CONF) -> list[Setting]:
    """The settings and groups of a stage, in the order of its file; empty if there is no such file."""
    path, parent, found = conf / f"{stage}.yaml", "", []
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in filter(None, map(LINE.fullmatch, lines)):
        parent = parent if line["indent"] else f"{line['name']}."
        if line["default"]:
            name = f"{parent}{line['name']}" if line["indent"] and not line["group"] else line["name"]
            found.append(Setting(name, line["default"], line["comment"] or "", bool(line["group"])))
    return found


def options(group: str, conf: Path = CONF) -> list[str]:
    """Names of the options of a group, sorted."""
    return sorted(path.stem for path in (conf / group).glob("*.yaml"))

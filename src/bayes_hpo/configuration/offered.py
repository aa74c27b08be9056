"""What the folder conf offers: the settings and groups of a stage with their comments, the options of a group.

Read line by line, without Hydra or OmegaConf: completion asks for it at every press of a key.
"""

import re
from dataclasses import dataclass
from pathlib import Path

CONF = Path("conf")  # of the working folder: a stage runs in the root of the checkout, where it may be edited
LINE = re.compile(r"(?P<indent> *)(?P<group>- )?(?P<name>\w+):(?: (?P<default>.*?))?(?:  # (?P<comment>.*))?")


@dataclass(frozen=True)
class Setting:
    """A setting of a stage, by its dotted name, or a group, of which one option is chosen; default: as written."""

    name: str
    default: str
    comment: str
    is_group: bool


def settings(stage: str, conf: Path = CONF) -> list[Setting]:
    """The settings and groups in the file of a stage, in its order; none when there is no such file."""
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

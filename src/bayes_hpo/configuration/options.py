"""The options of the configuration's groups: their names, and what their files and defaults lists make of them."""

from collections.abc import Mapping
from functools import cache, reduce
from pathlib import Path
from types import MappingProxyType

import yaml
from omegaconf import OmegaConf

from bayes_hpo.errors import UserError

CONF = Path("conf")
HERE, SELF, OVERRIDE = "_here_", "_self_", "override "  # of defaults lists: a place, the option itself, a change


def options(group: str) -> list[str]:
    """Names of the options of a group, sorted."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def written(group: str, name: str, chosen: Mapping[str, str] = MappingProxyType({})) -> dict:
    """The content of an option's file (dict) over that of the options that its defaults list places in it, unresolved.

    What Hydra composes of it, in a hundredth of the time.
    chosen: options of places of the list, such as "/kernel@surrogate.model.kernel", in place of those that it names.
    Raises: UserError when a file is not YAML.
    """
    path = CONF / group / f"{name}.yaml"
    try:
        content = _content(path.resolve(), path.stat().st_mtime_ns)
    except yaml.YAMLError as problem:
        raise UserError(f"{' '.join(str(problem).split())}; mend that file") from problem
    entries = [entry for entry in content.get("defaults", ()) if entry != SELF]
    places = {place: option for entry in entries if isinstance(entry, dict) for place, option in entry.items()}
    changed = {place.removeprefix(OVERRIDE): places[place] for place in places if place.startswith(OVERRIDE)}
    changed |= chosen
    bases = [written(group, entry, changed) for entry in entries if isinstance(entry, str)]
    bases += [_placed(place, places[place], changed) for place in places if not place.startswith(OVERRIDE)]
    own = {key: value for key, value in content.items() if key != "defaults"}
    return reduce(_merged, [*bases, own])


def _placed(place, option, changed):
    """The content of the option of a place such as "/slots@slots", at that place; changed: as `written` has chosen."""
    group, _, package = place[1:].partition("@")
    if package == HERE:
        return written(group, changed.get(place, option), changed)
    below = {key.replace(f"@{package}.", "@"): other for key, other in changed.items() if f"@{package}." in key}
    content = written(group, changed.get(place, option), below)
    return reduce(lambda nested, key: {key: nested}, reversed(package.split(".")), content)


def _merged(base, content):
    """Two dicts as one, the second over the first at any depth."""
    nested = [
        key for key in base.keys() & content.keys() if isinstance(base[key], dict) and isinstance(content[key], dict)
    ]
    return base | content | {key: _merged(base[key], content[key]) for key in nested}


@cache
def _content(path, changed):
    """What a file says, which was last changed at that time."""
    return OmegaConf.to_container(OmegaConf.load(path))

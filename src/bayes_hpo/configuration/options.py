"""The options of the configuration's groups: their names, and what their files and defaults lists make of them."""

from collections.abc import Mapping
from functools import cache, reduce
from operator import add, truediv
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from omegaconf import OmegaConf
from omegaconf._utils import get_yaml_loader

from bayes_hpo.configuration.offered import CONF as CONF
from bayes_hpo.configuration.offered import options as options
from bayes_hpo.errors import UserError

PACKAGED = Path(__file__).parents[1] / "conf"  # for the library, which runs anywhere: a link to it, a copy in a wheel
HERE, SELF, OVERRIDE = "_here_", "_self_", "override "  # of defaults lists: a place, the option itself, a change
OmegaConf.register_new_resolver("divide", truediv, replace=True)  # shares such as ${divide:3,7}
OmegaConf.register_new_resolver("plus", add, replace=True)
OmegaConf.register_new_resolver("least", min, replace=True)
OmegaConf.register_new_resolver("half", lambda number: number // 2, replace=True)


def written(group: str, name: str, chosen: Mapping[str, str] = MappingProxyType({}), conf: Path = CONF) -> dict:
    """The content of an option's file (dict) over that of the options that its defaults list places in it, unresolved.

    What Hydra composes of it, in a hundredth of the time.
    chosen: options of places of the list, such as "/kernel@surrogate.model.kernel", in place of those that it names.
    Raises: UserError when a file is not YAML, or not a mapping.
    """
    path = conf / group / f"{name}.yaml"
    try:
        content = _content(path.resolve(), path.stat().st_mtime_ns)
    except yaml.YAMLError as problem:
        raise UserError(f"{' '.join(str(problem).split())}; mend that file") from problem
    entries = [entry for entry in content.get("defaults", ()) if entry != SELF]
    places = {place: option for entry in entries if isinstance(entry, dict) for place, option in entry.items()}
    changed = {place.removeprefix(OVERRIDE): places[place] for place in places if place.startswith(OVERRIDE)}
    changed |= chosen
    bases = [written(group, entry, changed, conf) for entry in entries if isinstance(entry, str)]
    bases += [_placed(place, places[place], changed, conf) for place in places if not place.startswith(OVERRIDE)]
    own = {key: value for key, value in content.items() if key != "defaults"}
    return reduce(_merged, [*bases, own])


def resolved(nodes: dict) -> Any:
    """The nodes (dict), as `written` gives them, with their interpolations, which name other nodes, resolved."""
    return OmegaConf.to_container(OmegaConf.create(nodes), resolve=True)


def _placed(place, option, changed, conf):
    """The content of the option of a place such as "/slots@slots", at that place; changed: as `written` has chosen."""
    group, _, package = place[1:].partition("@")
    if package == HERE:
        return written(group, changed.get(place, option), changed, conf)
    below = {key.replace(f"@{package}.", "@"): other for key, other in changed.items() if f"@{package}." in key}
    content = written(group, changed.get(place, option), below, conf)
    return reduce(lambda nested, key: {key: nested}, reversed(package.split(".")), content)


def _merged(base, content):
    """Two dicts as one, the second over the first at any depth."""
    nested = [
        key for key in base.keys() & content.keys() if isinstance(base[key], dict) and isinstance(content[key], dict)
    ]
    return base | content | {key: _merged(base[key], content[key]) for key in nested}


@cache
def _content(path, changed):
    """What a file says, which was last changed at that time. Raises: UserError for anything else than a mapping."""
    with path.open(encoding="utf-8") as stream:
        content = yaml.load(stream, Loader=_loader())
    if not isinstance(content, dict):
        raise UserError(f"{path} is not a mapping, name: value; mend that file")
    return content


@cache
def _loader():
    """OmegaConf's own loader of YAML (its numbers, no key twice) on libyaml's parser, which is ten times as fast."""
    rules = get_yaml_loader()
    if not yaml.__with_libyaml__:
        return rules

    class Loader(yaml.CSafeLoader, rules):
        yaml_implicit_resolvers = rules.yaml_implicit_resolvers
        yaml_constructors = rules.yaml_constructors
        construct_mapping = rules.construct_mapping

    return Loader

"""Composes one resolved and checked configuration from overrides; every error is one sentence."""

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.errors import (
    ConfigCompositionException,
    HydraException,
    MissingConfigException,
    OverrideParseException,
)
from omegaconf import MISSING, OmegaConf, open_dict
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException, ValidationError

from bayes_hpo.configuration.limits import check_ranges
from bayes_hpo.configuration.options import CONF, options, written
from bayes_hpo.configuration.schemas import GROUPS, STAGES
from bayes_hpo.configuration.trusted import check_trusted
from bayes_hpo.errors import UserError

FOLDERS = ("results_dir", "products_dir")
TEXTS = "texts with interpolations"  # temporary key for them during resolution


def configure(stage: str, overrides: list[str], groups: Sequence[str] = ()) -> dict:
    """The configuration (plain dict) of `stage` with overrides (list of "name=value"), which it also contains.

    groups: names of groups; all options of a group are added as dict, name -> node, under the plural of its name.
    Raises: UserError, one sentence, when an override is invalid, or a value is missing or of the wrong type.
    """
    if not (CONF / f"{stage}.yaml").is_file():
        raise UserError(f"there is no {CONF / stage}.yaml here; run the command from the root of the repository")
    for override in overrides:
        _check_form(override)
    try:
        with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
            cfg = compose(stage, overrides=overrides, return_hydra_config=True)
        choices = dict(cfg.hydra.runtime.choices)
        with open_dict(cfg):
            del cfg.hydra
        settings: Any = OmegaConf.to_container(cfg)
        added = {f"{group}s": {name: written(group, name) for name in options(group)} for group in groups}
        return _checked(stage, settings | added, choices) | {"overrides": list(overrides)}
    except yaml.YAMLError as problem:
        raise UserError(f"{' '.join(str(problem).split())}; mend that file") from problem
    except (HydraException, OmegaConfBaseException) as problem:
        raise UserError(sentence(problem)) from problem


def _checked(stage, settings, choices):
    """The composed configuration (plain dict, with interpolations), resolved and checked by the schemas.

    choices: dict, group -> chosen option; those of the stage's own groups are added as `names`.
    Raises: UserError when a value is missing or of the wrong type, or names untrusted code.
    """
    if missing := sorted(_missing(settings)):
        raise UserError(f"{' and '.join(missing)} must be given, for example {missing[0]}=...")
    if empty := [key for key in FOLDERS if settings.get(key) == ""]:
        raise UserError(f"{empty[0]} is empty; give a folder, or leave the override out")
    cfg = _resolved(settings)
    cfg["names"] = {group: str(name) for group, name in choices.items() if not set("@/") & set(group)}
    typed = {group: _typed(schema, cfg[group], group) for group, schema in GROUPS.items() if group in cfg}
    added = {key: _every(key[:-1], cfg[key]) for key in cfg if key in _plurals()}
    own = _typed(STAGES[stage], {key: value for key, value in cfg.items() if key not in added | typed})
    check_trusted(own | typed | added)
    return own | typed | added


def _resolved(settings):
    """The settings (dict) with their interpolations resolved.

    For speed, OmegaConf resolves each text with an interpolation once, and is given only those options of a group that
    an interpolation refers to, or that contain a relative interpolation.
    """
    every = {key: settings[key] for key in settings if key in _plurals()}
    texts, whole = sorted({*_interpolations(every)}), json.dumps(settings)
    given = {
        key: {name: node for name, node in nodes.items() if f"${{{key}.{name}." in whole or "${." in json.dumps(node)}
        for key, nodes in every.items()
    }
    absolute = [text for text in texts if "${." not in text]
    resolved = OmegaConf.to_container(OmegaConf.create(settings | given | {TEXTS: absolute}), resolve=True)
    values = dict(zip(absolute, resolved.pop(TEXTS), strict=True))
    return resolved | {key: _with_values(nodes, values) | resolved[key] for key, nodes in every.items()}


def _interpolations(node):
    """All texts with an interpolation (list) in a node, at any depth."""
    if isinstance(node, str):
        return [node] if "${" in node else []
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [text for child in children for text in _interpolations(child)]


def _with_values(node, values):
    """The node with texts replaced by copies of their values (dict, text with an interpolation -> value)."""
    if isinstance(node, dict):
        return {key: _with_values(child, values) for key, child in node.items()}
    if isinstance(node, list):
        return [_with_values(child, values) for child in node]
    return deepcopy(values[node]) if isinstance(node, str) and node in values else node


def _missing(node, path=""):
    """Dotted keys of the missing values, at any depth of a dict."""
    nested = {f"{path}.{key}".lstrip("."): value for key, value in node.items()}
    return [
        key
        for name, value in nested.items()
        for key in (_missing(value, name) if isinstance(value, dict) else [name] * (value == MISSING))
    ]


def _every(group, nodes):
    """All options of a group, dict, name -> node; checked by the schema of the group, if it has one."""
    if group not in GROUPS:
        return nodes
    typed = {name: deepcopy(_typed_once(group, name, json.dumps(node))) for name, node in nodes.items()}
    for name, node in typed.items():
        if missing := [key for key, value in node.items() if value == MISSING]:
            raise UserError(f"{CONF / group / name}.yaml lacks {missing[0]}; it needs {', '.join(node)}")
    return typed


@cache
def _typed_once(group, name, text):
    """An option checked by the schema of its group, given as JSON; cached because most studies share its content."""
    return _typed(GROUPS[group], json.loads(text), f"{group} {name}")


def unknown(kind: str, name: Any, allowed: Iterable) -> str:
    """The error message for an unknown name."""
    close = difflib.get_close_matches(str(name), list(map(str, allowed)), n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return f"unknown {kind}={name}{hint}; allowed: {', '.join(map(str, allowed))}"


def draws(study: dict, name: str, users: tuple[str, ...] = ()) -> str:
    """The name of the study that owns the seeds of a study's pools.

    It is the study itself if it sets neither `seeds` nor `pools`; otherwise the owner of the study named there.
    study: configuration of the study.
    name: name of the study.
    users: names of the studies visited so far.
    Raises: UserError when a key does not name a study, both are given, or the references are circular.
    """
    given = [key for key in ("pools", "seeds") if study.get(key)]
    if len(given) == 2:
        raise UserError("study.pools and study.seeds are both given; give one: pools have the seeds of their owner")
    if not given or study[given[0]] == name:
        return name
    other, users = study[given[0]], (*users, name)
    if other not in options("study"):
        raise UserError(unknown(f"study.{given[0]}", other, options("study")))
    if other in users:
        raise UserError(f"the pools or seeds of the studies {', '.join(users)} lead in a circle; let one own its own")
    return draws(written("study", other), other, users)


def _check_form(override):
    if override[:1] == "+":
        raise UserError(
            f"{override}: nothing can be added with +; every name stands in {CONF}, change it with name=value"
        )
    if override[:1] == "~":
        raise UserError(f"{override}: nothing can be taken away with ~; change a value with name=value")
    name, equals, value = override.partition("=")
    if not equals or not name[:1].isalpha():
        raise UserError(f"{override} is not of the form name=value")
    if (every := name.split(".")[0]) in _plurals():
        raise UserError(f"{override}: {every} are the files of {CONF / every[:-1]}; change or add one there")
    if name in _groups() and not set(value.split(",")) <= set(options(name)):
        raise UserError(unknown(name, value, options(name)))


def _groups():
    return sorted(path.name for path in CONF.iterdir() if path.is_dir())


def _plurals():
    """The keys under which `configure` adds the options of groups."""
    return [f"{group}s" for group in _groups()]


def _typed(schema, node, path=""):
    """The node at `path` as plain dict, converted to the types and checked against the ranges of `schema`."""
    try:
        typed = OmegaConf.to_container(OmegaConf.merge(_structured(schema), node), resolve=True)
    except (ValidationError, ConfigKeyError) as problem:
        key = ".".join(filter(None, [path, str(problem.full_key)]))
        words = str(problem).splitlines()[0]
        if "is not a ListConfig" in words:
            raise UserError(f"{key} must be a list: write '{key}=[one,other]'") from problem
        raise UserError(f"{key}: {words}") from problem
    check_ranges(typed, schema, path)
    return typed


@cache
def _structured(schema):
    """The schema as a configuration without values; merging copies it, so it can be cached."""
    return OmegaConf.structured(schema)


def sentence(problem: Exception) -> str:
    """An error of Hydra or OmegaConf as one sentence, with the allowed values."""
    text = " ".join(str(problem).split())
    if isinstance(problem, MissingConfigException) and problem.options is not None:
        group, _, name = str(problem.missing_cfg_file).rpartition("/")
        return unknown(group, name, sorted(problem.options))
    if text.startswith("You must specify"):
        group = text.split("'")[1]
        return f"{group} must be given; allowed: {', '.join(options(group))}"
    if match := re.match(r"Interpolation key 'study\.(?:scales|epochs|row_caps|training_caps|cpu_limits)\.(\w+)", text):
        return f"the study has no scale {match[1]}; its file in {CONF / 'study'} says which it has"
    if "No match in the defaults list" in text:
        name = text.split("'")[1]
        return f"{name} is not a setting of this command; --help lists them"
    if text.startswith("Ambiguous value"):
        override = text.split("'")[1]
        return f"{override} is more than one value; give one, or add --multirun to run each of them"
    if isinstance(problem, OverrideParseException):
        name, _, value = problem.override.partition("=")
        return f"{problem.override} cannot be read as name=value; quote the value: '{name}=\"{value}\"'"
    cause = problem.__cause__ if isinstance(problem, ConfigCompositionException) else problem
    if isinstance(cause, (ConfigAttributeError, ConfigKeyError)) and cause.full_key:
        return unknown("name", cause.full_key, _keys_beside(cause))
    return text.split(" Config search path:")[0].split(" full_key:")[0]


def _keys_beside(cause):
    """The allowed names at the location of an unknown name."""
    node = getattr(cause, "parent_node", None)
    prefix = str(cause.full_key).rpartition(".")[0]
    keys = [] if node is None else sorted(str(key) for key in node if key not in ("hydra", "names", *_plurals()))
    return [f"{prefix}.{key}" if prefix else key for key in keys]

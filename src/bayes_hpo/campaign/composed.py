"""A cache of composed configurations in the results: planning composes one per study, each in half a second."""

import contextlib
import copy
import importlib.metadata
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bayes_hpo import configuration
from bayes_hpo.campaign.modules import digest
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import CONF
from bayes_hpo.configuration.overrides import override
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import RESULTS, composed_file

LIBRARIES = ("hydra-core", "omegaconf", "PyYAML")  # a composition may change with their versions
OUTSIDE = "${oc."  # start of an interpolation from outside the files, such as the environment


def composed(study: str, scale: str, results: str, groups: Sequence[str]) -> dict:
    """The result of `configure` for the stage `plan`, read from the cache if it was composed before from equal files.

    Within a process, equal files are composed once for all results folders.
    Raises: as `configure`.
    """
    given = (f"study={study}", f"scale={scale}")
    settings = {"results_dir": results, "overrides": [*given, override("results_dir", results)]}
    overrides = (*given, override("results_dir", results and RESULTS))
    path, texts = Path(composed_file(scale, study, results)), _texts()
    versions = [importlib.metadata.version(name) for name in LIBRARIES]
    key = digest([texts, overrides, list(groups), versions])
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):  # not cached yet, or damaged
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return kept["configuration"] | settings
    cfg = copy.deepcopy(compose_once(key, overrides, tuple(groups))) | settings
    text = json.dumps({"key": key, "configuration": cfg})
    if json.loads(text)["configuration"] == cfg and not any(OUTSIDE in content for content in texts.values()):
        with contextlib.suppress(RunError), atomic(path) as temporary:  # an unwritable folder only costs time
            temporary.write_text(text, encoding="utf-8")
    return cfg


@cache
def compose_once(key: str, overrides: tuple[str, ...], groups: tuple[str, ...]) -> dict:
    """The result of `configure` for the stage `plan`. key: digest of all that it reads."""
    return configure("plan", list(overrides), groups)


def _texts():
    """All files that a composition reads, path -> content: those of conf, following links, and the schemas.

    Paths are relative to these folders, so that the cache is valid in a copy of the checkout, too.
    """
    texts = {}
    for top, suffix in ((CONF, ".yaml"), (Path(configuration.__file__).parent, ".py")):
        for folder, _, names in os.walk(top, followlinks=True):
            files = [Path(folder, name) for name in names if name.endswith(suffix)]
            texts |= {str(path.relative_to(top)): path.read_text(encoding="utf-8") for path in files}
    return texts

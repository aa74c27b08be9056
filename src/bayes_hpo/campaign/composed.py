"""Composed configurations, kept below the results: planning needs one of every study, and each takes half a second."""

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path

from bayes_hpo import configuration
from bayes_hpo.campaign.modules import digest
from bayes_hpo.configuration.compose import CONF, configure
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import composed_file


def composed(overrides: list[str], groups: Sequence[str], *, study: str, scale: str, results: str) -> dict:
    """What `configure` returns for the stage `plan`; read from the results if it was composed before from equal files.

    Raises: as `configure`.
    """
    path, key = Path(composed_file(scale, study, results)), _key(overrides, groups)
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):  # none yet, or a damaged one
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return kept["configuration"]
    cfg = configure("plan", overrides, groups)
    text = json.dumps({"key": key, "configuration": cfg})
    with (
        contextlib.suppress(RunError),
        atomic(path) as temporary,
    ):  # planning goes on without: the folder may be read-only
        temporary.write_text(text, encoding="utf-8")
    return cfg


def _key(overrides, groups):
    """Digest of all that a composition reads: the files of conf, the schemas, the overrides."""
    code = Path(configuration.__file__).parent
    files = sorted([*CONF.rglob("*.yaml"), *code.glob("*.py")])
    return digest([[str(path), path.read_text(encoding="utf-8")] for path in files] + [overrides, list(groups)])

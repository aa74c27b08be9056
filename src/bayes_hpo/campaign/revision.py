"""The revision of the code, and a check that it is the code of this checkout."""

import os
import subprocess
from pathlib import Path

import bayes_hpo
from bayes_hpo.campaign.modules import SOURCE
from bayes_hpo.configuration.options import CONF
from bayes_hpo.errors import UserError

VARIABLE = "BAYES_HPO_REVISION"  # of the environment: the revision of an image, which is no checkout (Dockerfile)


def revision() -> str:
    """The revision of the code by git, with "-dirty" when files differ from it.

    Outside a checkout that of the environment (VARIABLE), or else "unknown".

    Changes in released/ do not count, because a campaign adds to it while it runs.
    """
    try:
        commit = _git("describe", "--always", "--exclude=*")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)released")
    except (OSError, subprocess.CalledProcessError):
        return os.environ.get(VARIABLE) or "unknown"
    return f"{commit}-dirty" if changed else commit


def date() -> str:
    """The day of the commit that `revision` names, as 2026-01-31; empty outside a checkout."""
    try:
        return _git("log", "-1", "--format=%cs")
    except (OSError, subprocess.CalledProcessError):
        return ""


def check_checkout() -> None:
    """Raises: UserError when the imported package is not the one of this checkout."""
    here, imported = Path("src/bayes_hpo").resolve(), Path(bayes_hpo.__file__).resolve().parent
    if not CONF.is_dir():
        raise UserError(f"there is no folder {CONF} here; run the command from the root of the repository")
    if here != imported:
        raise UserError(f"the package is imported from {imported}, not from this checkout; run: pip install -e .")


def _git(*words):
    """What git prints of the checkout. Raises: OSError, CalledProcessError."""
    command = ["git", "-C", str(SOURCE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

"""The revision of the code, and the folder in which a stage runs: the root of its checkout, or any."""

import os
import subprocess
from pathlib import Path

import bayes_hpo
from bayes_hpo.campaign.modules import SOURCE
from bayes_hpo.configuration.options import CONF, PACKAGED
from bayes_hpo.errors import UserError

UNKNOWN = "unknown"  # revision of code outside git
CODE = Path("src/bayes_hpo")  # relative to the root of a checkout
VARIABLE = "BAYES_HPO_REVISION"  # environment variable: revision of an image, which has no checkout (Dockerfile)


def revision() -> str:
    """The revision of the code according to git, with "-dirty" if files differ from it.

    Outside a checkout it is the environment variable VARIABLE, or else "unknown".
    Changes in released/ are ignored, because a campaign adds to it while it runs.
    """
    try:
        _git("ls-files", "--error-unmatch", "--", ".")  # fails if the package merely lies inside some other checkout
        commit = _git("describe", "--always", "--exclude=*")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)released")
    except (OSError, subprocess.CalledProcessError):
        return os.environ.get(VARIABLE) or UNKNOWN
    return f"{commit}-dirty" if changed else commit


def date() -> str:
    """The date of the commit that `revision` names, such as 2026-01-31; empty outside a checkout."""
    try:
        return _git("log", "-1", "--format=%cs")
    except (OSError, subprocess.CalledProcessError):
        return ""


def check_checkout() -> None:
    """Check where the package is imported from. Raises: UserError when it is not this checkout."""
    here, imported = CODE.resolve(), Path(bayes_hpo.__file__).resolve().parent
    if not CONF.is_dir():
        raise UserError(f"there is no folder {CONF} here; run the command from the root of the repository")
    if here != imported:
        raise UserError(f"the package is imported from {imported}, not from this checkout; run: pip install -e .")


def enter_package() -> None:
    """Outside a checkout, change to the package's folder, whose conf/ suffices for a stage that only prints it.

    Raises: UserError as `check_checkout` in a checkout.
    """
    if CODE.is_dir():
        check_checkout()
    else:
        os.chdir(PACKAGED.parent)


def _git(*words):
    """The output of a git command in the checkout. Raises: OSError, CalledProcessError."""
    command = ["git", "-C", str(SOURCE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

"""The revision of the code, and the folder in which a stage runs: the root of its checkout, or any."""

import os
import subprocess
from pathlib import Path

import bayes_hpo
from bayes_hpo.campaign.modules import SOURCE
from bayes_hpo.configuration.options import CONF, PACKAGED
from bayes_hpo.errors import UserError

UNKNOWN = "unknown"  # the revision of code that git does not know
CODE = Path("src/bayes_hpo")  # in the root of a checkout
VARIABLE = "BAYES_HPO_REVISION"  # of the environment: the revision of an image, which is no checkout (Dockerfile)


def revision() -> str:
    """The revision of the code by git, with "-dirty" when files differ from it.

    Outside a checkout it is that of the environment (VARIABLE), or else "unknown".
    Changes in released/ do not count, because a campaign adds to it while it runs.
    """
    try:
        _git("ls-files", "--error-unmatch", "--", ".")  # fails for a package that some checkout merely contains
        commit = _git("describe", "--always", "--exclude=*")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)released")
    except (OSError, subprocess.CalledProcessError):
        return os.environ.get(VARIABLE) or UNKNOWN
    return f"{commit}-dirty" if changed else commit


def date() -> str:
    """The day of the commit that `revision` names, as 2026-01-31; empty outside a checkout."""
    try:
        return _git("log", "-1", "--format=%cs")
    except (OSError, subprocess.CalledProcessError):
        return ""


def check_checkout() -> None:
    """Raises: UserError when the imported package is not the one of this checkout."""
    here, imported = CODE.resolve(), Path(bayes_hpo.__file__).resolve().parent
    if not CONF.is_dir():
        raise UserError(f"there is no folder {CONF} here; run the command from the root of the repository")
    if here != imported:
        raise UserError(f"the package is imported from {imported}, not from this checkout; run: pip install -e .")


def enter_package() -> None:
    """Outside a checkout, go to the folder of the package, whose conf/ says enough for a stage that only prints it.

    Raises: UserError as `check_checkout` in a checkout.
    """
    if CODE.is_dir():
        check_checkout()
    else:
        os.chdir(PACKAGED.parent)


def _git(*words):
    """What git prints of the checkout. Raises: OSError, CalledProcessError."""
    command = ["git", "-C", str(SOURCE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

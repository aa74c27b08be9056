"""The revision of the code that runs."""

import subprocess

from bayes_hpo.campaign.modules import SOURCE


def revision():
    """The code's revision as git tells it, "-dirty" when files differ from it; "unknown" outside a checkout.

    What lies in released/ is no code: a campaign adds to it while it runs.
    """
    try:
        commit = _git("describe", "--always", "--exclude=*")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)released")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit


def _git(*words):
    """What git prints of the checkout. Raises: OSError, CalledProcessError."""
    command = ["git", "-C", str(SOURCE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

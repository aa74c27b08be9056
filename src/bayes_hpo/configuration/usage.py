"""The text of `bayes-hpo STAGE --help`: what the stage does, its settings and groups, with the comments in its file.

Read from the package's copy of conf/, so that it works in any folder.
"""

import textwrap

from bayes_hpo.configuration.offered import settings
from bayes_hpo.configuration.options import PACKAGED, options

WIDTH = 120
DEEPER = (
    "What an option is made of stands in its file, such as conf/searcher/gp.yaml; the parts that it names (kernel, "
    "acquisition and others) are the folders of conf/. --cfg job prints all that a command composes."
)


def usage(stage: str, sentence: str) -> str:
    """The text of --help, given a sentence on what the stage does and prints."""
    command = (PACKAGED / f"{stage}.yaml").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    of_stage = settings(stage, PACKAGED)
    groups = [line for setting in of_stage if setting.is_group for line in _group(setting)]
    parts = [sentence, "", command, "", "settings and defaults (??? must be given):", *map(_setting, of_stage)]
    if groups:
        parts += ["", "groups and their options:", *groups, "", *textwrap.wrap(DEEPER, WIDTH)]
    return "\n".join(parts)


def _setting(setting):
    comment = f"  # {setting.comment}" if setting.comment else ""
    return f"  {setting.name}: {setting.default}{comment}"


def _group(setting):
    text = f"{setting.name}: {', '.join(options(setting.name, PACKAGED))}"
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)

"""The optional modules that studies need, and the studies that can run with those installed."""

import sys
from collections.abc import Iterable
from importlib.util import find_spec

from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.configuration.options import options, written
from bayes_hpo.storage.layout import with_released


def lacking(study: str) -> str:
    """The sentence on modules that a study needs and that are not installed; empty if there are none."""
    needs = written("study", study).get("needs", {})
    absent = [name for name in needs if find_spec(name) is None]
    extras = ",".join(dict.fromkeys(needs[name] for name in absent))
    how = f"pip install -c constraints.txt -e '.[{extras}]'"
    verb = "is" if len(absent) == 1 else "are"
    return f"study {study} needs {' and '.join(absent)}, which {verb} not installed: {how}" if absent else ""


def runnable(studies: Iterable[str]) -> list[str]:
    """The studies (names) whose modules are installed; prints to stderr which ones are left out, and why."""
    problems = {study: lacking(study) for study in studies}
    for sentence in filter(None, problems.values()):
        print(f"{sentence}; it is left out", file=sys.stderr)
    return [study for study in problems if not problems[study]]


def with_results(scale: str, released: str | None) -> list[str]:
    """The studies of a scale to report on: those with released scores, or without `released` the runnable ones."""
    studies = [study for study in options("study") if scale in scales_of(study)]
    return with_released(studies, scale, released) if released else runnable(studies)

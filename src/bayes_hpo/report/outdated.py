"""Sentences on the scores and measures of a study that other code or settings have made than those of now."""

from pathlib import Path

from bayes_hpo.report.caption import counted
from bayes_hpo.scores import frames
from bayes_hpo.storage import provenance


def of_scores(study, scale, folder, datasets, expected):
    """The sentence (list of one, or none) on score files of `datasets` below `folder`; expected: `frames.outdated`."""
    count = len(frames.outdated(folder, datasets, expected))
    return [_sentence(counted(count, "score file"), study, scale)] if count else []


def of_measures(study, scale, folder, names, expected):
    """The same on those of the measures (list of names) whose files lie in `folder`.

    expected: dict, name -> what a measure depends on now (`fingerprint.measure_depends`).
    """
    files = {name: path for name in names if (path := Path(folder, f"{name}.parquet")).is_file()}
    old = [name for name, path in files.items() if not provenance.is_current(path, expected.get(name))]
    return [_sentence(f"{counted(len(old), 'measure')} ({', '.join(old)})", study, scale)] if old else []


def _sentence(what, study, scale):
    status = f"python -m bayes_hpo.stages.status study={study} scale={scale}"
    return f"Outdated: {what} of {study}, made by other code or settings ({status} says which)."

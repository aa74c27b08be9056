"""The caption of an artifact: scale and setting, what it rests on and leaves out, warnings, and its command."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import join, quote
from typing import Any

import pandas as pd

from bayes_hpo.configuration.overrides import word
from bayes_hpo.documents.names import NO_EVIDENCE, VALIDATIONS
from bayes_hpo.scores import frames
from bayes_hpo.storage import provenance
from bayes_hpo.storage.layout import RESULTS


@dataclass(frozen=True)
class Caption:
    """What stands below every artifact of a scale.

    scale: name.
    setting: name of the scale's setting of the Gaussian process; empty where no study behind the artifact has one.
    command: that makes the artifact.
    warnings: sentences behind the artifact's notes.
    """

    scale: str
    setting: str
    command: str
    warnings: tuple[str, ...] = ()

    def sentences(self, notes: Iterable[str]) -> list[str]:
        """All but the command; notes: the artifact's own sentences."""
        status = f" ({warning(self.scale)})" if warning(self.scale) else ""
        setting = f", GP setting {self.setting}" if self.setting else ""
        return [f"Scale {self.scale}{status}{setting}.", *notes, *self.warnings]

    def whole(self, notes: Iterable[str]) -> list[str]:
        """All sentences, the command last."""
        return [*self.sentences(notes), f"Command: {self.command}"]


def warning(scale: str) -> str:
    """The warning on a scale whose runs are not evidence; empty for the others."""
    return f"{scale} scale: no evidence" if scale in NO_EVIDENCE else ""


def command(path: str | Path, left_out: Sequence[str] = (), results: str = RESULTS) -> str:
    """The command that makes the product `path` from the runs in `results`, without the data sets `left_out`."""
    place = [f"results_dir={results}"] if results != RESULTS else []
    less = [f"without={','.join(left_out)}"] if left_out else []
    config = ["--config", *place, *less] if place or less else []
    return join(["snakemake", "--cores", "2", str(path), *config])


def stage_command(stage: str, left_out: Sequence[str] = (), given: Sequence[str] = (), **overrides: Any) -> str:
    """The command that runs a stage with `overrides` (name -> value), without the data sets `left_out`.

    given: further overrides, NAME=VALUE as Hydra reads them.
    """
    words = [word(name, value) for name, value in overrides.items()]
    less = [f"without=[{','.join(left_out)}]"] if left_out else []
    return " ".join([f"python -m bayes_hpo.stages.{stage}", *map(quote, given), *words, *map(quote, less)])


def left(names: Sequence[str], scale: str, released: str) -> str:
    """The paragraph on artifacts (as DOCUMENT/NAME) whose scores or measures are not among the released ones."""
    page = f"python -m bayes_hpo.stages.report scale={scale} artifact=page scores={released}"
    return (
        f"Left: {', '.join(names)}, whose scores or measures {released}/ does not hold; the page of scale {scale} says "
        f"what data, commands and core-hours each of them needs ({page} makes it alone)."
    )


def coverage(compared: Mapping[str, Any]) -> list[str]:
    """Sentences on the data sets and repetitions of some comparisons: dict, validation -> `comparison.Comparison`."""
    sizes = "; ".join(
        f"{VALIDATIONS[name]}: {size(len(part.mean), part.repetitions, part.planned)}"
        for name, part in compared.items()
    )
    return [
        f"{sizes.capitalize()}.",
        *_fewer(compared),
        *_left_out(compared, "left_out", "not every method has a score there in a common repetition"),
        *_left_out(compared, "unpublished", "the document has no cells of them"),
    ]


def _fewer(compared):
    """The sentence (list) on comparisons that rest on a part of the document's data sets."""
    fewer = {
        VALIDATIONS[name]: part.printed_size
        for name, part in compared.items()
        if part.published_mean.notna().any(axis=1).sum() < part.printed_size
    }
    numbers = set(fewer.values())
    where = f" ({', '.join(fewer)})" if len(fewer) < len(compared) else ""
    return [f"The document's table has {counted(number, 'data set')}{where}." for number in numbers]


def _left_out(compared, field, reason):
    """One sentence for each different tuple of data sets in this field of the comparisons."""
    where = {}
    for name, part in compared.items():
        where.setdefault(getattr(part, field), []).append(VALIDATIONS[name])
    return [f"Left out ({', '.join(labels)}): {few(names)}; {reason}." for names, labels in where.items() if names]


def steps(curves: Mapping[str, Any]) -> list[str]:
    """Sentences on the function evaluations that curves lack: dict, validation -> `figures.curves.Curves`."""
    notes = []
    for name, part in curves.items():
        if part.absent:
            iterations, datasets = ([*dict.fromkeys(map(str, level))] for level in zip(*part.absent, strict=True))
            where = f"Not drawn ({VALIDATIONS[name]}): function evaluations {', '.join(iterations)}"
            notes.append(
                f"{where}; not every drawn method has a score there in a common repetition on {few(datasets)}."
            )
        by_dataset = part.repetitions.groupby("dataset")
        least = by_dataset.min()
        early = least[least < by_dataset.max()]
        if early.size:
            fewest = f"as few as {counted(early.min(), 'repetition')}"
            notes.append(
                f"Early steps ({VALIDATIONS[name]}) rest on {fewest}: those with a score of every drawn method."
            )
    return notes


def copies(compared: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """The sentence (list) on those of `names`, scikit-learn's copies, that stand beside published values."""
    published = {row for part in compared.values() for row in part.published_mean.dropna(how="all").index}
    shown = [name for name in names if name in published]
    sentence = f"{few(shown)}: scikit-learn's copies, which may differ from the published data (docs/data.md)."
    return [sentence] if shown else []


def not_comparable(names: Sequence[str]) -> list[str]:
    """The sentence (list) on data sets, as printed, of which the document probably had other data than ours."""
    reason = "printed, probably, of other data than ours (docs/data.md); no claim of the ledger compares errors there"
    return [f"Not comparable: {few(names)}; {reason}."] if names else []


def failed_trials(searches: Mapping[str, tuple[int, Counter, int]]) -> list[str]:
    """The sentence (list) on failed trials: dict, study -> what `frames.failures` returns of its searches."""
    phrases = {study: _failed(*counts) for study, counts in searches.items()}
    of = {study: "the study" if len(phrases) == 1 else study for study, phrase in phrases.items() if phrase}
    parts = [f"of {name}: {phrases[study]}" for study, name in of.items()]
    return [f"Failed trials in the searches {'; '.join(parts)}."] if parts else []


def _failed(trials, failures, unknown):
    """How many trials of a study failed, by reason; empty when there are none."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in failures.most_common())
    number = f"{failures.total()} of {trials:,} ({reasons})" if failures else f"none of {trials:,} trials"
    rest = f"unknown for {counted(f'{unknown:,}', 'search', 'searches')} scored by older code"
    return "; ".join([number] * (trials > 0) + [rest] * (unknown > 0))


def old_scores(study: str, scale: str, folder: Path, datasets: Collection[str], expected: dict) -> list[str]:
    """The sentence (list) on score files of `datasets` below `folder` that other code or settings have made.

    expected: what scores depend on now (`frames.outdated`).
    """
    count = len(frames.outdated(folder, datasets, expected))
    return [_outdated(counted(count, "score file"), study, scale)] if count else []


def old_measures(study: str, scale: str, folder: Path, names: Iterable[str], expected: dict) -> list[str]:
    """The same on those of the measures (list of names) whose files lie in `folder`.

    expected: dict, name -> what a measure depends on now (`fingerprint.measure_depends`).
    """
    files = {name: Path(folder, f"{name}.parquet") for name in names}
    old = [
        name for name in names if files[name].is_file() and not provenance.is_current(files[name], expected.get(name))
    ]
    return [_outdated(f"{counted(len(old), 'measure')} ({', '.join(old)})", study, scale)] if old else []


def _outdated(files, study, scale):
    status = f"python -m bayes_hpo.stages.status study={study} scale={scale}"
    return f"Outdated: {files} of {study}, made by other code or settings ({status} says which)."


def few(names: Sequence[str], most: int = 6) -> str:
    """At most `most` names in one phrase; of more, their number."""
    return ", ".join(names) if len(names) <= most else counted(len(names), "data set")


def size(datasets: int, repetitions: pd.Series, planned: tuple[int, int]) -> str:
    """How many data sets, with how many repetitions each (series): "3 of 12 data sets, 1 to 2 of 6 repetitions".

    planned: numbers of both of the scale, 0 where they are not known; stated where there are fewer.
    """
    numbers = {"data set": pd.Series(datasets), "repetition": repetitions}
    return ", ".join(of_planned(part, n, noun) for (noun, part), n in zip(numbers.items(), planned, strict=True))


def of_planned(counts: pd.Series, planned: int, noun: str) -> str:
    """How many there are (series of counts), and of how many of the scale where some are fewer."""
    return f"{span(counts)} of {counted(planned, noun)}" if counts.min() < planned else counted(span(counts), noun)


def span(counts: pd.Series) -> str:
    """The least and the most of some counts (series), such as "2 to 4"; one number when they are equal."""
    least, most = counts.min(), counts.max()
    return f"{most}" if least == most else f"{least} to {most}"


def counted(n: int | str, noun: str, plural: str | None = None) -> str:
    """A number, or a text such as "2 to 4", with its noun."""
    return f"{n} {noun}" if str(n) == "1" else f"{n} {plural or f'{noun}s'}"

"""The caption of an artifact: scale, setting, data sets and repetitions, warnings and command."""

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
from bayes_hpo.scores.failures import Failures
from bayes_hpo.storage import provenance
from bayes_hpo.storage.layout import RESULTS


@dataclass(frozen=True)
class Caption:
    """The caption of an artifact.

    scale: name.
    setting: name of the scale's Gaussian process setting; empty if no study behind the artifact uses one.
    command: command that makes the artifact.
    warnings: sentences that follow the artifact's notes.
    """

    scale: str
    setting: str
    command: str
    warnings: tuple[str, ...] = ()

    def sentences(self, notes: Iterable[str]) -> list[str]:
        """The sentences without the command. notes: sentences of the artifact."""
        status = f" ({warning(self.scale)})" if warning(self.scale) else ""
        setting = f", GP setting {self.setting}" if self.setting else ""
        return [f"Scale {self.scale}{status}{setting}.", *notes, *self.warnings]

    def whole(self, notes: Iterable[str]) -> list[str]:
        """All sentences, the command last."""
        return [*self.sentences(notes), f"Command: {self.command}"]


def warning(scale: str) -> str:
    """The warning on a scale whose runs are no evidence; empty for other scales."""
    return f"{scale} scale: no evidence" if scale in NO_EVIDENCE else ""


def command(path: str | Path, left_out: Sequence[str] = (), results: str = RESULTS) -> str:
    """The command that makes the product `path` from the runs in `results`, without the data sets `left_out`."""
    place = [f"results_dir={results}"] if results != RESULTS else []
    less = [f"without={','.join(left_out)}"] if left_out else []
    config = ["--config", *place, *less] if place or less else []
    return join(["snakemake", "--cores", "2", str(path), *config])


def stage_command(stage: str, left_out: Sequence[str] = (), given: Sequence[str] = (), **overrides: Any) -> str:
    """The command that runs a stage with `overrides` (name -> value), without the data sets `left_out`.

    given: further overrides, NAME=VALUE in Hydra's syntax.
    """
    words = [word(name, value) for name, value in overrides.items()]
    less = [f"without=[{','.join(left_out)}]"] if left_out else []
    return " ".join([f"python -m bayes_hpo.stages.{stage}", *map(quote, given), *words, *map(quote, less)])


def left(names: Sequence[str], scale: str, released: str) -> str:
    """The paragraph on artifacts (as DOCUMENT/NAME) whose scores or measures have not been released."""
    page = f"python -m bayes_hpo.stages.report scale={scale} artifact=page scores={released}"
    return (
        f"Left: {', '.join(names)}, whose scores or measures {released}/ does not hold; the page of scale {scale} says "
        f"what data, commands and core-hours each of them needs ({page} makes it alone)."
    )


def coverage(compared: Mapping[str, Any]) -> list[str]:
    """Sentences on the data sets and repetitions of comparisons (dict, validation -> `comparison.Comparison`)."""
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
    """Sentences on the comparisons that cover only some of the data sets in the document's table."""
    fewer = {
        VALIDATIONS[name]: part.printed_size
        for name, part in compared.items()
        if part.published_mean.notna().any(axis=1).sum() < part.printed_size
    }
    numbers = set(fewer.values())
    where = f" ({', '.join(fewer)})" if len(fewer) < len(compared) else ""
    return [f"The document's table has {counted(number, 'data set')}{where}." for number in numbers]


def _left_out(compared, field, reason):
    """One sentence for each distinct tuple of data sets in a field of the comparisons."""
    where = {}
    for name, part in compared.items():
        where.setdefault(getattr(part, field), []).append(VALIDATIONS[name])
    return [f"Left out ({', '.join(labels)}): {few(names)}; {reason}." for names, labels in where.items() if names]


def steps(curves: Mapping[str, Any]) -> list[str]:
    """Sentences on function evaluations that curves lack, or at which they rest on fewer repetitions.

    curves: dict, validation -> `figures.curves.Curves`.
    """
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
    """The sentence (list) on scikit-learn's copies among `names` that are shown next to published values."""
    published = {row for part in compared.values() for row in part.published_mean.dropna(how="all").index}
    shown = [name for name in names if name in published]
    sentence = f"{few(shown)}: scikit-learn's copies, which may differ from the published data (docs/data.md)."
    return [sentence] if shown else []


def not_comparable(names: Sequence[str]) -> list[str]:
    """The sentence (list) on data sets (printed names) whose errors were probably printed for other data than ours."""
    reason = "printed, probably, of other data than ours (docs/data.md); no claim of the ledger compares errors there"
    return [f"Not comparable: {few(names)}; {reason}."] if names else []


def failed_trials(searches: Mapping[str, Mapping[str, Failures]]) -> list[str]:
    """The sentence (list) on failed trials. searches: dict, study -> dict, searcher -> Failures."""
    phrases = {study: _failed(of_searcher) for study, of_searcher in searches.items()}
    of = {study: "the study" if len(phrases) == 1 else study for study, phrase in phrases.items() if phrase}
    parts = [f"of {name}: {phrases[study]}" for study, name in of.items()]
    return [f"Failed trials in the searches {'; '.join(parts)}."] if parts else []


def _failed(searches):
    """Phrase on the failed trials of a study, by reason and by searcher; empty if there are no searches."""
    trials, unknown = (sum(getattr(one, count) for one in searches.values()) for count in ("trials", "unknown"))
    failures = sum((one.reasons for one in searches.values()), Counter())
    reasons = ", ".join(f"{count} {reason}" for reason, count in failures.most_common())
    number = f"{failures.total():,} of {trials:,} ({reasons})" if failures else f"none of {trials:,} trials"
    known = {name: one for name, one in searches.items() if one.trials}
    each = ", ".join(f"{one.reasons.total():,} of {name}'s {one.trials:,}" for name, one in known.items())
    rest = f"unknown for {counted(f'{unknown:,}', 'search', 'searches')} scored by older code"
    by_searcher = [each] * (failures.total() > 0 and len(known) > 1)
    return "; ".join([number] * (trials > 0) + by_searcher + [rest] * (unknown > 0))


def old_scores(study: str, scale: str, folder: Path, datasets: Collection[str], expected: dict) -> list[str]:
    """The sentence (list) on score files of `datasets` in `folder` that were made by other code or settings.

    expected: what scores depend on now (`frames.outdated`).
    """
    count = len(frames.outdated(folder, datasets, expected))
    return [_outdated(counted(count, "score file"), study, scale)] if count else []


def old_measures(study: str, scale: str, folder: Path, names: Iterable[str], expected: dict) -> list[str]:
    """The sentence (list) on files of the measures `names` in `folder` that were made by other code or settings.

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
    """The names, separated by commas, or their number if there are more than `most`."""
    return ", ".join(names) if len(names) <= most else counted(len(names), "data set")


def size(datasets: int, repetitions: pd.Series, planned: tuple[int, int]) -> str:
    """Number of data sets, and of repetitions of each (series): "3 of 12 data sets, 1 to 2 of 6 repetitions".

    planned: both numbers at this scale, 0 if unknown; stated only if ours are smaller.
    """
    numbers = {"data set": pd.Series(datasets), "repetition": repetitions}
    return ", ".join(of_planned(part, n, noun) for (noun, part), n in zip(numbers.items(), planned, strict=True))


def of_planned(counts: pd.Series, planned: int, noun: str) -> str:
    """The range of some counts (series) with their noun, and the planned number if some counts are smaller."""
    return f"{span(counts)} of {counted(planned, noun)}" if counts.min() < planned else counted(span(counts), noun)


def span(counts: pd.Series) -> str:
    """The range of some counts (series), such as "2 to 4"; a single number if they are equal."""
    least, most = counts.min(), counts.max()
    return f"{most}" if least == most else f"{least} to {most}"


def counted(n: int | str, noun: str, plural: str | None = None) -> str:
    """A number, or a text such as "2 to 4", followed by its noun."""
    return f"{n} {noun}" if str(n) == "1" else f"{n} {plural or f'{noun}s'}"

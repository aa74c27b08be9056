"""The notes on a verdict in the ledger: missing results, too few data, and sizes that the interval excludes."""

from collections.abc import Mapping

from bayes_hpo.claims import verdict
from bayes_hpo.claims.evidence import Evidence
from bayes_hpo.claims.identities import FRAMES
from bayes_hpo.claims.measure import WIN_FREQUENCY
from bayes_hpo.claims.part import Part
from bayes_hpo.claims.sample import MEASURED
from bayes_hpo.claims.study import Study, missing, unmeasured
from bayes_hpo.documents.names import NO_EVIDENCE, VALIDATIONS, printed
from bayes_hpo.stats.wilcoxon import LEVEL

COMMAND = "python -m bayes_hpo.stages.measure study={study} measure={measure} scale={scale} finished=true"


def notes(
    part: Part,
    evidence: Evidence | None,
    part_verdict: str,
    power: float,
    studies: Mapping[str, Study],
    scale: str,
) -> list[str]:
    """Phrases on one part.

    power: at the data sets and repetitions of the evidence; NaN if unknown.
    studies: name -> Study, for those that have the scale.
    """
    phrases = [f"{scale} scale: no evidence"] if scale in NO_EVIDENCE else []
    if part.claim.is_identity:
        return [] if evidence else [f"no measure {FRAMES[part.claim.measure]} of this scale"]
    if evidence is None:
        return phrases + _absence(part, studies, scale)
    data = dict.fromkeys(studies[column.study].data_note for column in part.columns if column.study in studies)
    return [*phrases, *filter(None, data), *_smallness(part, evidence), *_doubt(part, evidence, part_verdict, power)]


def _absence(part, studies, scale):
    """Why there is no evidence (phrases)."""
    lacking = sorted({column.study for column in part.columns} - set(studies))
    if lacking:
        return [f"study {' and '.join(lacking)} has no scale {scale}"]
    if absent := missing(part.columns, studies):
        return [f"no scores of {_named(absent, studies)}"]
    if part.claim.datasets and missing(part.columns, studies, part.claim.datasets):
        return [f"no scores on {', '.join(part.claim.datasets)}"]
    return _not_made(part, studies, scale) or ["what is compared has no data set and repetition in common"]


def _not_made(part, studies, scale):
    """Measures that have not been made for the compared methods, each with its command (phrases)."""
    phrases = []
    for measure, quantities in MEASURED.items():
        asked = [name for name in part.measure.quantities if name in quantities]
        absent = {name: unmeasured(part.columns, name, studies, part.claim.datasets) for name in asked}
        if lacking := {name: columns for name, columns in absent.items() if columns}:
            columns = next(iter(lacking.values()))
            what = measure if list(lacking) == asked else f"{measure} ({', '.join(lacking)})"
            command = COMMAND.format(study=columns[0].study, measure=measure, scale=scale)
            phrases.append(f"no measure {what} of {_named(columns, studies)}; {command} makes it")
    return phrases


def _named(columns, studies):
    """The first of some columns in words, and how many more there are."""
    study, validation, method = columns[0]
    more = f", nor of {len(columns) - 1} more" if len(columns) > 1 else ""
    return f"{printed(method, studies[study].labels)} ({VALIDATIONS[validation]}) in the study {study}{more}"


def _smallness(part, evidence):
    """Phrases on too few data sets or repetitions."""
    unit = "repetition" if part.one_dataset else "data set"
    if evidence.units < verdict.LEAST_UNITS:
        counted = f"{evidence.units} {unit}{'s' if evidence.units > 1 else ''}"
        return [f"{counted}: fewer than {verdict.LEAST_UNITS} decide nothing"]
    if unit == "data set" and min(evidence.repetitions) == 1:
        return ["one repetition: its noise cannot be told from what differs between data sets"]
    return []


def _doubt(part, evidence, part_verdict, power):
    """Phrases on why an insignificant result is inconclusive, and on what it excludes nevertheless."""
    if part_verdict not in (verdict.INCONCLUSIVE, verdict.UNDECIDABLE) or evidence.units < verdict.LEAST_UNITS:
        return []
    phrases = []
    if part.claim.distances(evidence.published) < 0:
        phrases.append("the published cells themselves do not show it on these data sets")
    if not part.claim.is_direction:
        return phrases + _difference(part, evidence)
    if power < verdict.LEAST_POWER:
        phrases.append("power below .5: an insignificant result decides nothing")
    if abs(evidence.published - evidence.estimate) > evidence.half_width:
        phrases.append("the interval excludes the published size on the same data sets")
    return phrases


def _difference(part, evidence):
    """Phrase (list) on a difference within the margin that is not equality, because the document's test finds it."""
    within = abs(evidence.estimate) + evidence.half_width <= part.claim.limit
    if part.claim.kind == "equality" and within and evidence.p_test < LEVEL:
        test = "the sign test" if part.measure.unit == WIN_FREQUENCY else "Wilcoxon's test"
        return [f"within the margin, but {test} tells a difference (p = {evidence.p_test:.2g})"]
    return []

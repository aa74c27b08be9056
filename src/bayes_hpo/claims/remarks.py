"""What the ledger notes beside a verdict: what is missing, what decides nothing, and what the interval excludes."""

from bayes_hpo.claims import verdict
from bayes_hpo.claims.study import missing
from bayes_hpo.names import NO_EVIDENCE, VALIDATIONS, printed


def remarks(part, evidence, part_verdict, studies, scale):
    """Phrases (list) on one part.

    evidence: Evidence or None. studies: dict, name -> Study of those that have the scale.
    """
    said = [f"{scale} scale: no evidence"] if scale in NO_EVIDENCE else []
    if evidence is None:
        return said + _absence(part, studies, scale)
    return said + _smallness(part, evidence) + _doubt(part, evidence, part_verdict)


def _absence(part, studies, scale):
    """Why there is no evidence."""
    lacking = sorted({column.study for column in part.columns} - set(studies))
    if lacking:
        return [f"study {' and '.join(lacking)} has no scale {scale}"]
    absent = missing(part.columns, studies)
    if absent:
        labels = [
            f"{printed(method, studies[study].labels)} ({VALIDATIONS[validation]}) of {study}"
            for study, validation, method in absent
        ]
        return [f"no scores of {labels[0]}" + (f" and {len(labels) - 1} more" if len(labels) > 1 else "")]
    if part.claim.datasets:
        return [f"no scores on {', '.join(part.claim.datasets)}"]
    return ["what is compared has no data set and repetition in common"]


def _smallness(part, evidence):
    """What too few data sets or repetitions leave open."""
    unit = "repetition" if part.one_dataset else "data set"
    if evidence.units < verdict.LEAST_UNITS:
        counted = f"{evidence.units} {unit}{'s' if evidence.units > 1 else ''}"
        return [f"{counted}: fewer than {verdict.LEAST_UNITS} decide nothing"]
    if unit == "data set" and min(evidence.repetitions) == 1:
        return ["one repetition: its noise cannot be told from what differs between data sets"]
    return []


def _doubt(part, evidence, part_verdict):
    """Why an insignificant result is inconclusive, and what it excludes all the same."""
    if part_verdict != verdict.INCONCLUSIVE or evidence.units < verdict.LEAST_UNITS:
        return []
    low_power = evidence.power < verdict.LEAST_POWER
    said = ["power below .5: an insignificant result decides nothing" if low_power else "insignificant at this power"]
    if part.claim.kind == "direction" and abs(evidence.published - evidence.estimate) > evidence.half_width:
        said.append("the interval excludes the published size")
    return said

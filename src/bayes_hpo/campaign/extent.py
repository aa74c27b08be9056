"""What a scale runs of a study: its suite, budget and numbers of repetitions, checked."""

from bayes_hpo.campaign.jobs import MOST
from bayes_hpo.errors import UserError


def extent(cfg):
    """What the scale of a configuration runs of its study (dict): suite, budget, repetitions.

    Raises: UserError when the study does not have the scale or has nothing to run, and for a number out of its range.
    """
    study, scale = cfg["study"], cfg["scale"]["name"]
    if scale not in study["scales"]:
        known = ", ".join(sorted(study["scales"]))
        raise UserError(f"study {cfg['names']['study']} has no scale {scale}; allowed: {known}")
    for key in ("validations", "methods"):
        if not study[key]:
            raise UserError(f"study.{key} is empty; give at least one")
    if (rows := cfg["scale"]["rows_per_job"]) < 1:
        raise UserError(f"scale.rows_per_job={rows} must be a whole number, at least 1")
    for validation in study["validations"]:
        if not 1 <= study["scales"][scale]["repetitions"].get(validation, 0) <= MOST:
            raise UserError(f"study.scales.{scale}.repetitions.{validation} must be a whole number, 1 to {MOST}")
    return study["scales"][scale]

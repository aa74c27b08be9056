"""What a scale runs of a study: its suite, budget and numbers of repetitions."""

from bayes_hpo.errors import UserError


def extent(cfg):
    """What the scale of a configuration runs of its study (dict): suite, budget, repetitions.

    Raises: UserError when the study does not have the scale or has nothing to run.
    """
    study, scale = cfg["study"], cfg["scale"]["name"]
    if scale not in study["scales"]:
        known = ", ".join(sorted(study["scales"]))
        raise UserError(f"study {cfg['names']['study']} has no scale {scale}; allowed: {known}")
    for key in ("validations", "methods"):
        if not study[key]:
            raise UserError(f"study.{key} is empty; give at least one")
    if missing := [name for name in study["validations"] if name not in study["scales"][scale]["repetitions"]]:
        raise UserError(f"study.scales.{scale}.repetitions has no number for {missing[0]}; give one, at least 1")
    return study["scales"][scale]

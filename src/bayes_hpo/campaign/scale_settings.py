"""The settings of a study at a scale: suite, budget and repetitions."""

from bayes_hpo.configuration.options import written
from bayes_hpo.errors import UserError


def scale_settings(cfg: dict) -> dict:
    """The settings of a study at the scale of a configuration: suite, budget and repetitions.

    Raises: UserError when the study does not have the scale, or has nothing to run.
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


def scales_of(study: str) -> list[str]:
    """Names of the scales at which a study can be run."""
    return list(written("study", study)["scales"])

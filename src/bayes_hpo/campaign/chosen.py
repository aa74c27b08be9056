"""Checks of names in a command that must fit together: study, scale, protocol and searcher."""

import logging
from collections.abc import Sequence

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.protocols import pools_of
from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.configuration.options import CONF, options, written
from bayes_hpo.configuration.predictions import reads_predictions
from bayes_hpo.errors import UserError

log = logging.getLogger(__name__)


def check_names(arguments: Sequence[str]) -> None:
    """Check the names in a command (list of "name=value") against the options in conf/.

    Raises: UserError for a scale that the study lacks, a method in place of a searcher, and wrong capitalization.
    """
    chosen = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    study, scale, searcher = (chosen.get(group) for group in ("study", "scale", "searcher"))
    if study in options("study") and scale in options("scale") and scale not in scales_of(study):
        raise UserError(f"study {study} has no scale {scale}; allowed: {', '.join(scales_of(study))}")
    if searcher in set(options("method")) - set(options("searcher")):
        own = written("method", searcher)["searcher"]
        raise UserError(f"searcher={searcher}: {searcher} is a method; its searcher is {own}")
    for group in ("study", "scale", "protocol", "searcher", "method", "measure"):
        for name in options(group) if group in chosen else ():
            if chosen[group] != name and chosen[group].lower() == name.lower():
                raise UserError(f"unknown {group}={chosen[group]} (did you mean {name}?)")


def checked(cfg: dict) -> Grid:
    """The grid of the configuration of a search; logs a warning if no method selects from its pools.

    Raises: UserError for a protocol that the study's scale lacks, and for a searcher that reads predictions in a study
    whose trials store none.
    """
    grid, protocol, searcher = Grid(cfg), cfg["names"]["protocol"], cfg["names"]["searcher"]
    validation = grid.validation(protocol)  # raises UserError
    if reads_predictions(cfg["searcher"]) and cfg["study"]["evaluation"] == written("evaluation", "losses"):
        raise UserError(
            f"searcher={searcher} reads predictions of trials, and those of study {grid.study} store none; give a "
            "study that has a method with it (bayes-hpo methods names them)"
        )
    if (protocol, searcher) not in pools_of(_methods(grid), [validation]):
        log.warning(
            "no method of study %s selects from searcher=%s with protocol=%s, so `score` will refuse its pools; "
            "to have one, list it in %s",
            *(grid.study, searcher, protocol, CONF / "study" / f"{grid.study}.yaml"),
        )
    return grid


def _methods(grid):
    """Names of the methods of a study, as in the command, and of those of other studies that share its pools."""
    others = {name: written("study", name) for name in options("study") if name != grid.study}
    sharing = [study["methods"] for name, study in others.items() if (study.get("pools") or name) == grid.owner]
    return [*grid.cfg["study"]["methods"], *(method for methods in sharing for method in methods)]

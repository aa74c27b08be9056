"""Protocols as values, and their names in paths, conf/protocol and commands."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.errors import UserError

SPLITS = {"fixed": "", "reshuffled": "_r"}
SELECTION = {False: "", True: "_sel"}


@dataclass(frozen=True)
class Protocol:
    """How configurations are validated.

    validation: holdout or kfold, as studies name them.
    selection_split: whether a selection split is held back.
    splits: fixed or reshuffled.
    Raises: UserError for any other splits.
    """

    validation: str
    selection_split: bool
    splits: str

    def __post_init__(self):
        if self.splits not in SPLITS:
            raise UserError(unknown("splits", self.splits, SPLITS))

    @property
    def name(self) -> str:
        """Such as kfold_sel_r."""
        return self.validation + SELECTION[self.selection_split] + SPLITS[self.splits]


def protocol_name(validation: str, method: dict) -> str:
    """Name of the protocol that a method (its configuration) has under a validation."""
    return Protocol(validation, method["selection_split"], method["splits"]).name


def protocols(validations: Iterable[str]) -> dict[str, Protocol]:
    """Every protocol under some validations (names): dict, name -> Protocol."""
    every = [Protocol(*values) for values in product(validations, SELECTION, SPLITS)]
    return {protocol.name: protocol for protocol in every}

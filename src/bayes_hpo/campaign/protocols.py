"""Protocols as values, and their names in paths, conf/protocol and commands."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.options import options, written
from bayes_hpo.errors import UserError

SPLITS = {"fixed": "", "reshuffled": "_r"}
SELECTION = {False: "", True: "_sel"}


@dataclass(frozen=True)
class Protocol:
    """How configurations are validated.

    validation: holdout or kfold, as named in studies.
    selection_split: whether a selection split is held out.
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
        """The name, such as kfold_sel_r."""
        return self.validation + SELECTION[self.selection_split] + SPLITS[self.splits]


def protocol_name(validation: str, method: dict) -> str:
    """Name of the protocol of a method (its configuration) under a validation."""
    return Protocol(validation, method["selection_split"], method["splits"]).name


def pools_of(methods: Iterable[str], validations: Iterable[str]) -> list[tuple[str, str]]:
    """(protocol, searcher) of the distinct pools from which some methods (names of files) select."""
    nodes = [written("method", name) for name in methods if name in options("method")]
    return list(dict.fromkeys((protocol_name(v, node), node["searcher"]) for v in validations for node in nodes))


def protocols(validations: Iterable[str]) -> dict[str, Protocol]:
    """All protocols under some validations (names): dict, name -> Protocol."""
    every = [Protocol(*values) for values in product(validations, SELECTION, SPLITS)]
    return {protocol.name: protocol for protocol in every}

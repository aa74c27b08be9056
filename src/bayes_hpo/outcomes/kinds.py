"""Kinds of tasks and units of their errors; separate from `task` so that data and tables do not depend on losses."""

from dataclasses import dataclass

CLASSIFICATION, REGRESSION = KINDS = ("classification", "regression")


@dataclass(frozen=True)
class Unit:
    """The unit in which mean losses are printed: `factor` times the loss, in `name`."""

    name: str
    factor: float


PERCENT = Unit("percent", 100)

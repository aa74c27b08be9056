"""Kinds of tasks, and units of their errors; apart from `task`, so that data and tables depend on no loss."""

from dataclasses import dataclass

CLASSIFICATION, REGRESSION = KINDS = ("classification", "regression")


@dataclass(frozen=True)
class Unit:
    """How mean losses are printed: `factor` times the loss, in `name`."""

    name: str
    factor: float


PERCENT = Unit("percent", 100)

"""Names used in paths and configurations, and their printed forms."""

from collections.abc import Mapping
from types import MappingProxyType

NO_EVIDENCE = ("toy", "smoke")  # scales whose runs decide no claim
PRIMARY = "primary"
COUNTED = (PRIMARY, "secondary")  # tiers of claims that count in headlines
EVIDENCE = ("small", "paper")  # scales whose runs decide claims
VERDICTS = (  # from best to worst, the order in tables
    "reproduced",
    "smaller than published",
    "larger than published",
    "not reproduced",
    "inconclusive",
    "undecidable by design",
    "not run",
)
DIFFERENT = VERDICTS[1:4]  # smaller or larger than published, not reproduced
SAME_SETS, PRINT = "own data sets", "print"  # data behind a published value in the ledger
VALIDATIONS = {"holdout": "hold-out", "kfold": "5-fold"}
NO_LABELS: Mapping[str, str] = MappingProxyType({})


def printed(method: str, labels: Mapping[str, str] = NO_LABELS) -> str:
    """The printed name of a method: its label in a study's `labels`, or else gp_sel_r -> gp-sel-r."""
    return labels.get(method, method.replace("_", "-"))


def method(label: str, labels: Mapping[str, str] = NO_LABELS) -> str:
    """The method whose printed name is `label`, the inverse of `printed`: gp-sel-r -> gp_sel_r."""
    return {known: name for name, known in labels.items()}.get(label, label.replace("-", "_"))

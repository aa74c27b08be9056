"""Measured costs of models and suggestions, from conf/costs.csv."""

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from bayes_hpo.campaign.protocols import protocols
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.errors import RunError, UserError

COSTS = Path("conf/costs.csv")


@dataclass(frozen=True)
class Costs:
    """Measured costs, CPU seconds on one core.

    model: learner -> coefficients (4,) of log seconds per model on (1, log training rows, log predicted rows, log
        features); "" is fitted to all learners and used for those that were not measured.
    suggestion: (learner, searcher, candidates) -> seconds per suggestion.
    refits: (learner, searcher, whether there is a selection split) -> models refit per scored pool.
    scoring: seconds per scored pool without refits.
    factor: (learner, searcher) -> seconds of a model of this search, divided by those of random search.
    """

    model: dict
    suggestion: dict
    refits: dict
    scoring: float = 0.0
    factor: dict = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path = COSTS) -> Self:
        """Fit the model to the rows of `path`. Raises: RunError when the file is missing or malformed."""
        try:
            with open(path, newline="", encoding="utf-8") as stream:
                rows = list(csv.DictReader(stream))
            kinds = "model", "suggestion", "refits", "score", "factor"
            models, suggestions, refits, scores, factors = (
                [row for row in rows if row["kind"] == kind] for kind in kinds
            )
            learners = ["", *dict.fromkeys(row["learner"] for row in models)]
            return cls(
                {name: _fitted([row for row in models if name in ("", row["learner"])]) for name in learners},
                {(row["learner"], row["name"], int(row["candidates"] or 0)): _seconds(row) for row in suggestions},
                {_refits(row): _seconds(row) for row in refits},
                sum(map(_seconds, scores)),
                {(row["learner"], row["name"]): _seconds(row) for row in factors},
            )
        except (OSError, KeyError, ValueError) as problem:
            raise RunError(
                f"{path} holds no measured costs ({problem}); measure: python -m benchmarks.costs"
            ) from problem

    def seconds(self, learner: dict, train: float, predicted: float, p: int) -> float:
        """Seconds of one model of the learner (its node): `train` training rows of `p` features, `predicted` rows."""
        return math.exp(self.model.get(learner_name(learner), self.model[""]) @ _features(train, predicted, p))

    def relative(self, learner: dict, searcher: str) -> float:
        """Seconds of a model of this search, divided by those of random search; 1 if it was not measured."""
        return self.factor.get((learner_name(learner), searcher), 1.0)

    def suggesting(self, learner: dict, searcher: str, candidates: int) -> float:
        """Seconds of one suggestion; 0 for a searcher that was not measured.

        Measured with the learner if possible, else with another one, at the nearest number of candidates, and over the
        whole budget of a study: more trials or dimensions cost more (benchmarks/README.md).
        """
        known = [
            (name != learner_name(learner), abs(number - candidates), seconds)
            for (name, measured, number), seconds in self.suggestion.items()
            if measured == searcher
        ]
        return min(known)[2] if known else 0.0

    def refitting(self, learner: dict, searcher: str, selection_share: float) -> float:
        """Models refit per scored pool; if not measured, the mean over that learner's measurements, or over all."""
        name, selects = learner_name(learner), selection_share > 0
        similar = [number for (other, *_), number in self.refits.items() if other == name] or list(self.refits.values())
        return self.refits.get((name, searcher, selects), sum(similar) / len(similar))

    def unmeasured(self, learner: dict, searchers: Iterable[str]) -> list[str]:
        """Sentences on the costs of a study that were not measured."""
        name, known = learner_name(learner), {searcher for _, searcher, _ in self.suggestion}
        compared = {searcher for measured, searcher in self.factor if measured == name}
        notes = []
        if others := [searcher for searcher in searchers if searcher not in known]:
            notes.append(f"not measured, counted as 0 s: suggestions of {', '.join(others)}")
        others = [searcher for searcher in searchers if searcher not in compared | {"random"}]
        if compared and others:
            notes.append(f"not measured, counted as those of random search: models of {', '.join(others)}")
        if name not in self.model:
            notes.append(f"not measured, counted as those of other learners: models of {name}")
        return notes


def learner_name(node: dict) -> str:
    """Name of a learner, given its node of the configuration: the module of its class.

    Raises: UserError when the node does not name a class in a module.
    """
    module, _, name = str(node.get("_target_")).rpartition(".")
    if not (module and name):
        raise UserError(
            f"study.learner._target_={node.get('_target_')} names no class; give it as package.module.Class"
        )
    return module.rpartition(".")[2]


def _refits(row):
    searcher, protocol = row["name"].split("/")
    return row["learner"], searcher, protocols(VALIDATIONS)[protocol].selection_split


def _seconds(row):
    return float(row["seconds"])


def _fitted(rows):
    """Coefficients (4,) fitted by least squares to the measured rows of one learner, with slopes bounded below by 0.

    Without the bound, sizes that grow together (with five folds, four times as many rows are trained on as predicted)
    would get slopes such as +500 and -500.
    """
    X = np.array([_features(*(float(row[key]) for key in ("train", "predicted", "p"))) for row in rows])
    seconds = np.log([_seconds(row) for row in rows])
    return lsq_linear(X, seconds, bounds=([-np.inf, 0.0, 0.0, 0.0], np.inf)).x


def nonnegative(X: NDArray, y: NDArray) -> NDArray:
    """Nonnegative least-squares coefficients (k,) of y (n,) on X (n, k)."""
    return lsq_linear(X, y, bounds=(0.0, np.inf)).x


def _features(train, predicted, p):
    return np.array([1.0, math.log(train), math.log(predicted), math.log(p)])

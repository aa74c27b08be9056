"""Losses of toy ensembles, with every possible further classifier (thesis, 4.3.4, tables 4.1 and 4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import PositiveInt
from bayes_hpo.ensembles.losses import Sigmoid, c_bound, margin, squared_margin, zero_one
from bayes_hpo.ensembles.margins import sigmoid_slope
from bayes_hpo.ensembles.ties import truth_last
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import UserError
from bayes_hpo.measures.searches import Grid

LOSSES = {"zero_one": zero_one, "margin": margin, "squared_margin": squared_margin, "c_bound": c_bound}
TRUE, OTHER = 0, 1  # the labels of two classes


@dataclass(frozen=True, kw_only=True)
class Toy:
    """An ensemble, given the errors of its members.

    members: name -> errors (n,) on n examples: 1 where the member is wrong, 0 where it is right.
    candidates: name -> errors (n,) of the named candidates; all other candidates have no name.
    """

    members: dict[str, list[int]]
    candidates: dict[str, list[int]]

    def __post_init__(self):
        every = [*self.members.values(), *self.candidates.values()]
        if not self.members or len({len(wrong) for wrong in every}) > 1 or not {*np.concatenate(every)} <= {0, 1}:
            raise UserError("a toy ensemble has members and candidates of one length, of 1 (wrong) and 0 (right)")

    @property
    def possible(self) -> dict[tuple[int, ...], str]:
        """Errors (n,) of every possible candidate -> its name, or "" if it has none."""
        names = {tuple(wrong): name for name, wrong in self.candidates.items()}
        length = len(next(iter(self.members.values())))
        return {wrong: names.get(wrong, "") for wrong in product((TRUE, OTHER), repeat=length)}


@dataclass(frozen=True, kw_only=True)
class ToyEnsembles:
    """The losses of toy ensembles, in which a tie is an error (eq. 4.9).

    toys: name -> Toy.
    slope_of: ensemble size that determines the slope of the sigmoid (D25).
    """

    toys: Mapping[str, Toy]
    slope_of: PositiveInt

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per member, ensemble, and ensemble with a candidate.

        toy, row: names; row is "" for a candidate without a name.
        kind: member, ensemble or candidate.
        wrong: errors of the member or candidate, such as "1 0 1".
        single: share of errors of the member or candidate.
        zero_one, margin, squared_margin, sigmoid, c_bound: losses of the ensemble, with the candidate if there is one;
            NaN for a member.
        """
        rows = [{"toy": name} | row for name, toy in self.toys.items() for row in self._rows(toy)]
        return pd.DataFrame(rows)

    def _rows(self, toy):
        members = list(toy.members.values())
        for name, wrong in toy.members.items():
            yield {"row": name, "kind": "member"} | _single(wrong)
        yield {"row": "E", "kind": "ensemble", "wrong": "", "single": np.nan} | self.losses(np.array(members))
        for wrong, name in toy.possible.items():
            joined = self.losses(np.array([*members, wrong]))
            yield {"row": f"E+{name}" if name else "", "kind": "candidate"} | _single(wrong) | joined

    def losses(self, wrong: NDArray) -> dict[str, float]:
        """Name -> loss of the ensemble of members with errors wrong (n_members, n)."""
        truth, finished = np.full(wrong.shape[1], TRUE), np.ones(len(wrong), dtype=bool)
        one_fold = np.zeros_like(truth)
        votes = StoredVotes(wrong, finished, wrong.mean(axis=1), truth, one_fold, truth_last(truth, 2))
        every = LOSSES | {"sigmoid": Sigmoid(sigmoid_slope(self.slope_of))}
        return {name: votes.loss(loss, range(len(wrong))) for name, loss in every.items()}


def _single(wrong):
    return {"wrong": " ".join(map(str, wrong)), "single": float(np.mean(wrong))}

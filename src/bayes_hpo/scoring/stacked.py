"""Test predictions of the models of the search, alone or stacked by a meta-learner on probabilities (D29 of DivBO).

Shapes: n training rows, k bases of a stack, c classes.
"""

import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.contracts import Learner
from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.ensembles.stack import Base
from bayes_hpo.errors import RunError, described, is_learner_error
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.as_trained import AsTrained
from bayes_hpo.splits import KFold

log = logging.getLogger(__name__)


class Stacked(AsTrained):
    """Test predictions of a trial's model, or of a stack of trials (Wolpert 1992).

    The meta-learner of a stack is trained on out-of-fold predictions of the bases for the training rows, and applied
    to the test predictions of the bases' models of the search, which were trained on all of these rows.
    repetition: gives the training rows and the seeds.
    folds: folds of the training rows for the out-of-fold predictions.
    learner: meta-learner; its features are the class probabilities of all bases.
    """

    def __init__(self, pool_path: Path, *, repetition: Repetition, folds: KFold, learner: Learner):
        super().__init__(pool_path)
        self.repetition, self.folds, self.learner = repetition, folds, learner
        self.stacks: dict[tuple, NDArray | None] = {}  # trials of the bases -> predictions (n_test, c)

    def __call__(self, member: Member) -> NDArray | None:
        """Predictions (n_test, c) of a trial, or of the whole stack if the member is a Base; None if all models fail.

        A base that fails on the test part, or whose training fails on a fold, is left out of the stack.
        Raises: RunError as `AsTrained`, and when the training of every base fails on a fold.
        """
        if not isinstance(member, Base):
            return super().__call__(member)
        trials = tuple(base.trial for base in member.stack)
        if trials not in self.stacks:
            self.stacks[trials] = self._stacked(member.stack)
        return self.stacks[trials]

    def _stacked(self, bases):
        """Predictions (n_test, c) of the stack of these bases; None if all of them fail on the test part."""
        tested = [(base, own) for base in bases if (own := super(Stacked, self).__call__(base)) is not None]
        if not tested:
            return None
        trained = [(held, own) for base, own in tested if (held := self._held_out(base)) is not None]
        if not trained:
            raise RunError(f"no base of the stack of {self.pool_path} could be trained on a part of its rows")
        held, test = zip(*trained, strict=True)  # k of (n, c), k of (n_test, c)
        r = self.repetition
        # the meta-learner maps the bases' probabilities (n, k c) to classes; the test features have the same columns
        meta = self.learner.fit({}, np.hstack(held), r.data.y[self._rows], r.seeds("stack"))
        return r.task.predictions.of(meta, np.hstack(test))

    @property
    def _rows(self):
        """(n,) indices of the training rows of the search."""
        r = self.repetition
        draw = r.protocol.splits.draw(0)
        (fold,) = r.protocol.folds(r.parts, r.strata, draw, r.seeds, training_cap=r.training_cap)
        return fold.train

    def _held_out(self, base: Member) -> NDArray | None:
        """Out-of-fold predictions (n, c) of a base for the training rows; None if its training fails on a fold."""
        r, rows = self.repetition, self._rows
        cuts = self.folds.cut(r.strata[rows], r.seeds("stack_folds"))
        try:
            parts = [r.fit(base.configuration, np.delete(rows, cut))[1](rows[cut]) for cut in cuts]
        except Exception as problem:
            if not is_learner_error(problem):
                raise
            log.warning("%s is left out of the stack: %s", base.configuration, described(problem))
            return None
        held = np.concatenate(parts)  # (n, c), in the order of the folds
        return held[np.argsort(np.concatenate(cuts))]

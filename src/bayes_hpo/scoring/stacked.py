"""The models of the search itself, alone or stacked: a meta-learner on their class probabilities (D29 of DivBO).

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
    """Predictions for the test part of a trial's own model, or of a stack of trials (Wolpert 1992).

    The meta-learner of a stack is trained on what models of each base predict for training rows that they have not
    seen, and applied to what the bases' own models, trained on all of these rows, predict for the test part.
    repetition: its training rows and seeds.
    folds: of the training rows, that are predicted in turn.
    learner: the meta-learner, whose features are the class probabilities of all bases.
    """

    def __init__(self, pool_path: Path, *, repetition: Repetition, folds: KFold, learner: Learner):
        super().__init__(pool_path)
        self.repetition, self.folds, self.learner = repetition, folds, learner
        self.stacks: dict[tuple, NDArray | None] = {}  # trials of the bases -> predictions (n_test, c)

    def __call__(self, member: Member) -> NDArray | None:
        """Predictions (n_test, c) of a trial, or of the stack that it is a Base of; None where all its models fail.

        A base that fails on the test part, or cannot be trained on a part of the rows, is left out. Raises: RunError as
        `AsTrained`, and when no base can be trained on a part of the rows.
        """
        if not isinstance(member, Base):
            return super().__call__(member)
        trials = tuple(base.trial for base in member.stack)
        if trials not in self.stacks:
            self.stacks[trials] = self._stacked(member.stack)
        return self.stacks[trials]

    def _stacked(self, bases):
        """Predictions (n_test, c) of the stack of some members, None where each fails on the test part."""
        tested = [(base, own) for base in bases if (own := super(Stacked, self).__call__(base)) is not None]
        if not tested:
            return None
        trained = [(held, own) for base, own in tested if (held := self._held_out(base)) is not None]
        if not trained:
            raise RunError(f"no base of the stack of {self.pool_path} could be trained on a part of its rows")
        held, test = zip(*trained, strict=True)  # k of (n, c), k of (n_test, c)
        r = self.repetition
        # meta: the probabilities (n, k c) of the bases -> class; the same columns for the rows of the test part
        meta = self.learner.fit({}, np.hstack(held), r.data.y[self._rows], r.seeds("stack"))
        return r.task.predictions.of(meta, np.hstack(test))

    @property
    def _rows(self):
        """(n,) the training rows of the search."""
        r = self.repetition
        draw = r.protocol.splits.draw(0)
        (fold,) = r.protocol.folds(r.parts, r.strata, draw, r.seeds, training_cap=r.training_cap)
        return fold.train

    def _held_out(self, base: Member) -> NDArray | None:
        """What models of a base predict for the training rows (n, c), each without its fold; None where one fails."""
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

"""An ensemble selected from the trials of a finished search (thesis, 4.1; Lévesque et al. 2016, 2.1)."""

from dataclasses import dataclass

from numpy.typing import NDArray

from bayes_hpo.ensembles.combine import Vote
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.ensembles.greedy import Greedy, Path
from bayes_hpo.ensembles.ties import Ties, random_order
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds


@dataclass(frozen=True, kw_only=True)
class PostHoc:
    """A vote of trials chosen by forward selection on their stored predictions.

    greedy: the forward selection.
    ties: rule that breaks ties of votes, both during the selection and in the ensemble (D21).
    """

    greedy: Greedy
    ties: Ties = random_order

    def __call__(self, pool: Pool, seeds: Seeds) -> Ensemble:
        """The ensemble; a trial chosen k times has weight k.

        Raises: EmptyPoolError when no trial has finished, RunError when the pool stores no labels.
        """
        pool.finished()  # raises EmptyPoolError
        history = pool.history
        path = self.greedy.path(StoredVotes.of(history, seeds, self.ties), seeds)
        return Ensemble.of_trials(history.configurations, self.chosen(path), Vote(self.ties))

    def chosen(self, path: Path) -> NDArray:
        """The members (size,), given the path of the selection."""
        return path.trials


class PostHocOfBestSize(PostHoc):
    """Ends the path at its lowest loss; ties go to the smallest ensemble (D24, a variant)."""

    def chosen(self, path: Path) -> NDArray:
        return path.trials[: path.losses.argmin() + 1]

"""An optimizer to ask and tell: a searcher, its history, and the journal from which it goes on."""

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import pandas as pd

from bayes_hpo.configuration.limits import NonNegativeInt, PositiveInt
from bayes_hpo.library.journal import opened
from bayes_hpo.library.methods import OwnTrials, SpentError, searcher, settings, whole
from bayes_hpo.library.space import as_space
from bayes_hpo.library.trials import frame, lowest, not_asked, plain, rows, trial
from bayes_hpo.pool import History, Proposal, Trial
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space


class Optimizer:
    """Suggests configurations of a space, given the losses of those before; lower is better.

    space: a `Space`, a dict (name -> mapping), the path of a YAML file, or a `ConfigSpace.ConfigurationSpace`.
    method: a searcher of conf/searcher that needs no stored predictions (`library.methods.methods`).
    seed: of all draws; the same seed and losses give the same suggestions.
    budget: number of trials that are planned, the points of the methods `grid` and `random_sobol`; others go on after.
    journal: path of a file to which each trial is appended, and from which an optimizer of the same space, method and
        seed goes on; another search's is set aside as `.stale`. None: nothing is kept.
    Raises: UserError for an argument that is wrong; RunError when another process has opened the journal.
    """

    def __init__(
        self,
        space: Space | Mapping | str | Path | Any,
        method: str = "gp_cond_ls",
        seed: NonNegativeInt = 0,
        budget: PositiveInt = 100,
        journal: str | Path | None = None,
    ):
        seed, budget = whole("seed", seed, NonNegativeInt), whole("budget", budget, PositiveInt)
        self.space, self.seeds, self.budget = as_space(space), Seeds("library", "", seed), budget
        self.searcher = searcher(method, self.space, budget)
        planned = {"budget": budget} if getattr(self.searcher, "is_planned", False) else {}
        self.journal = opened(journal, self.space, {"searcher": settings(method), "seed": seed} | planned)
        self._history = History(from_record(record) for record in self.journal.records)
        self._asked: tuple[int, Proposal] | None = None  # the latest proposal, and the number of trials that it follows

    def ask(self) -> dict:
        """The configuration to be evaluated next, name -> value of its active hyperparameters.

        The same one until a loss is told. Raises: UserError when all points of a grid were evaluated.
        """
        return dict(self._proposal().configuration)

    def tell(self, configuration: dict, loss: float | str | Exception) -> None:
        """Add a trial: a configuration and its loss; a failed one for NaN, an exception, or a reason in words.

        A loss above 1e15 in size, such as a penalty of 1e300, makes a failed trial too (`library.trials.LARGEST`).

        Any configuration of the space is accepted. Of one that was not asked for, a surrogate sees the point at which
        the space encodes it (the middle of the bin of an integer or a category, imputed where it is inactive) and its
        loss; a method without a surrogate (random search, a grid, CMA-ES) goes on as if it were not there. The loss of
        a failed trial counts as the worst so far.
        Raises: UserError when it is not a configuration of the space, the loss is not a number or the journal is
        closed; RunError when the journal cannot be written.
        """
        self._add(trial(self._told(plain(configuration, self.space)), loss))

    @property
    def best(self) -> tuple[dict, float]:
        """The configuration with the lowest loss so far, the first of equals, and that loss.

        Raises: EmptyPoolError (a RunError) when no trial has finished.
        """
        best = lowest(self.trials)
        return dict(best.proposal.configuration), best.loss

    @property
    def history(self) -> pd.DataFrame:
        """The trials so far, one row each (`library.trials.frame`)."""
        return frame(self.trials, self.space)

    @property
    def trials(self) -> list[Trial]:
        """The trials so far, in the order in which they were told."""
        return [self._history[t] for t in range(len(self._history))]

    @classmethod
    def from_frame(
        cls, space: Space | Mapping | str | Path | Any, frame: pd.DataFrame, loss: str = "loss", **settings: Any
    ) -> Self:
        """An optimizer that was told the rows of a frame, in order (`tell`), such as the `history` of another one.

        frame: a column per hyperparameter, missing values where it is inactive; others are not read.
        loss: name of the column of losses, missing where the trial failed. settings: of the constructor.
        Raises: UserError as the constructor and `tell`, and for a frame without that column.
        """
        optimizer = cls(space, **settings)
        for configuration, value in rows(frame, optimizer.space, loss):
            optimizer.tell(configuration, value)
        return optimizer

    def close(self) -> None:
        """Close the journal, so that another process may go on from it; also at the end of a `with` statement."""
        self.journal.__exit__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _proposal(self):
        """The proposal that follows the history."""
        if self._asked is None or self._asked[0] != len(self._history):
            self._asked = len(self._history), self.searcher.propose(self._history, self.seeds)
        return self._asked[1]

    def _told(self, configuration):
        """The latest proposal if the configuration is its own, else one that was not asked for.

        Where a suggestion costs nothing, the next one counts as asked for, so that a frame gives back such a search.
        """
        if self._asked is None and isinstance(self.searcher, OwnTrials):
            with contextlib.suppress(SpentError):
                self._proposal()
        if self._asked and self._asked[1].configuration == configuration:
            return self._asked[1]
        return not_asked(configuration, self.space, self._history.memory)

    def _add(self, trial):
        self.journal.append(to_record(trial))
        self._history += trial
        self._asked = None if self._asked and trial.proposal is self._asked[1] else self._asked

"""An optimizer with an ask-and-tell interface: a searcher, its history, and the journal from which it resumes."""

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
    """Suggests configurations of a space, given the losses of earlier configurations; lower is better.

    space: a `Space`, a dict (name -> mapping), the path of a YAML file, or a `ConfigSpace.ConfigurationSpace`.
    method: a searcher of conf/searcher that does not depend on a study (`library.methods.methods`).
    seed: seed of all random draws; the same seed and losses give the same suggestions.
    budget: planned number of trials. It determines the points of `grid` and `random_sobol`, which end there; other
        methods can continue.
    journal: path of a file to which each trial is appended, and from which an optimizer with the same space, method and
        seed resumes. The journal of another search is set aside as `.stale`. None: no journal.
    Raises: UserError for an invalid argument; RunError when another process has opened the journal.
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
        self._asked: tuple[int, Proposal] | None = None  # number of trials before the latest proposal, and the proposal

    def ask(self) -> dict:
        """The configuration to evaluate next: name -> value of its active hyperparameters.

        Returns the same configuration until `tell` is called.
        Raises: UserError when all points of `grid` or `random_sobol` have been evaluated.
        """
        return dict(self._proposal().configuration)

    def tell(self, configuration: dict, loss: float | str | Exception) -> None:
        """Add a trial: a configuration and its loss; for a failed trial NaN, an exception, or a reason as text.

        A trial also fails if its loss exceeds 1e15 in absolute value, such as a penalty of 1e300
        (`library.trials.LARGEST`). The loss of a failed trial counts as the worst so far.

        Any configuration of the space is accepted. If it was not suggested by `ask`, a surrogate is given its encoding
        (the middle of the bin of an integer or a category, imputed values where it is inactive) and its loss, while a
        method without a surrogate (random search, a grid, CMA-ES) ignores it.
        Raises: UserError when the configuration is not in the space, the loss is not a number or the journal is closed;
        RunError when the journal cannot be written.
        """
        self._add(trial(self._told(plain(configuration, self.space)), loss))

    @property
    def best(self) -> tuple[dict, float]:
        """The configuration with the lowest loss so far and that loss; ties go to the earliest trial.

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
        """The trials so far, in the order of the calls of `tell`."""
        return [self._history[t] for t in range(len(self._history))]

    @classmethod
    def from_frame(
        cls, space: Space | Mapping | str | Path | Any, frame: pd.DataFrame, loss: str = "loss", **settings: Any
    ) -> Self:
        """An optimizer with the rows of a frame as trials, such as the `history` of another optimizer.

        frame: one column per hyperparameter, missing values where it is inactive; other columns are ignored.
        loss: name of the column of losses, missing where the trial failed.
        settings: arguments of the constructor.
        Raises: UserError as the constructor and `tell`, and for a frame without the column of losses.
        """
        optimizer = cls(space, **settings)
        for configuration, value in rows(frame, optimizer.space, loss):
            optimizer.tell(configuration, value)
        return optimizer

    def close(self) -> None:
        """Close the journal, so that another process can resume from it; called at the end of a `with` statement."""
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
        """The latest proposal if it has this configuration, else a proposal that was not asked for.

        Methods without a surrogate make the next proposal first, which costs nothing, so that such a search can be
        restored from a frame.
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

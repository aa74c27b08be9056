"""The loop of every search: propose, evaluate, record, until the budget is spent; resumable after any trial."""

import base64
import logging
import math
import time
import zlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bayes_hpo.contracts import Searcher
from bayes_hpo.pool import FAILED, FINISHED, History, Proposal, Trial, Truth
from bayes_hpo.seeds import Seeds
from bayes_hpo.storage.files import Journal

# fields of a trial in its record: short arrays as lists, long ones compressed, scalars unchanged
SHORT, LONG = ("losses", "selection_losses"), ("predictions", "test_predictions")
SCALARS = ("status", "reason", "test_reason", "unconverged", "seconds", "seconds_proposal")
log = logging.getLogger(__name__)


def run_search(
    searcher: Searcher,
    evaluate: Callable[[Proposal], Trial],
    *,
    budget: int,
    seeds: Seeds,
    journal: Journal,
    truth: Truth | None = None,
) -> list[Trial]:
    """Run a search and return its `budget` trials.

    evaluate: evaluates the searcher's proposals.
    seeds: those of the repetition, for the searcher.
    journal: holds the trials of an interrupted search, which are not repeated; a new trial is recorded before the next
        is proposed. The trials returned are the same however often the search was killed.
    truth: ground truth of the stored predictions, for the history.
    """
    trials = [from_record(record) for record in journal.records]
    if trials:
        log.info("resumed at trial %d of %d", len(trials) + 1, budget)
    history, resumed, begin = History(trials, truth), len(trials), time.monotonic()
    best = _lowest(trials)
    while len(trials) < budget:
        start = time.process_time()
        proposal = searcher.propose(history, seeds)
        seconds = time.process_time() - start
        trial = replace(_checked(evaluate(proposal)), seconds_proposal=seconds)
        journal.append(to_record(trial))
        trials.append(trial)
        history, best = history + trial, min(best, _lowest([trial]))
        pace = (time.monotonic() - begin) / (len(trials) - resumed)
        _progress(trial, len(trials), budget, best, pace * (budget - len(trials)))
    return trials


def _checked(trial):
    """The trial, turned into a failed one with NaN losses if a loss is not finite.

    `Evaluation` already turns such trials into failed ones with the worst loss; this covers any other evaluation.
    """
    if np.isfinite(trial.losses).all() or trial.status != FINISHED:
        return trial
    losses = np.full(len(trial.losses), np.nan)
    selection_losses = None if trial.selection_losses is None else losses
    reason = f"the loss is {trial.loss}"
    return replace(trial, losses=losses, selection_losses=selection_losses, status=FAILED, reason=reason)


def _lowest(trials):
    """Lowest loss of the finished trials; infinity without one."""
    return min((trial.loss for trial in trials if trial.status == FINISHED), default=math.inf)


def _progress(trial, number, budget, best, left):
    """Log the progress line of a trial; left, s: time to the end at the pace so far."""
    seconds = trial.seconds + trial.seconds_proposal
    failure = f" {trial.status}: {trial.reason}" if trial.reason else ""
    line = "trial %d/%d loss %.4g best %.4g, %.3f s, %.0f s left%s"
    log.info(line, number, budget, trial.loss, best, seconds, left, failure)


def to_record(trial: Trial) -> dict:
    """The record of a trial in a journal: JSON types only, floats exact."""
    memory = {name: _listed(array) for name, array in trial.proposal.memory.items()}
    return (
        {"configuration": trial.proposal.configuration, "round": trial.proposal.round, "memory": memory}
        | {name: _listed(getattr(trial, name)) for name in SHORT}
        | {name: _packed(getattr(trial, name)) for name in LONG}
        | {name: getattr(trial, name) for name in SCALARS}
    )


def from_record(record: dict) -> Trial:
    """Trial of a record, the inverse of `to_record`; scalars missing from older records get their defaults."""
    memory = {name: _array(listed) for name, listed in record["memory"].items()}
    fields = {name: _array(record[name]) for name in SHORT} | {name: _unpacked(record[name]) for name in LONG}
    fields |= {name: record[name] for name in SCALARS if name in record}
    return Trial(Proposal(record["configuration"], record["round"], memory), **fields)


def _listed(array):
    return None if array is None else {"dtype": str(array.dtype), "values": array.tolist()}


def _array(listed):
    return None if listed is None else np.array(listed["values"], dtype=listed["dtype"])


def _packed(array):
    """A long array as compressed text, which takes a sixth of the space and 1 % of the time of decimal numbers."""
    if array is None:
        return None
    packed = base64.b64encode(zlib.compress(array.tobytes()))
    return {"dtype": str(array.dtype), "shape": array.shape, "packed": packed.decode()}


def _unpacked(node):
    if node is None:
        return None
    values = zlib.decompress(base64.b64decode(node["packed"]))
    return np.frombuffer(values, dtype=node["dtype"]).reshape(node["shape"])

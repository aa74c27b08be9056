"""Laws of the loop of every search: resumed anywhere it is the same, and it sees only what it may."""

import json
import logging
from dataclasses import replace

import numpy as np
import pytest
from configured import searchers

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.predictions import reads_predictions
from bayes_hpo.evaluation import Evaluation, WithPredictions
from bayes_hpo.pool import FAILED, History, Pool, Proposal, Trial
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.loop import from_record, run_search, to_record
from bayes_hpo.storage.files import Journal

each_searcher = pytest.mark.parametrize("searcher", searchers())  # one of each kind: variants differ in numbers


class Search:
    """A toy search that can be run again and again on one journal."""

    def __init__(self, job, data):
        self.budget, self.repetition = job["budget"], Repetition.of(job, data, 0)
        self.evaluation = (WithPredictions if reads_predictions(job["searcher"]) else Evaluation)(self.repetition)
        self.space = build(job["space"], "space")
        self.searcher = build(job["searcher"], "searcher", space=self.space, budget=self.budget)

    def altered(self, change):
        """An evaluation: what `change` makes of the study's own and a proposal."""
        return lambda proposal: change(self.evaluation, proposal)

    def run(self, path, evaluate=None, searcher=None):
        """The pool of the search whose journal is `path`."""
        evaluate, searcher = evaluate or self.evaluation, searcher or self.searcher
        with Journal(path, "key") as journal:
            return Pool(tuple(run_search(searcher, evaluate, budget=self.budget, seeds=self.repetition.seeds,
                                         journal=journal, truth=self.evaluation.truth)))  # fmt: skip


@pytest.fixture
def toy(toy_job, iris):
    """Function: the toy search of a searcher, on reshuffled splits unless it reads predictions."""

    def make(searcher="random", protocol=None, **changes):
        fixed = reads_predictions(toy_job(searcher)["searcher"])
        return Search(toy_job(searcher, protocol or ("holdout_sel" if fixed else "holdout_sel_r"), **changes), iris)

    return make


@each_searcher
def test_resumed_at_every_trial_it_equals_the_uninterrupted_search(toy, tmp_path, bits, searcher):
    search, path = toy(searcher), tmp_path / "journal"
    whole = bits(search.run(path))
    written = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(written) if byte == ord("\n")]
    assert len(ends) == search.budget + 1
    for done, end in enumerate(ends):
        torn = written[end : end + 40] if done % 2 else b""
        path.write_bytes(written[:end] + torn)
        assert bits(toy(searcher).run(path)) == whole
        assert path.read_bytes().count(b"\n") == len(ends)


@each_searcher
def test_a_finished_search_evaluates_nothing_again(toy, tmp_path, searcher):
    search, path = toy(searcher), tmp_path / "journal"
    search.run(path)
    search.run(path, evaluate=None, searcher=object())  # it would have to propose


@each_searcher
def test_a_searcher_sees_the_trials_before_and_no_selection_loss(toy, tmp_path, searcher):
    search, seen = toy(searcher), []

    class Watched:
        def propose(self, history, seeds):
            seen.append(len(history))
            assert all(trial.selection_losses is None for trial in history)
            return search.searcher.propose(history, seeds)

    pool = search.run(tmp_path / "journal", searcher=Watched())
    assert seen == list(range(search.budget))
    assert pool.selection_losses.shape == (search.budget, 1)


@each_searcher
def test_proposals_follow_from_the_history_alone(toy, tmp_path, searcher):
    search = toy(searcher)
    pool, truth = search.run(tmp_path / "journal"), search.evaluation.truth
    for t in reversed(range(search.budget)):
        proposal = toy(searcher).searcher.propose(History(pool.trials[:t], truth), search.repetition.seeds)
        assert proposal.configuration == pool[t].proposal.configuration
        assert proposal.round == pool[t].proposal.round


@each_searcher
def test_the_selection_losses_move_no_proposal(toy, tmp_path, bits, searcher):
    search = toy(searcher)

    scrambled = search.altered(lambda own, proposal: replace(own(proposal), selection_losses=np.array([np.nan])))
    plain, other = search.run(tmp_path / "a"), search.run(tmp_path / "b", evaluate=scrambled)
    assert bits(plain, "selection") == bits(other, "selection")


@each_searcher
def test_failed_trials_are_trials(toy, tmp_path, searcher):
    search = toy(searcher, "kfold_sel")

    def unlucky(own, proposal):
        return own.failed(proposal, "no luck") if proposal.round % 2 else own(proposal)

    pool = search.run(tmp_path / "journal", evaluate=search.altered(unlucky))
    assert len(pool) == search.budget
    for trial in pool:
        assert (trial.status == FAILED) == (trial.proposal.round % 2 == 1)
        assert trial.status != FAILED or (trial.loss, trial.reason) == (1.0, "no luck")


@each_searcher
def test_a_search_whose_trials_all_fail_ends(toy, tmp_path, searcher):
    search = toy(searcher)
    unlucky = search.altered(lambda own, proposal: own.failed(proposal, "no luck"))
    pool = search.run(tmp_path / "journal", evaluate=unlucky)
    assert pool.losses.tolist() == [[1.0]] * search.budget


@each_searcher
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_loss_that_is_no_number_is_a_failed_trial_and_the_search_goes_on_and_resumes(
    toy, tmp_path, bits, searcher, bad
):
    search, path = toy(searcher), tmp_path / "journal"

    def broken(own, proposal):
        losses = np.array([0.1, bad if proposal.round % 2 else proposal.configuration["C"] % 1])
        return replace(own(proposal), losses=losses, selection_losses=np.full(2, 0.3))

    evaluate = search.altered(broken)
    pool = search.run(path, evaluate)
    failed = [trial for trial in pool if trial.proposal.round % 2]
    assert all((trial.status, trial.reason) == (FAILED, f"the loss is {bad}") for trial in failed)
    assert np.isnan([(trial.losses, trial.selection_losses) for trial in failed]).all()
    assert len(pool.finished()) + len(failed) == search.budget
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: 2 + search.budget // 2]))
    assert bits(search.run(path, evaluate)) == bits(pool)


def test_resumed_at_every_trial_it_has_the_predictions_of_the_uninterrupted_search(toy, tmp_path, bits):
    search, path = toy(protocol="kfold"), tmp_path / "journal"

    def evaluate(proposal):
        made = WithPredictions(search.repetition)
        return made.failed(proposal, "no luck") if proposal.round % 3 == 1 else made(proposal)

    pool = search.run(path, evaluate)
    lines = path.read_bytes().splitlines(keepends=True)
    assert [trial.predictions is None for trial in pool] == [False, True, False] * 3
    assert len({trial.predictions.tobytes() for trial in pool if trial.predictions is not None}) > 1
    for done in range(search.budget + 1):
        path.write_bytes(b"".join(lines[: 1 + done]))
        assert bits(search.run(path, evaluate)) == bits(pool)


def test_a_record_of_8000_labels_is_short():
    labels = np.random.default_rng(0).integers(0, 2, 8000).astype(np.uint8)
    record = to_record(Trial(Proposal({}, 0), np.zeros(5), predictions=labels))
    assert len(json.dumps(record)) < 8000 / 3  # a character per label and a comma would be 16,000


@pytest.mark.parametrize(
    "predictions",
    [np.array([[0.1, 0.9]], dtype=np.float32), np.arange(300, dtype=np.uint16), np.zeros(0, np.uint8), None],
)
def test_a_record_gives_back_its_trial_bit_for_bit(predictions):
    memory = {"chain": np.array([0.1, np.nan, -np.inf, 5e-324]), "scale": np.array(2.5), "none": np.zeros(0)}
    trial = Trial(
        Proposal({"C": 1 / 3, "kernel": "rbf", "degree": 3}, 4, memory),
        losses=np.array([0.1, 1 / 7], dtype=np.float64),
        status=FAILED,
        selection_losses=np.array([np.nan, 1.0]),
        predictions=predictions,
        test_reason="ValueError: rank",
        unconverged=2,
        seconds=0.1,
        seconds_proposal=0.2,
        reason='ValueError: "größer"\n',
    )
    again = from_record(json.loads(json.dumps(to_record(trial))))
    assert to_record(again).keys() == to_record(trial).keys()
    for name in ("losses", "selection_losses", "predictions"):
        ours, theirs = getattr(trial, name), getattr(again, name)
        if ours is None:
            assert theirs is None
            continue
        assert (ours.dtype, ours.shape, ours.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes())
    for name, array in memory.items():
        theirs = again.proposal.memory[name]
        assert (array.dtype, array.shape, array.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes())
    plain = {"proposal": None, "losses": None, "selection_losses": None, "predictions": None}
    assert replace(again, **plain) == replace(trial, **plain)
    assert (again.proposal.configuration, again.proposal.round) == (trial.proposal.configuration, 4)
    older = {name: value for name, value in to_record(trial).items() if name != "test_reason"}
    assert from_record(older).test_reason == ""


def _lines(caplog):
    lines = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return lines


def test_a_progress_line_names_the_trial_the_best_and_the_failure(toy, tmp_path, caplog):
    search, path, losses = toy(), tmp_path / "journal", [0.9, 0.3, 0.2, 0.1, np.nan, 0.5, 0.5, 0.1, 0.5]

    def evaluate(proposal):
        trial = Trial(proposal, losses=np.array([losses[proposal.round]]))
        return replace(trial, status=FAILED, reason="no luck") if proposal.round in (0, 3, 4) else trial

    def shown(lines):
        return [line.partition(",")[0] for line in lines]

    with caplog.at_level(logging.INFO):
        search.run(path, evaluate)
        lines = _lines(caplog)
        assert shown(lines)[:5] == [
            "trial 1/9 loss 0.9 best inf",  # of the trials that have not failed
            "trial 2/9 loss 0.3 best 0.3",
            "trial 3/9 loss 0.2 best 0.2",
            "trial 4/9 loss 0.1 best 0.2",
            "trial 5/9 loss nan best 0.2",
        ]
        assert [line.endswith("s left failed: no luck") for line in lines] == [t in (0, 3, 4) for t in range(9)]
        assert lines[8].endswith(" 0 s left")
        written = path.read_bytes().splitlines(keepends=True)
        for done in range(1, 9):
            path.write_bytes(b"".join(written[: 1 + done]))
            search.run(path, evaluate)
            assert shown(_lines(caplog)) == [f"resumed at trial {done + 1} of 9", *shown(lines)[done:]]

"""Laws and faults of a block: killed at any trial, repeated, split or disturbed, it leaves the same pools."""

import logging
import os
import signal
import subprocess
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing import Process
from pathlib import Path

import numpy as np
import pytest
from configured import searchers

from bayes_hpo.configuration.predictions import reads_predictions
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.learners.rbf_svm import RbfSvm
from bayes_hpo.pool import Proposal
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.block import run_block
from bayes_hpo.storage.files import Journal
from bayes_hpo.storage.manifest import read_manifest, verified
from bayes_hpo.storage.pools import read_pool

pytestmark = pytest.mark.slow  # every test starts processes

each_searcher = pytest.mark.parametrize("searcher", searchers())
# One for each content of a journal: trials alone, a chain's state, predictions too. That every searcher goes on from
# whatever journal it finds is a law of test_loop.py.
each_journal = pytest.mark.parametrize("searcher", ["random", "gp", "eo"])
fits = []  # of the process that searches


@dataclass(frozen=True)
class Deadly(RbfSvm):
    """The SVM whose fit number `at` kills the search; None: an ordinary SVM."""

    at = None

    def fit(self, configuration, X, y, rng):
        fits.append(configuration)
        if len(fits) - 1 == self.at:
            os.kill(os.getppid(), signal.SIGKILL)
            signal.pause()
        return super().fit(configuration, X, y, rng)


@dataclass(frozen=True)
class Lacking(RbfSvm):
    """The SVM whose fit number `at` does `act()`; None: an ordinary SVM."""

    at, act = None, None

    def fit(self, configuration, X, y, rng):
        fits.append(configuration)
        if len(fits) - 1 == self.at:
            Lacking.act()
        return super().fit(configuration, X, y, rng)


PREDICTING = {"_target_": "bayes_hpo.evaluation.WithPredictions"}
LACKING = {"_target_": f"{__name__}.Lacking", "max_iter": 1000000}
DEADLY = {"_target_": f"{__name__}.Deadly", "max_iter": 1000000}


@pytest.fixture
def job_of(toy_job):
    """Function: the job of any searcher; one of predictions needs fixed splits."""

    def of(searcher, protocol="holdout_sel_r", **changes):
        if reads_predictions(toy_job(searcher)["searcher"]):
            changes, protocol = {"evaluation": PREDICTING} | changes, protocol.removesuffix("_r")
        return toy_job(searcher, protocol, **changes)

    return of


@pytest.fixture
def block(tmp_path, iris):
    """Function: run a block in `folder` on data, or on a file of data; returns the folder."""

    def run(job, numbers=(0,), folder="pools", data=iris, fingerprint="code"):
        place, data_path = tmp_path / folder, data
        if not isinstance(data, Path):
            data_path = tmp_path / f"{folder}.data" / f"{data.name}.npz"
            data.save(data_path)
        manifest = place / f"block_{numbers[0]:03d}-{numbers[-1]:03d}.json"
        paths = {"data_path": data_path, "folder": place, "manifest": manifest}
        depends = {"modules": {}, "config": job}
        run_block(job, list(numbers), **paths, depends=depends, fingerprint=fingerprint, revision="abc")
        return place

    return run


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


def _kill_at_line(number):
    """Kill the search when the progress line of a trial is logged: behind its record, before the next proposal."""

    class Killer(logging.Handler):
        def emit(self, record):
            if record.getMessage().startswith(f"trial {number}/"):
                os.kill(os.getppid(), signal.SIGKILL)
                signal.pause()

    logging.getLogger("bayes_hpo").setLevel(logging.INFO)
    logging.getLogger("bayes_hpo.search.loop").addHandler(Killer())


@pytest.mark.slow
@each_journal
@pytest.mark.parametrize("when", ["between two trials", "within a trial"])
def test_killed_at_every_trial_it_leaves_the_same_pool(block, in_child, bits, job_of, searcher, when):
    job = job_of(searcher, learner=DEADLY)
    whole = block(job, folder="whole")

    def run(index):
        if when == "within a trial":
            Deadly.at = 1 if index else 0  # the trial that was lost is the first fit, and is done now
        else:
            _kill_at_line(index + 1)
        block(job)

    for index in range(job["budget"]):
        assert in_child(lambda index=index: run(index))[0] == -signal.SIGKILL
        lines = (whole.parent / "pools" / "rep_000.journal").read_bytes().count(b"\n")
        assert lines == 1 + index + (when == "between two trials")
    assert bits(block(job) / "rep_000.npz") == bits(whole / "rep_000.npz")
    assert _names(whole.parent / "pools") == ["block_000-000.json", "rep_000.npz"]


@pytest.mark.slow
@each_searcher
def test_blocks_of_any_size_in_any_order_give_the_same_pools(block, bits, job_of, searcher):
    job = job_of(searcher)
    together = block(job, (0, 1, 2), "together")
    for numbers in ((2,), (0, 1)):
        block(job, numbers, "apart")
    for pool in verified(together / "block_000-002.json"):
        assert bits(pool) == bits(together.parent / "apart" / pool.name)
    configurations = {bits(pool)["configurations"] for pool in verified(together / "block_000-002.json")}
    assert len(configurations) == 3


def test_what_is_done_is_not_done_again(block, toy_job):
    job = toy_job(learner=DEADLY)
    folder = block(job, (0, 1))
    before = {path: path.stat().st_mtime_ns for path in folder.glob("rep_*.npz")}
    (folder / "block_000-001.json").unlink()
    block(job, (0, 1, 2))
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert _names(folder) == ["block_000-002.json", "rep_000.npz", "rep_001.npz", "rep_002.npz"]


def test_a_pool_of_other_code_is_set_aside_and_made_again(block, toy_job, logged):
    folder = block(toy_job(), fingerprint="old")
    old = (folder / "rep_000.npz").read_bytes()
    block(toy_job(), fingerprint="new")
    assert (folder / "rep_000.npz.stale").read_bytes() == old
    assert read_pool(folder / "rep_000.npz").fingerprint.startswith("new-")
    assert "set aside" in logged()


def test_a_pool_of_other_data_is_made_again(block, toy_job, iris):
    folder = block(toy_job())
    first = read_pool(folder / "rep_000.npz").fingerprint
    block(toy_job(), data=replace(iris, X=iris.X + 1))
    assert read_pool(folder / "rep_000.npz").fingerprint != first
    assert (folder / "rep_000.npz.stale").exists()


def test_an_old_pool_stays_until_the_new_one_is_there(block, toy_job, in_child):
    folder = block(toy_job(), fingerprint="old")
    old = (folder / "rep_000.npz").read_bytes()

    def killed():
        _kill_at_line(4)
        block(toy_job(), fingerprint="new")

    assert in_child(killed)[0] == -signal.SIGKILL
    assert (folder / "rep_000.npz").read_bytes() == old


@pytest.mark.parametrize(
    "damage", [lambda whole: whole[: len(whole) // 2], lambda whole: b"", lambda whole: b"foreign"]
)
def test_a_damaged_pool_is_made_again(block, toy_job, bits, damage):
    folder = block(toy_job())
    pool = folder / "rep_000.npz"
    whole = bits(pool)
    pool.write_bytes(damage(pool.read_bytes()))
    block(toy_job())
    assert bits(pool) == whole


def test_a_journal_of_other_code_is_set_aside(block, toy_job, bits, in_child):
    def killed():
        _kill_at_line(4)
        block(toy_job(), fingerprint="old")

    assert in_child(killed)[0] == -signal.SIGKILL
    folder = block(toy_job(), fingerprint="new")
    assert (folder / "rep_000.journal.stale").exists()
    assert bits(folder / "rep_000.npz") == bits(block(toy_job(), folder="whole", fingerprint="new") / "rep_000.npz")


@pytest.fixture
def journal(block, toy_job, in_child, tmp_path):
    """The journal of repetition 0 of a search that was killed after four of its trials."""

    def killed():
        _kill_at_line(4)
        block(toy_job())

    assert in_child(killed)[0] == -signal.SIGKILL
    return tmp_path / "pools/rep_000.journal"


def test_a_journal_under_the_number_of_another_repetition_is_set_aside(block, toy_job, bits, journal, logged):
    renamed = journal.rename(journal.with_name("rep_001.journal"))
    content = renamed.read_bytes()
    whole = block(toy_job(), (0, 1), "whole")
    folder = block(toy_job(), (0, 1))
    assert [bits(pool) for pool in verified(folder / "block_000-001.json")] == [
        bits(pool) for pool in verified(whole / "block_000-001.json")
    ]
    assert (folder / "rep_001.journal.stale").read_bytes() == content
    assert f"set aside as {renamed}.stale" in logged()


def test_a_journal_of_another_data_set_is_set_aside(block, toy_job, bits, iris, journal):
    same = replace(iris, header={"name": "same"})  # the same numbers under another name: other seeds, so other trials
    whole = block(toy_job(), data=same, folder="whole")
    assert bits(block(toy_job(), data=same) / "rep_000.npz") == bits(whole / "rep_000.npz")
    assert journal.with_name("rep_000.journal.stale").exists()


@pytest.mark.parametrize("places", [["rep_000", "rep_001"], ["rep_000", "rep_000"]])
def test_a_doubled_journal_keeps_no_search_from_its_end(block, toy_job, bits, journal, places, logged):
    content = journal.read_bytes()
    journal.unlink()
    for name in places:  # under two names, or its records twice in one
        with open(journal.with_name(f"{name}.journal"), "ab") as stream:
            stream.write(content)
    whole = block(toy_job(), (0, 1), "whole")
    folder = block(toy_job(), (0, 1))
    for name in ("rep_000.npz", "rep_001.npz"):
        assert bits(folder / name) == bits(whole / name)
    assert "resumed at trial 5" in logged()


@pytest.mark.parametrize("code", ["code", "other code"])
def test_an_orphaned_journal_is_deleted_beside_its_finished_pool(block, toy_job, bits, in_child, code):
    job = toy_job(learner=DEADLY)
    Deadly.at = 4
    assert in_child(lambda: block(job, folder="killed", fingerprint=code))[0] == -signal.SIGKILL
    Deadly.at = None
    folder = block(job)
    before = bits(folder / "rep_000.npz")
    (folder.parent / "killed/rep_000.journal").rename(folder / "rep_000.journal")
    block(job)
    assert _names(folder) == ["block_000-000.json", "rep_000.npz"]
    assert bits(folder / "rep_000.npz") == before


def test_the_journal_of_a_job_at_work_stays_beside_a_finished_pool(block, toy_job):
    folder = block(toy_job())
    with Journal(folder / "rep_000.journal", "code"):
        block(toy_job())
        assert (folder / "rep_000.journal").exists()


def test_two_jobs_on_one_journal_are_not_at_work_together(block, toy_job, tmp_path):
    (tmp_path / "pools").mkdir()
    with Journal(tmp_path / "pools" / "rep_000.journal", "key"):
        with pytest.raises(RunError, match=r"another job is writing .*rep_000\.journal"):
            block(toy_job())
        assert _names(tmp_path / "pools") == ["rep_000.journal"]


@pytest.mark.slow
def test_two_jobs_that_share_a_repetition_make_it_once(block, toy_job, tmp_path, logged, monkeypatch):
    monkeypatch.setattr("bayes_hpo.storage.files.PATIENCE_S", 60.0)  # however slow the disk is
    blocks = [Process(target=block, args=(toy_job(), numbers)) for numbers in ((0,), (0, 1))]
    for process in blocks:
        process.start()
    for process in blocks:
        process.join()
        assert process.exitcode == 0
    folder = tmp_path / "pools"
    for name in ("block_000-000.json", "block_000-001.json"):
        assert verified(folder / name)
    assert not list(folder.glob("*.stale"))
    assert "set aside" not in logged()


@pytest.mark.parametrize("room", [10, 1500, 2500])
def test_a_full_disk_loses_no_finished_trial(block, toy_job, in_child, bits, room):
    whole = block(toy_job(), folder="whole")
    code, problem = in_child(lambda: block(toy_job(), data=whole.parent / "whole.data/tiny.npz"), file_size=room)
    assert (code, type(problem)) == (0, RunError)
    assert "could not be written" in str(problem)
    assert _names(whole.parent / "pools") == ["rep_000.journal"]
    assert bits(block(toy_job()) / "rep_000.npz") == bits(whole / "rep_000.npz")


@each_journal
@pytest.mark.parametrize("act", [lambda: np.ones(2**27), lambda: import_module("no_such_module")])
def test_what_a_learner_lacks_ends_the_search_and_the_next_goes_on_to_the_same_pool(
    block, job_of, in_child, bits, searcher, act
):
    job = job_of(searcher, learner=LACKING)
    whole = block(job, folder="whole")

    def lack():
        Lacking.at, Lacking.act = 3, act
        block(job, data=whole.parent / "whole.data/tiny.npz")

    code, problem = in_child(lack, memory=2**28)
    assert (code, type(problem)) == (0, RunError)
    assert "its finished trials are kept" in str(problem)
    assert _names(whole.parent / "pools") == ["rep_000.journal"]
    assert (whole.parent / "pools/rep_000.journal").read_bytes().count(b"\n") == 1 + 3
    assert bits(block(job) / "rep_000.npz") == bits(whole / "rep_000.npz")


def test_a_search_that_was_stopped_in_a_fit_leaves_the_same_pool(block, toy_job, bits, tmp_path, logged, monkeypatch):
    job = toy_job(learner=LACKING, time_limit=1.0)
    whole = block(job, folder="whole")

    def stop():
        if not (tmp_path / "stopped").exists():
            (tmp_path / "stopped").touch()
            subprocess.Popen(["sh", "-c", f"sleep 1.5; kill -CONT {os.getpid()}"], start_new_session=True)
            os.kill(os.getpid(), signal.SIGSTOP)

    monkeypatch.setattr(Lacking, "at", 0)
    monkeypatch.setattr(Lacking, "act", stop)
    assert bits(block(job) / "rep_000.npz") == bits(whole / "rep_000.npz")
    assert "the trial is repeated" in logged()


@each_searcher
def test_nothing_of_the_test_part_moves_the_pool(block, job_of, iris, bits, searcher):
    job = job_of(searcher, "kfold_sel_r")
    given = replace(iris, given_test=np.arange(0, 60, 3))
    hidden = replace(given, X=given.X.copy(), y=given.y.copy())
    hidden.X[::3], hidden.y[::3] = np.nan, 2
    pools = [block(job, folder=name, data=data) / "rep_000.npz" for name, data in (("a", given), ("b", hidden))]
    assert bits(pools[0], "fingerprint") == bits(pools[1], "fingerprint")


@each_searcher
def test_nothing_of_the_selection_split_moves_the_search(block, job_of, iris, bits, searcher):
    job = job_of(searcher, "kfold_sel_r")
    rows = Repetition.of(job, iris, 0).parts.selection
    hidden = replace(iris, X=iris.X.copy())
    hidden.X[rows] = np.nan
    pools = [block(job, folder=name, data=data) / "rep_000.npz" for name, data in (("a", iris), ("b", hidden))]
    assert bits(pools[0], "fingerprint", "selection") == bits(pools[1], "fingerprint", "selection")
    assert (read_pool(pools[1]).selection_losses == 1).all()


def test_a_pool_says_where_it_comes_from(block, toy_job, iris):
    folder = block(toy_job(), (3,))
    pool = read_pool(folder / "rep_003.npz")
    assert pool.fingerprint == f"code-{iris.digest}"
    assert pool.provenance["job"] == toy_job()
    assert (pool.provenance["repetition"], pool.provenance["revision"]) == (3, "abc")
    assert {"python", "numpy", "scipy", "scikit-learn", "lightgbm", "bayes-hpo"} <= set(pool.provenance["versions"])
    assert read_manifest(folder / "block_003-003.json")["depends"]["config"] == toy_job()
    seconds = [trial.seconds for trial in pool]
    assert min(seconds) >= 0 < sum(seconds)  # the CPU clock of some kernels stands still for milliseconds


def test_a_study_that_stores_predictions_has_them_in_its_pools_with_their_truth(block, toy_job, in_child, bits):
    job = toy_job(protocol="kfold", evaluation=PREDICTING)

    def killed():
        _kill_at_line(4)
        block(job)

    whole = block(job, folder="whole") / "rep_000.npz"
    assert in_child(killed)[0] == -signal.SIGKILL
    assert bits(block(job) / "rep_000.npz") == bits(whole)
    pool, plain = read_pool(whole), read_pool(block(toy_job(protocol="kfold"), folder="plain") / "rep_000.npz")
    assert plain.truth is plain[0].predictions is None
    assert pool.losses.tobytes() == plain.losses.tobytes()
    wrong = np.array([trial.predictions for trial in pool]) != pool.truth.y  # (n_trials, n_validation)
    losses = [wrong[:, pool.truth.folds == fold].mean(axis=1) for fold in range(5)]
    np.testing.assert_array_equal(np.transpose(losses), pool.losses)


def test_nothing_of_the_test_part_moves_the_predictions(block, toy_job, iris, bits):
    job = toy_job(protocol="kfold", evaluation=PREDICTING)
    given = replace(iris, given_test=np.arange(0, 60, 3))
    hidden = replace(given, X=given.X.copy(), y=given.y.copy())
    hidden.X[::3], hidden.y[::3] = np.nan, 2
    pools = [block(job, folder=name, data=data) / "rep_000.npz" for name, data in (("a", given), ("b", hidden))]
    assert "predictions" in bits(pools[0])
    assert bits(pools[0], "fingerprint") == bits(pools[1], "fingerprint")


def test_predictions_of_reshuffled_splits_end_the_search_in_a_sentence(block, toy_job):
    with pytest.raises(UserError, match="predictions can be stored with fixed splits only"):
        block(toy_job(protocol="kfold_r", evaluation=PREDICTING))


def test_a_wrong_budget_leaves_no_pool(block, toy_job, tmp_path):
    with pytest.raises(UserError, match="budget=10 is no full grid"):
        block(toy_job("grid", budget=10))
    assert _names(tmp_path / "pools") in ([], ["rep_000.journal"])


def test_a_searcher_that_cannot_be_is_told_before_missing_data(block, toy_job, tmp_path):
    with pytest.raises(UserError, match="budget=1 is below the initial design"):
        block(toy_job("gp", budget=1), data=tmp_path / "none.npz")
    assert not (tmp_path / "pools").exists()


class Astray:
    """A searcher that leaves the space."""

    def __init__(self, proposed):
        self.proposed = proposed

    def propose(self, history, seeds):
        return Proposal(dict(self.proposed), len(history))


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ({"C": 1.0, "tau": 1.0, "gamma": 2.0}, "gamma is not a hyperparameter; allowed: C, tau"),
        ({"C": 1.0}, "lacks tau"),
        ({"C": 1e9, "tau": 1.0}, r"C=1000000000.0 is not in the search space"),
    ],
)
def test_a_proposal_outside_the_space_is_no_trial(block, toy_job, tmp_path, proposed, said):
    astray = {"_target_": f"{__name__}.Astray", "proposed": proposed}
    with pytest.raises(UserError, match=said):
        block(toy_job() | {"searcher": astray})
    assert not list((tmp_path / "pools").glob("*.npz"))


def test_missing_data_is_a_fault_with_the_command(tmp_path, toy_job):
    paths = {"folder": tmp_path / "pools", "manifest": tmp_path / "pools" / "block.json"}
    with pytest.raises(RunError, match=r"python -m bayes_hpo\.stages\.data dataset=none"):
        run_block(
            toy_job(), [0], data_path=tmp_path / "data/none.npz", **paths, depends={}, fingerprint="", revision=""
        )


def test_a_pool_that_is_wanted_again_is_taken_back(block, toy_job):
    folder = block(toy_job(), fingerprint="old")
    old = (folder / "rep_000.npz").read_bytes()
    for fingerprint in ("newer", "newest", "old"):
        block(toy_job(), fingerprint=fingerprint)
    assert (folder / "rep_000.npz").read_bytes() == old
    assert len(list(folder.glob("*.stale"))) == 2


def test_a_pool_is_taken_back_by_who_holds_the_journal_alone(block, toy_job):
    folder = block(toy_job(), fingerprint="old")
    block(toy_job(), fingerprint="new")
    before = {path.name: path.read_bytes() for path in folder.glob("*.npz*")}
    with Journal(folder / "rep_000.journal", "of another job"):
        with pytest.raises(RunError, match="another job is writing"):
            block(toy_job(), fingerprint="old")
        assert {path.name: path.read_bytes() for path in folder.glob("*.npz*")} == before


def test_the_pool_of_another_repetition_does_not_count(block, toy_job):
    folder = block(toy_job())
    (folder / "rep_001.npz").write_bytes((folder / "rep_000.npz").read_bytes())
    block(toy_job(), numbers=[0, 1])
    assert read_pool(folder / "rep_001.npz").provenance["repetition"] == 1

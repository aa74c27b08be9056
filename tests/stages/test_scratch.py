"""Searches on a disk of the node: the same pool, whatever ends them and on whichever node they go on."""

import contextlib
import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bayes_hpo.campaign import scratch
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import read_lines
from bayes_hpo.storage.manifest import pool_path

pytestmark = pytest.mark.slow  # every test runs stages

GP = ("searcher=gp", "budget=30")  # long enough to be met in the middle


@pytest.fixture(scope="module")
def undisturbed(command, job, searched, tmp_path_factory):
    """A results_dir with a GP search without scratch."""
    results = tmp_path_factory.mktemp("undisturbed")
    shutil.copytree(searched / "data", results / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[2])
        assert command("search", *job, *GP, f"results_dir={results}").returncode == 0
    return results


@pytest.fixture
def start(job, unsearched):
    """Function: start a search in a process of its own, with scratch in a folder that stands for a node."""

    def begin(node, *more):
        Path(node).mkdir(exist_ok=True)
        words = [*job, *GP, f"results_dir={unsearched}", f"scratch_dir={node}", *more]
        command = [sys.executable, "-m", "bayes_hpo.stages.search", *words]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)

    return begin


@pytest.fixture
def on_node(unsearched, pool):
    """Function: the journal of the search on a node."""
    return lambda node: pool(Path(node, *unsearched.resolve().parts[1:]), "gp").with_suffix(".journal")


def _trials(journal):
    if not journal.is_file():
        return 0
    with open(journal, "rb", buffering=0) as stream:
        return max(0, len(read_lines(stream)[0]) - 1)


def _stop_in_the_middle(process, journal, number):
    """End a search after some trials, and wait until its child has ended too."""
    deadline = time.monotonic() + 300
    while _trials(journal) < 5:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, number)
    process.communicate(timeout=60)
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.killpg(process.pid, 0)
            time.sleep(0.01)


def _files(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


def test_the_pool_is_that_of_a_search_in_place_and_nothing_else_is_left(
    start, unsearched, undisturbed, pool, arrays, tmp_path
):
    process = start(tmp_path / "node")
    assert process.wait(120) == 0, process.stderr.read()
    np.testing.assert_equal(arrays(pool(unsearched, "gp")), arrays(pool(undisturbed, "gp")))
    folder = pool(unsearched, "gp").parent
    assert {path.name for path in folder.iterdir()} == {path.name for path in pool(undisturbed, "gp").parent.iterdir()}
    assert _files(tmp_path / "node") == []


def test_told_to_end_it_goes_on_from_the_shared_journal_on_another_node(
    start, unsearched, undisturbed, pool, arrays, on_node, tmp_path
):
    first = start(tmp_path / "first")
    _stop_in_the_middle(first, on_node(tmp_path / "first"), signal.SIGTERM)
    assert first.returncode == -signal.SIGTERM
    kept = _trials(pool(unsearched, "gp").with_suffix(".journal"))
    assert 5 <= kept <= _trials(on_node(tmp_path / "first"))
    second = start(tmp_path / "second")
    _, log = second.communicate(timeout=600)
    assert second.returncode == 0, log
    assert f"resumed at trial {kept + 1} of 30" in log
    np.testing.assert_equal(arrays(pool(unsearched, "gp")), arrays(pool(undisturbed, "gp")))


def test_killed_it_goes_on_from_the_journal_of_its_node(
    start, unsearched, undisturbed, pool, arrays, on_node, tmp_path
):
    first = start(tmp_path / "node")
    _stop_in_the_middle(first, on_node(tmp_path / "node"), signal.SIGKILL)
    kept = _trials(on_node(tmp_path / "node"))
    second = start(tmp_path / "node")
    _, log = second.communicate(timeout=600)
    assert second.returncode == 0, log
    assert f"resumed at trial {kept + 1} of 30" in log
    np.testing.assert_equal(arrays(pool(unsearched, "gp")), arrays(pool(undisturbed, "gp")))


THREE = ("repetitions=0-2", "study.scales.toy.repetitions.holdout=3")


@pytest.fixture
def in_the_second(start, on_node, tmp_path):
    """A search of three repetitions on a node, which is in the middle of the second."""
    process = start(tmp_path / "first", *THREE)
    yield process, on_node(tmp_path / "first").with_name("rep_001.journal")
    process.kill()
    process.communicate()


@pytest.mark.parametrize(("number", "node"), [(signal.SIGTERM, "second"), (signal.SIGKILL, "first")])
def test_finished_repetitions_of_an_interrupted_block_are_not_made_again(
    start, unsearched, in_the_second, pool, number, node, tmp_path
):
    process, journal = in_the_second
    _stop_in_the_middle(process, journal, number)
    shared = pool(unsearched, "gp").with_name(journal.name)
    kept = _trials(journal if node == "first" else shared)  # between the two the search may have gone on
    again = start(tmp_path / node, *THREE)
    _, log = again.communicate(timeout=180)
    assert kept >= 5
    assert again.returncode == 0, log
    assert "repetition 0 is done" in log
    assert f"resumed at trial {kept + 1} of 30" in log
    assert len(list(unsearched.rglob("rep_*.npz"))) == 3


def test_a_second_start_on_the_same_node_is_refused_and_harms_nothing(start, unsearched, in_the_second, tmp_path):
    process, _ = in_the_second
    journals = tmp_path / "first"
    deadline = time.monotonic() + 300
    while not list(journals.rglob("rep_000.journal")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGSTOP)  # or it may have ended before the second has started
    second = start(tmp_path / "first", *THREE)
    _, log = second.communicate(timeout=600)
    os.killpg(process.pid, signal.SIGCONT)
    assert second.returncode == 1
    assert "another job is writing" in log
    _, log = process.communicate(timeout=180)
    assert process.returncode == 0, log
    assert len(list(unsearched.rglob("rep_*.npz"))) == 3
    assert _files(tmp_path / "first") == []


SEARCHING = """
import sys, time
from bayes_hpo.campaign import scratch
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.storage.files import Journal
from bayes_hpo.storage.manifest import pool_path

scratch.INTERVAL_S = 0.05
job = SearchJob("overfitting", "toy", "sklearn-iris", "holdout", "gp", 0, 0, sys.argv[1])
with scratch.on_this_node(job, sys.argv[2]) as place:
    with Journal(pool_path(place.folder, 0).with_suffix(".journal"), "a key") as journal:
        journal.append({"trial": 1})
        time.sleep(0.2)  # a first copy is made, then the journal grows
        journal.append({"trial": 2})
        time.sleep(300)
"""


def test_when_a_node_is_lost_the_last_copy_of_its_journal_is_on_another_one(tmp_path, pool):
    results, nodes = tmp_path / "results", [tmp_path / "first", tmp_path / "second"]
    for node in nodes:
        node.mkdir()
    lost = subprocess.Popen([sys.executable, "-c", SEARCHING, results, nodes[0]], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 300
    try:
        while _trials(pool(results, "gp").with_suffix(".journal")) < 2:
            assert lost.poll() is None, lost.stderr.read()
            assert time.monotonic() < deadline, "the journal was not copied while the search ran"
            time.sleep(0.02)
    finally:
        lost.kill()
        lost.communicate(timeout=60)
    shutil.rmtree(nodes[0])
    with contextlib.suppress(KeyboardInterrupt), scratch.on_this_node(_job(results), str(nodes[1])) as place:
        assert _trials(pool_path(place.folder, 0).with_suffix(".journal")) == 2
        raise KeyboardInterrupt  # before anything would be delivered


def test_two_nodes_that_run_the_same_search_store_the_same_pool(start, unsearched, undisturbed, pool, arrays, tmp_path):
    both = [start(tmp_path / name) for name in ("first", "second")]
    for process in both:
        _, log = process.communicate(timeout=180)
        assert process.returncode == 0, log
    np.testing.assert_equal(arrays(pool(unsearched, "gp")), arrays(pool(undisturbed, "gp")))
    assert not list(unsearched.rglob("*.part"))


def test_a_pool_that_depends_on_something_else_is_set_aside_not_overwritten(command, job, unsearched, pool, tmp_path):
    (tmp_path / "node").mkdir()
    words = [*job, "repetitions=0", f"results_dir={unsearched}", f"scratch_dir={tmp_path}/node"]
    assert command("search", *words, "budget=7").returncode == 0
    before = pool(unsearched).read_bytes()
    assert command("search", *words).returncode == 0
    assert pool(unsearched).read_bytes() != before
    assert pool(unsearched).with_name("rep_000.npz.stale").read_bytes() == before


def test_a_finished_search_is_not_made_again(command, job, results, pool, contents, logged, tmp_path):
    before = contents(results)
    (tmp_path / "node").mkdir()
    words = [*job, "repetitions=0", f"results_dir={results}", f"scratch_dir={tmp_path}/node"]
    words.append("study.scales.toy.repetitions.holdout=2")
    assert command("search", *words).returncode == 0
    assert "repetition 0 is done" in logged()
    assert contents(results) == before


def test_a_scratch_folder_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(RunError, match="there is no folder"), scratch.on_this_node(_job(tmp_path), f"{tmp_path}/node"):
        pass
    assert _files(tmp_path) == []


def _job(folder):
    return SearchJob("overfitting", "toy", "sklearn-iris", "holdout", "gp", 0, 0, str(folder))


def test_without_a_scratch_folder_nothing_is_said_of_copies(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="could not be written") as refused, scratch.in_place(_job(tmp_path / "file")):
        pass
    assert "copied" not in str(refused.value)


def _no_locks(*_):
    raise OSError(errno.ENOLCK, "No locks available")


@pytest.mark.parametrize("flock", [_no_locks, lambda *_: None])
def test_a_file_system_without_locks_or_with_locks_that_exclude_nobody_is_refused(monkeypatch, tmp_path, flock):
    with scratch.in_place(_job(tmp_path)) as place:
        assert place == _job(tmp_path)
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(RunError, match=r"does not lock files.*give scratch_dir"), scratch.in_place(_job(tmp_path)):
        pass
    assert _files(tmp_path) == []

"""A search that is hurt (killed, doubled, no space, its journal cut or foreign) ends at the same pool."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from bayes_hpo.data.prepared import Data
from bayes_hpo.pool import FINISHED
from bayes_hpo.storage.pools import read_pool

pytestmark = pytest.mark.slow  # every test runs stages

GP = ("searcher=gp", "budget=30")  # long enough to be met in the middle


def lines(path):
    """Whole lines of a journal; 0 when it is not there."""
    return path.read_bytes().count(b"\n") if path.is_file() else 0


@pytest.fixture(scope="module")
def undisturbed(command, job, searched, tmp_path_factory):
    """A results_dir with a GP search that nothing has hurt."""
    results = tmp_path_factory.mktemp("undisturbed")
    shutil.copytree(searched / "data", results / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[2])
        assert command("search", *job, *GP, f"results_dir={results}").returncode == 0
    return results


@pytest.fixture
def stopped(job, unsearched, pool):
    """A process of its own that searches with a GP into `unsearched`, stopped when some trials were in its journal."""
    journal = pool(unsearched, "gp").with_suffix(".journal")
    arguments = [*job, *GP, f"results_dir={unsearched}"]
    command = [sys.executable, "-m", "bayes_hpo.stages.search", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 300
    try:
        while lines(journal) < 4 and time.monotonic() < deadline:
            time.sleep(0.002)
        os.killpg(process.pid, signal.SIGSTOP)
        assert lines(journal) in range(4, 31)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_killed_in_the_middle_it_goes_on_to_the_same_pool(
    stopped, command, job, unsearched, undisturbed, pool, arrays, logged
):
    stopped.kill()  # the process that it searches in is stopped, as in a long fit: it must not keep the journal's lock
    stopped.wait()
    done = command("search", *job, *GP, f"results_dir={unsearched}")
    assert done.returncode == 0, done.stderr
    assert "resumed at trial" in logged()
    np.testing.assert_equal(arrays(pool(unsearched, "gp")), arrays(pool(undisturbed, "gp")))


def test_the_second_of_two_searches_at_once_is_refused(
    stopped, command, sentence, job, unsearched, undisturbed, pool, arrays
):
    second = command("search", *job, *GP, f"results_dir={unsearched}")
    assert "another job is writing" in sentence(second, 1)
    told = command("status", "study=overfitting", "scale=toy", f"results_dir={unsearched}").stdout
    assert re.search(r"^running .*/gp/block_000-000.json: rep_000 at trial \d+, best 0\.\d+", told, re.MULTILINE), told
    os.killpg(stopped.pid, signal.SIGCONT)
    assert stopped.wait(60) == 0
    np.testing.assert_equal(arrays(pool(unsearched, "gp")), arrays(pool(undisturbed, "gp")))


@pytest.mark.parametrize(("size", "cut"), [(100, 0), (2000, 7), (3000, 0)])
def test_after_no_space_and_a_cut_journal_it_goes_on_to_the_same_pool(
    stage, command, sentence, job, unsearched, searched, pool, arrays, logged, size, cut
):
    path = pool(unsearched)
    journal = path.with_suffix(".journal")
    said = sentence(stage("search", *job, f"results_dir={unsearched}", file_size=size), 1)
    assert "could not be written" in said
    assert list(path.parent.iterdir()) == [journal]
    os.truncate(journal, journal.stat().st_size - cut)
    whole = lines(journal) - 1
    assert command("search", *job, f"results_dir={unsearched}").returncode == 0
    assert (f"resumed at trial {whole + 1} of 9" in logged()) == (whole > 0)
    np.testing.assert_equal(arrays(path), arrays(pool(searched)))


def record(content):
    """A line of a journal, with a right checksum."""
    body = json.dumps(content).encode()
    return b"%08x %b\n" % (zlib.crc32(body), body)


@pytest.mark.parametrize("content", [b"trial,loss\n1,0.5\n", record({"key": "another"}) + record({"losses": [0.0]})])
def test_a_foreign_journal_is_set_aside(command, job, unsearched, searched, pool, arrays, logged, content):
    path = pool(unsearched)
    journal = path.with_suffix(".journal")
    journal.parent.mkdir(parents=True)
    journal.write_bytes(content)
    assert command("search", *job, f"results_dir={unsearched}").returncode == 0
    assert f"set aside as {journal}.stale" in logged()
    assert Path(f"{journal}.stale").read_bytes() == content
    np.testing.assert_equal(arrays(path), arrays(pool(searched)))


def test_a_finished_search_is_left_alone(command, job, results, contents, logged):
    before = contents(results)
    assert command("search", *job, "repetitions=0", f"results_dir={results}").returncode == 0
    assert "repetition 0 is done" in logged()
    assert contents(results) == before


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 half a pool", b"\x93NUMPY"])
def test_a_hurt_pool_is_set_aside_and_made_again(command, job, results, searched, pool, arrays, content):
    path = pool(results)
    path.write_bytes(content)
    assert command("search", *job, f"results_dir={results}").returncode == 0
    np.testing.assert_equal(arrays(path), arrays(pool(searched)))
    assert Path(f"{path}.stale").read_bytes() == content


def test_a_pool_of_other_settings_is_refused_by_a_search_and_by_a_score(command, sentence, job, results, contents):
    before = contents(results)
    for override in ("budget=2", "study.test_percent=40"):
        said = sentence(command("search", *job, override, f"results_dir={results}"), 2)
        assert f"holds finished pools of other settings (different: {override.split('=')[0].split('.')[-1]})" in said
        assert "results_dir=FOLDER" in said
        assert "was searched with other" in sentence(command("score", *job, override, f"results_dir={results}"), 1)
    assert before.items() <= contents(results).items()


def test_blocks_of_one_or_two_make_the_same_pools(command, job, unsearched, searched, pool, arrays):
    assert (
        command("search", *job, "study.scales.toy.repetitions.holdout=2", f"results_dir={unsearched}").returncode == 0
    )
    for number in (0, 1):
        np.testing.assert_equal(arrays(pool(unsearched, repetition=number)), arrays(pool(searched, repetition=number)))
    assert {path.name for path in pool(unsearched).parent.glob("*.json")} == {"block_000-001.json"}


def test_without_memory_for_a_kernel_neither_search_nor_score_has_a_result(
    stage, command, sentence, job, loaded, pool, tmp_path
):
    X = np.repeat([[-1.0], [1.0]], 3000, axis=0) + np.random.default_rng(0).normal(scale=0.01, size=(6000, 1))
    data = Data(X, (X[:, 0] > 0).astype(int), np.arange(0, 6000, 3), False, {"name": "given"})
    data.save(tmp_path / "data/given.npz")
    path, names = pool(tmp_path, dataset="given"), (*job, "dataset=given", "budget=2", f"results_dir={tmp_path}")
    size = loaded("bayes_hpo.stages.search", "bayes_hpo.search.block", "bayes_hpo.learners.rbf_svm")
    said = sentence(stage("search", *names, memory=size + 2**26), 1)  # the kernel of 3,200 rows takes 80 MB
    assert "the search lacks memory, a file, a module or a thread (MemoryError: Unable to allocate" in said
    assert not path.exists()
    assert command("search", *names).returncode == 0
    assert [trial.status for trial in read_pool(path)] == [FINISHED] * 2
    size = loaded("bayes_hpo.stages.score", "bayes_hpo.scoring.job", "bayes_hpo.learners.rbf_svm")
    said = sentence(stage("score", *names, memory=size + 2**26), 1)
    assert "could not be refit on given: MemoryError: Unable to allocate" in said
    assert not list(tmp_path.rglob("*.parquet"))
    assert command("score", *names).returncode == 0


VOTES = "evaluation@study.evaluation=predictions"  # with fixed splits only


@pytest.mark.parametrize(
    ("searcher", "protocol", "others"),
    [*[(name, "holdout_sel_r", ()) for name in ("random", "grid", "cma", "gp")], ("eo", "holdout_sel", (VOTES,))],
    ids=["random", "grid", "cma", "gp", "eo"],
)
def test_the_test_part_is_never_looked_at(command, job, searched, pool, arrays, tmp_path, searcher, protocol, others):
    """Neither its features, which are absent, nor its classes, which are others."""
    iris = Data.load(searched / "data/sklearn-iris.npz")
    test = np.arange(0, 150, 3)
    pools = []
    for place, values, moved in (("seen", iris.X[test], 0), ("blind", np.nan, 1)):
        X, y = iris.X.copy(), iris.y.copy()
        X[test], y[test] = values, (iris.y[test] + moved) % 3
        Data(X, y, test, True, {"name": "given"}).save(tmp_path / place / "data/given.npz")
        names = ["dataset=given", f"protocol={protocol}", f"searcher={searcher}", *others]
        assert command("search", *job, *names, f"results_dir={tmp_path / place}").returncode == 0
        pools.append(arrays(pool(tmp_path / place, searcher, dataset="given", protocol=protocol)))
    seen, blind = pools
    assert seen.pop("fingerprint") != blind.pop("fingerprint")
    np.testing.assert_equal(blind, seen)
    assert ("predictions" in seen) == (searcher == "eo")


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("budget=1", "raise it to at least 2 trials"),
        ("study.space.parameters.C.low=1e9", "C"),
        ("study.space.parameters.C.low=0", "C"),
        ("searcher.surrogate.model.noise_start=0", "noise_start=0 must be"),
    ],
    ids=["budget", "order", "log", "noise"],
)
def test_a_search_that_cannot_be_is_refused_before_it_looks_for_data(command, sentence, job, tmp_path, override, words):
    told = sentence(command("search", *job, "searcher=gp", override, f"results_dir={tmp_path}"), 2)
    assert words in told
    assert not list(tmp_path.rglob("*.npz"))

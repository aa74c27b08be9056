"""A download from a loopback server with real faults: whole or absent, and continued."""

import fcntl
import gzip
import math
import random
import resource
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from file_server import FileServer

from bayes_hpo.configuration.compose import configure
from bayes_hpo.data.sources.download import download
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError

CONTENT = gzip.compress(random.Random(0).randbytes(200_000), mtime=0)
PATIENT = Settings(timeout_s=5, attempts=3, pause_s=0)
ONCE = Settings(timeout_s=5, attempts=1, pause_s=0)


@pytest.fixture
def target(tmp_path):
    return tmp_path / "archive" / "data.tar.gz"


def test_a_whole_file_is_fetched_once(target):
    with FileServer(CONTENT) as server:
        assert download(server.url, target, ONCE) == target
        download(server.url, target, ONCE)
        assert server.ranges == [None]
    assert target.read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["data.tar.gz"]


@pytest.mark.parametrize("fault", ["cut", "stall"])
def test_a_broken_body_is_continued_where_it_broke_off(target, fault):
    with FileServer(CONTENT, [fault]) as server:
        download(server.url, target, Settings(timeout_s=2, attempts=2, pause_s=0))
        assert server.ranges == [None, f"bytes={len(CONTENT) // 2}-"]
    assert target.read_bytes() == CONTENT


def test_the_next_command_continues_what_the_last_one_left(target):
    with FileServer(CONTENT, ["cut"]) as server:
        with pytest.raises(RunError, match=rf"{len(CONTENT) // 2} of {len(CONTENT)} bytes came.*run the command again"):
            download(server.url, target, ONCE)
        assert not target.exists()
        download(server.url, target, ONCE)
        assert server.ranges[1] == f"bytes={len(CONTENT) // 2}-"
    assert target.read_bytes() == CONTENT


def test_a_server_without_ranges_is_asked_for_everything_again(target):
    with FileServer(CONTENT, ["cut"], takes_ranges=False) as server:
        download(server.url, target, PATIENT)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("error500", "HTTP 500"), ("hang", "timed out"), ("short", "not a complete gzip file")],
)
def test_a_fault_that_stays_is_one_sentence_and_no_file(target, fault, reason):
    with FileServer(CONTENT, [fault] * 2) as server:
        with pytest.raises(RunError, match=reason) as problem:
            download(server.url, target, Settings(timeout_s=2, attempts=2, pause_s=0))
        assert len(server.ranges) == 2
    assert "\n" not in str(problem.value)
    assert not target.exists()


@pytest.mark.parametrize("fault", ["error500", "hang", "short", "long"])
def test_a_fault_that_passes_is_overcome(target, fault):
    with FileServer(CONTENT, [fault]) as server:
        download(server.url, target, Settings(timeout_s=2, attempts=2, pause_s=0))
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("body", "reason"), [(b"<html>moved</html>", "not a complete gzip file"), (b"", "nothing came")]
)
def test_a_page_that_is_no_archive_is_refused(target, body, reason):
    with FileServer(body) as server, pytest.raises(RunError, match=reason):
        download(server.url, target, ONCE)
    assert not target.exists()


def test_a_leftover_of_another_file_is_replaced(target):
    target.parent.mkdir()
    target.with_name("data.tar.gz.part").write_bytes(b"x" * (len(CONTENT) + 5))
    with FileServer(CONTENT) as server:
        download(server.url, target, PATIENT)
    assert target.read_bytes() == CONTENT


def test_nobody_at_the_address_is_said(target):
    with FileServer(CONTENT) as server:
        url = server.url
    with pytest.raises(RunError, match="Connection refused"):
        download(url, target, ONCE)


@pytest.mark.parametrize(
    ("name", "value"), [("attempts", 0), ("timeout_s", math.nan), ("deadline_s", math.inf), ("pause_s", -1.0)]
)
def test_a_number_that_no_download_can_have_is_one_sentence(name, value):
    with pytest.raises(UserError, match=rf"^data\.{name}={value:g} must be at least"):
        configure("data", ["dataset=iris", f"data.{name}={value}"])


def test_only_web_addresses_are_opened(target, tmp_path):
    (tmp_path / "mine").write_bytes(CONTENT)
    with pytest.raises(UserError, match="http:// or https://"):
        download((tmp_path / "mine").as_uri(), target, ONCE)
    assert not target.exists()


def test_a_job_that_never_ends_is_named_after_the_deadline(target):
    target.parent.mkdir()
    with open(f"{target}.part", "wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(RunError, match=rf"another job is writing {target}\.part \(waited 0\.1 s\); wait for it"):
            download("http://127.0.0.1:9/data.tar.gz", target, Settings(deadline_s=0.1))


@pytest.fixture
def job(target):
    """Function: a process that downloads `target` from an address; it is about to begin."""
    code = (
        "import sys, pathlib; from bayes_hpo.data.sources.download import download; "
        "from bayes_hpo.data.sources.settings import Settings; print(flush=True); "
        "download(sys.argv[1], pathlib.Path(sys.argv[2]), Settings(attempts=1))"
    )

    def start(url):
        process = subprocess.Popen([sys.executable, "-c", code, url, str(target)], stdout=subprocess.PIPE)
        running.callback(process.wait)
        running.callback(process.kill)
        running.enter_context(process.stdout)
        process.stdout.readline()
        return process

    with ExitStack() as running:
        yield start


def until(condition):
    """Wait for a condition (function without arguments)."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def waits(process):
    """Whether a process is still there after a while."""
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    return True


@pytest.mark.slow
def test_a_second_job_waits_and_uses_what_the_first_one_fetched(target, job):
    with FileServer(CONTENT, ["late"]) as server:
        jobs = [job(server.url)]
        until(lambda: server.ranges)
        jobs += [job(server.url), job(server.url)]
        assert all(waits(one) for one in jobs)
        server.resumed.set()
        assert [one.wait(60) for one in jobs] == [0, 0, 0]
        assert server.ranges == [None]
    assert target.read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["data.tar.gz"]


@pytest.mark.slow
def test_a_second_job_continues_what_a_killed_one_left(target, job):
    half = len(CONTENT) // 2
    with FileServer(CONTENT, ["stall"]) as server:
        first = job(server.url)
        until(lambda: server.ranges and target.with_name("data.tar.gz.part").stat().st_size == half)
        second = job(server.url)
        assert waits(second)
        first.kill()
        assert second.wait(60) == 0
        assert server.ranges == [None, f"bytes={half}-"]
    assert target.read_bytes() == CONTENT


def test_a_full_disk_is_one_sentence_and_keeps_what_has_come(target):
    code = (
        "import sys, pathlib; from bayes_hpo.data.sources.download import download; "
        "from bayes_hpo.data.sources.settings import Settings; from bayes_hpo.errors import RunError\n"
        "try: download(sys.argv[1], pathlib.Path(sys.argv[2]), Settings(attempts=1))\n"
        "except RunError as problem: print(problem)"
    )
    with FileServer(CONTENT) as server:
        done = subprocess.run(
            [sys.executable, "-c", code, server.url, str(target)],
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000)),
        )
    assert "could not be written" in done.stdout
    assert done.stderr == ""
    assert not target.exists()

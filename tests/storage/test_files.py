"""Laws and faults of files: whole or not at all; a journal that loses no finished trial."""

import fcntl
import json
import math
import os
import random
import signal
import stat
import struct
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from multiprocessing import get_context

import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import Journal, atomic, leftovers, locked, set_aside

FLOATS = [0.1, 1 / 3, -0.0, 5e-324, 2.2250738585072014e-308, sys.float_info.max, math.inf, -math.inf, math.nan, 2**53]
RECORDS = [{"trial": t, "loss": t / 7} for t in range(4)]


def _journal(path, records, key="key"):
    with Journal(path, key) as journal:
        for record in records[len(journal.records) :]:
            journal.append(record)
    return path.read_bytes()


def _records(path, key="key"):
    with Journal(path, key) as journal:
        return journal.records


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_whole_below_new_folders(tmp_path):
    with atomic(tmp_path / "a" / "b" / "file") as part:
        part.write_text("new")
        assert not (tmp_path / "a" / "b" / "file").exists()
    assert (tmp_path / "a" / "b" / "file").read_text() == "new"
    assert _names(tmp_path / "a" / "b") == ["file"]


def test_a_file_may_be_read_by_whom_the_umask_allows(tmp_path):
    with atomic(tmp_path / "file") as part:
        part.write_text("new")
    (tmp_path / "plain").write_text("")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("file", "plain")]
    assert modes[0] == modes[1]


def test_who_reads_the_old_file_reads_it_to_its_end(tmp_path):
    (tmp_path / "file").write_text("old")
    with open(tmp_path / "file", encoding="ascii") as reader:
        with atomic(tmp_path / "file") as part:
            part.write_text("new")
        assert reader.read() == "old"
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.parametrize("problem", [ValueError("of the writer"), KeyboardInterrupt()])
def test_an_exception_leaves_the_old_file_and_no_other(tmp_path, problem):
    def write():
        with atomic(tmp_path / "file") as part:
            part.write_text("half")
            raise problem

    (tmp_path / "file").write_text("old")
    with pytest.raises(type(problem)):
        write()
    assert (tmp_path / "file").read_text() == "old"
    assert _names(tmp_path) == ["file"]


def test_a_full_disk_is_a_fault_and_leaves_the_old_file(tmp_path, in_child):
    (tmp_path / "file").write_text("old")

    def write():
        with atomic(tmp_path / "file") as part, open(part, "wb", buffering=0) as stream:
            for _ in range(10):
                stream.write(bytes(100))

    code, problem = in_child(write, file_size=250)
    assert code == 0
    assert isinstance(problem, RunError)
    assert "could not be written (File too large)" in str(problem)
    assert (tmp_path / "file").read_text() == "old"
    assert _names(tmp_path) == ["file"]


def test_a_folder_that_cannot_be_is_a_fault(tmp_path):
    (tmp_path / "plain").write_text("")
    with pytest.raises(RunError, match="could not be written"), atomic(tmp_path / "plain" / "file"):
        pass
    with pytest.raises(RunError, match="could not be opened"), Journal(tmp_path / "plain" / "journal", "key"):
        pass


def test_what_a_killed_writer_left_is_found_once_it_is_old(tmp_path, in_child):
    def write():
        with atomic(tmp_path / "deep" / "file") as part:
            part.write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(write)[0] == -signal.SIGKILL
    assert _names(tmp_path / "deep") != ["file"]
    assert leftovers(tmp_path) == []
    assert [part.read_text() for part in leftovers(tmp_path, older_than_s=-1)] == ["half"]


def test_floats_come_back_bit_for_bit(tmp_path):
    _journal(tmp_path / "journal", [{"floats": FLOATS}])
    (record,) = _records(tmp_path / "journal")
    assert struct.pack("10d", *record["floats"]) == struct.pack("10d", *FLOATS)


def test_a_journal_cut_anywhere_keeps_every_whole_record_and_goes_on(tmp_path):
    path = tmp_path / "journal"
    whole = _journal(path, RECORDS)
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        assert _records(path) == RECORDS[: max(0, sum(end <= cut for end in ends) - 1)]
        assert _journal(path, RECORDS) == whole


def test_a_flipped_bit_ends_the_records_where_it_stands(tmp_path):
    path = tmp_path / "journal"
    whole = _journal(path, RECORDS)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert _records(path) == RECORDS[: max(0, whole[:at].count(b"\n") - 1)]
        assert _journal(path, RECORDS) == whole


def _lines(path, records, key="key"):
    """The lines of a journal of its own that holds the records."""
    path.unlink(missing_ok=True)
    return _journal(path, records, key).splitlines(keepends=True)


def test_a_record_counts_only_in_its_place_behind_its_key(tmp_path):
    path = tmp_path / "journal"
    head, *lines = _lines(path, RECORDS)
    _, *others = _lines(path, RECORDS, key="another")
    for content, kept in (
        ([head, *lines, head, *lines], 4),  # twice, as after two copies in one file
        ([head, *lines, *lines], 4),
        ([head, lines[0], lines[0]], 1),
        ([head, lines[0], lines[2], lines[3]], 1),
        ([head, lines[1], lines[0]], 0),
        ([head, lines[0], *others[1:]], 1),
    ):
        path.write_bytes(b"".join(content))
        assert _records(path) == RECORDS[:kept]
        assert _journal(path, RECORDS) == head + b"".join(lines)


@pytest.mark.parametrize("foreign", [None, b"no journal at all\n", bytes(1000), b"\x80\x04K*."])
def test_a_foreign_journal_is_set_aside(tmp_path, foreign):
    path = tmp_path / "journal"
    if foreign is None:
        foreign = _journal(path, RECORDS, key="of older code")
    path.write_bytes(foreign)
    assert _records(path, key="of new code") == []
    assert (tmp_path / "journal.stale").read_bytes() == foreign
    assert _journal(path, RECORDS[:1], key="of new code").count(b"\n") == 2


def test_setting_aside_loses_no_older_stale_file(tmp_path):
    for text in ("first", "second", "third"):
        (tmp_path / "file").write_text(text)
        set_aside(tmp_path / "file")
    kept = {name: (tmp_path / name).read_text() for name in _names(tmp_path)}
    assert kept == {"file.stale": "first", "file.2.stale": "second", "file.3.stale": "third"}


@pytest.mark.slow
def test_a_second_writer_is_refused_and_harms_nothing(tmp_path, in_child):
    path = tmp_path / "journal"
    with Journal(path, "key") as journal:
        journal.append(RECORDS[0])
        for key in ("key", "another key"):
            code, problem = in_child(lambda key=key: _records(path, key))
            assert code == 0
            assert isinstance(problem, RunError)
            assert str(problem) == f"another job is writing {path} (waited 1 s); wait for it or stop it"
        journal.append(RECORDS[1])
    assert _records(path) == RECORDS[:2]
    assert _names(tmp_path) == ["journal"]


def test_a_worker_that_outlives_its_search_does_not_hold_the_lock(tmp_path):
    ours, theirs = get_context("fork").Pipe()
    with Journal(tmp_path / "journal", "key") as journal:
        worker = get_context("fork").Process(target=lambda: theirs.send("here") or time.sleep(600))
        worker.start()
        journal.append(RECORDS[0])
        assert ours.recv() == "here"
    try:
        assert _records(tmp_path / "journal") == RECORDS[:1]
    finally:
        worker.kill()
        worker.join()


def test_who_waits_for_a_removed_journal_writes_where_others_look(tmp_path, monkeypatch):
    monkeypatch.setattr("bayes_hpo.storage.files.PATIENCE_S", 60.0)
    path = tmp_path / "journal"
    with ThreadPoolExecutor() as pool:
        with Journal(path, "key") as journal:
            journal.append(RECORDS[0])
            waiting = pool.submit(_append, path, RECORDS[1])
            time.sleep(0.1)
            assert not waiting.done()
            journal.remove()
        waiting.result()
    assert _records(path) == [RECORDS[1]]


def _append(path, record):
    with Journal(path, "key") as journal:
        journal.append(record)


def test_lines_behind_a_damaged_one_are_lost_and_said(tmp_path, logged):
    path = tmp_path / "journal"
    for record in RECORDS[:2]:
        _append(path, record)
    content = bytearray(path.read_bytes())
    second = content.index(b"\n") + 1
    content[second] ^= 1
    path.write_bytes(content)
    assert _records(path) == []
    assert f"{len(content) - second} damaged bytes after 0 valid trials" in logged()


def test_a_journal_that_cannot_begin_is_free_again(tmp_path, in_child):
    def twice():
        with pytest.raises(RunError, match="could not be written"):
            Journal(tmp_path / "journal", "key" * 10).__enter__()
        Journal(tmp_path / "journal", "key" * 10).__enter__()

    code, problem = in_child(twice, file_size=20)
    assert (code, type(problem)) == (0, RunError)
    assert "could not be written" in str(problem)


def test_a_removed_journal_begins_anew(tmp_path):
    with Journal(tmp_path / "journal", "key") as journal:
        journal.append(RECORDS[0])
        journal.remove()
    assert _names(tmp_path) == []
    assert _records(tmp_path / "journal") == []


def test_a_kill_during_a_write_loses_nothing_before(tmp_path):
    path, values = tmp_path / "journal", [random.Random(0).random() for _ in range(200)]

    def write():
        with Journal(path, "key") as journal:
            for number in count(len(journal.records)):
                journal.append({"number": number, "values": values})

    path.touch()
    for _ in range(4):
        before = path.stat().st_size
        writer = get_context("fork").Process(target=write)
        writer.start()
        while path.stat().st_size < before + 20_000 and writer.is_alive():
            time.sleep(0.001)
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        assert path.stat().st_size >= before + 20_000
        records = _records(path)
        assert records == [{"number": number, "values": values} for number in range(len(records))]
        assert path.stat().st_size >= before + 10_000  # no more than a torn line was cut off


def test_a_full_disk_keeps_the_whole_records(tmp_path, in_child):
    path = tmp_path / "journal"
    limit = len(_journal(path, RECORDS)) - 3
    path.unlink()
    code, problem = in_child(lambda: _journal(path, RECORDS), file_size=limit)
    assert code == 0
    assert isinstance(problem, RunError)
    assert "its finished trials are kept" in str(problem)
    assert path.read_bytes().endswith(b"\n")
    assert _records(path) == RECORDS[:-1]


def test_a_full_disk_at_the_first_line_is_a_fault(tmp_path, in_child):
    code, problem = in_child(lambda: _records(tmp_path / "journal"), file_size=5)
    assert (code, type(problem)) == (0, RunError)


def test_a_line_tells_what_it_holds(tmp_path):
    lines = _journal(tmp_path / "journal", RECORDS).decode().splitlines()
    assert [json.loads(line.partition(" ")[2]) for line in lines] == [{"key": "key"}, *RECORDS]


def test_a_file_that_its_holder_removes_before_it_is_locked_is_made_anew(tmp_path, monkeypatch):
    path, flock, removed = tmp_path / "large.part", fcntl.flock, []

    def removing(*arguments):
        if not removed:
            removed.append(path.unlink())
        return flock(*arguments)

    monkeypatch.setattr("bayes_hpo.storage.files.fcntl.flock", removing)
    with locked(path, 5) as stream:
        assert os.path.samestat(os.fstat(stream.fileno()), os.stat(path))

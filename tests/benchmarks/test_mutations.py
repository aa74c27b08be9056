"""The benchmark of damaged files: faults are what they say, drawn by a seed, and outcomes are told apart."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from bayes_hpo.storage import npz
from bayes_hpo.storage.pools import write_pool
from benchmarks import faults, mutations
from benchmarks.stored import FILES

JOURNAL = b"key\nfirst\nsecond\n"


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.fixture
def contents(pool_from, iris, tmp_path):
    """A small file (bytes) of those kinds that have faults of their own."""
    write_pool(pool_from([0.5, 0.25, 0.125]), tmp_path / "pool.npz")
    iris.save(tmp_path / "data.npz")
    stored = {"key": npz.from_json({"repetition": 0}), "configurations": npz.from_json(["a", "b"])}
    npz.write(tmp_path / "refits.npz", "refits 2", stored | {"predictions": np.eye(2)})
    frame = pd.DataFrame({"test_error": [0.1, 0.2, 0.3], "method": ["rs", "gp", "gp"]})
    frame.to_parquet(tmp_path / "scores.parquet")
    contents = {kind: (tmp_path / f"{kind}.npz").read_bytes() for kind in ("pool", "data", "refits")}
    tables = dict.fromkeys(
        ("scores", "released scores", "released measure"), (tmp_path / "scores.parquet").read_bytes()
    )
    texts = dict.fromkeys(("manifest", "page entry"), json.dumps({"schema": 1, "pools": {"a": "0", "b": "1"}}).encode())
    return contents | tables | texts | {"journal": JOURNAL}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, own in faults.OWN.items() for name in own])
def test_every_fault_changes_the_file_and_its_seed_says_how(contents, kind, name):
    fault, content = faults.OWN[kind][name], contents[kind]
    if kind == "pool":
        content = _with_provenance(content)
    changed = [_read(fault(content, rng(seed))) for seed in range(20)]
    assert changed == [_read(fault(content, rng(seed))) for seed in range(20)]
    assert _read(content) not in changed


def _with_provenance(content):
    """The pool's file with what real ones say of their repetition and data."""
    with np.load(io.BytesIO(content)) as stored:
        arrays = dict(stored)
    text = json.dumps({"repetition": 0, "data": {"name": "tiny"}})
    stream = io.BytesIO()
    np.savez(stream, **arrays | {"provenance": np.frombuffer(text.encode(), np.uint8)})
    return stream.getvalue()


def _read(content):
    """What stands in a file, without the times of a zip file."""
    if not content.startswith(b"PK"):
        return content
    with np.load(io.BytesIO(content)) as stored:
        return {name: (stored[name].dtype.str, stored[name].shape, stored[name].tobytes()) for name in stored.files}


def test_a_flipped_bit_is_one_bit_and_a_truncated_file_a_beginning():
    for seed in range(50):
        before, after = (np.unpackbits(np.frombuffer(text, np.uint8)) for text in (JOURNAL, _flipped(seed)))
        assert (before != after).sum() == 1
        cut = faults.truncated(JOURNAL, rng(seed))
        assert 0 < len(cut) < len(JOURNAL)
        assert JOURNAL.startswith(cut)


def _flipped(seed):
    return faults.flipped(JOURNAL, rng(seed))


def test_records_and_rows_are_doubled_and_deleted_one_at_a_time(contents):
    assert faults.doubled_line(JOURNAL, rng()).count(b"\n") == 4
    assert faults.deleted_line(JOURNAL, rng()).count(b"\n") == 2
    for fault, rows in ((faults.doubled_row, 4), (faults.deleted_row, 2)):
        assert len(pq.read_table(io.BytesIO(fault(contents["scores"], rng())))) == rows


def test_there_are_700_mutations_and_more_of_every_kind_of_file():
    every = mutations.mutations()
    assert len(every) >= 700
    assert {mutation.kind for mutation in every} == set(FILES)
    assert mutations.mutations([17, 203]) == [every[17], every[203]]


@pytest.mark.parametrize(
    ("code", "said", "outcome"),
    [
        (1, "12:00 repetition 0\nerror: it is damaged\n", "refused"),
        (2, "error: unknown\n", "refused"),
        (1, "", "traceback"),
        (1, "error: one\nerror: another\n", "traceback"),
        (1, "Traceback (most recent call last):\nKeyError: 'pools'\n", "traceback"),
        (-11, "error: half a sen", "traceback"),
    ],
)
def test_a_refusal_is_one_sentence_and_an_exit_code(code, said, outcome):
    assert mutations._refusal(code, said) == outcome


def test_the_tables_count_outcomes_and_name_what_was_accepted_wrong():
    rows = [("a1", "pool", "empty", "refused", 7), ("a1", "data", "empty", "accepted wrong", 2)]
    frame = pd.DataFrame(rows, columns=["revision", "file", "mutation", "outcome", "count"])
    shown = mutations.tables(frame)
    assert "| all | 9 | 0 | 0 | 7 | 2 | 0 |" in shown
    assert "| data, empty, accepted wrong | 2 |" in shown
    assert "pool, empty" not in shown

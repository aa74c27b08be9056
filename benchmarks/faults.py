"""Faults of a stored file: its bytes damaged, a record lost or doubled, a value of another type or out of its range.

What is no fault but forgery is left out: an edit that leaves a file valid and plausible, its checksums made anew
(another loss between 0 and 1 in a pool that is zipped again, a row taken out of a parquet file that is written again).
"""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

OTHERS = (None, True, -1, 1e300, "", "text", [], {}, ["text"], {"text": 1})  # values of every type that JSON has


def truncated(content, rng):
    """The file without its end, from a random place on."""
    return content[: rng.integers(1, len(content))]


def flipped(content, rng):
    """The file with one random bit changed."""
    changed = bytearray(content)
    changed[rng.integers(len(content))] ^= 1 << rng.integers(8)
    return bytes(changed)


def doubled_line(content, rng):
    """A journal with one record twice."""
    lines = content.splitlines(keepends=True)
    at = rng.integers(len(lines))
    return b"".join(lines[: at + 1] + lines[at:])


def deleted_line(content, rng):
    """A journal without one of its records."""
    lines = content.splitlines(keepends=True)
    del lines[rng.integers(len(lines))]
    return b"".join(lines)


def deleted_pool(content, rng):
    """A manifest without one of its pools."""
    manifest = json.loads(content)
    del manifest["pools"][rng.choice(sorted(manifest["pools"]))]
    return json.dumps(manifest).encode()


def wrong_type(content, rng):
    """A JSON file with one value, at any depth, replaced by one of another type."""
    node = document = json.loads(content)
    while True:
        key = _chosen(list(node) if isinstance(node, dict) else range(len(node)), rng)
        if not (isinstance(node[key], dict | list) and node[key]) or rng.random() < 0.3:
            break
        node = node[key]
    node[key] = _chosen([value for value in OTHERS if type(value) is not type(node[key])], rng)
    return json.dumps(document).encode()


def changed(edits):
    """The fault that zips an .npz again, its checksums right, with one of the edits (array, function of the array)."""

    def fault(content, rng):
        with np.load(io.BytesIO(content)) as stored:
            arrays = {name: stored[name] for name in stored.files}
        name, edit = _chosen(edits, rng)
        arrays[name] = edit(arrays[name], rng)
        stream = io.BytesIO()
        np.savez_compressed(stream, **{name: array for name, array in arrays.items() if array is not None})
        return stream.getvalue()

    return fault


def entry(value):
    """The edit that puts a value in place of one random entry."""

    def edit(array, rng):
        array.flat[rng.integers(array.size)] = value
        return array

    return edit


def inside(path, value):
    """The edit that puts a value inside of an array that holds JSON; path: its keys, None for a random index."""

    def edit(array, rng):
        node = document = json.loads(array.tobytes())
        *keys, last = [rng.integers(len(document)) if key is None else key for key in path]
        for key in keys:
            node = node[key]
        node[last] = value
        return np.frombuffer(json.dumps(document).encode(), dtype=np.uint8)

    return edit


def doubled_row(content, rng):
    """A parquet file with one row twice."""
    table, row = _row(content, rng)
    return _parquet(pa.concat_tables([table, table.slice(row, 1)]))


def deleted_row(content, rng):
    """A parquet file without one of its rows."""
    table, row = _row(content, rng)
    return _parquet(pa.concat_tables([table.slice(0, row), table.slice(row + 1)]))


def impossible_score(content, rng):
    """Scores with one test error outside of [0, 1] or none, or with all of them as text."""
    table, row = _row(content, rng)
    values = table["test_error"].to_pylist()
    values[row] = _chosen([1.5, -0.5, float("nan"), None, "text"], rng)
    if values[row] == "text":
        values = list(map(str, values))
    return _parquet(table.set_column(table.column_names.index("test_error"), "test_error", pa.array(values)))


def _row(content, rng):
    """The table of a parquet file and the number of a random row."""
    table = pq.read_table(io.BytesIO(content))
    return table, int(rng.integers(len(table)))


def _parquet(table):
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def _chosen(values, rng):
    return values[rng.integers(len(values))]


SHORTER, NARROWER, AS_TEXT, LOST = (
    lambda array, rng: array[:-1],  # without its last row
    lambda array, rng: array[:, :-1],  # without its last column
    lambda array, rng: array.astype(str),
    lambda array, rng: None,
)
EVERY = {
    "truncated": truncated,
    "flipped bit": flipped,
    "empty": lambda content, rng: b"",
    "zeros": lambda content, rng: bytes(len(content)),
    "doubled file": lambda content, rng: content + content,
}
DATA = [
    ("header", inside(["name"], "sklearn-digits")),
    ("digest", lambda array, rng: np.array("0123456789abcdef")),
    ("form", lambda array, rng: np.array("data 99")),
    ("fitted", lambda array, rng: np.array(True)),
    ("X", entry(1e9)),
    ("X", AS_TEXT),
    ("y", entry(-1)),
    ("y", SHORTER),
    ("given_test", LOST),
]
POOL = [
    ("provenance", inside(["repetition"], 7)),
    ("provenance", inside(["data", "name"], "sklearn-digits")),
    ("provenance", inside(["data"], "text")),
    ("configurations", inside([None, "C"], -1.0)),
    ("configurations", inside([None], "text")),
    ("form", lambda array, rng: np.array("pool 99")),
    ("fingerprint", lambda array, rng: np.array("0123456789abcdef-0123456789abcdef")),
    *[("losses", entry(value)) for value in (1.5, -0.5, np.nan)],
    *[("losses", edit) for edit in (SHORTER, NARROWER, AS_TEXT)],
    ("status", entry("other")),
    ("rounds", entry(-1)),
    ("rounds", LOST),
]
REFITS = [
    ("key", inside(["repetition"], 7)),
    ("key", LOST),
    ("configurations", inside([None], 7)),
    ("configurations", LOST),
    ("predictions", entry(77)),
    *[("predictions", edit) for edit in (SHORTER, NARROWER, AS_TEXT)],
]
ROWS = {"doubled record": doubled_row, "changed value": impossible_score}
OWN = {
    "data": {"changed value": changed(DATA)},
    "pool": {"changed value": changed(POOL)},
    "journal": {"doubled record": doubled_line, "deleted record": deleted_line},
    "manifest": {"deleted record": deleted_pool, "changed value": wrong_type},
    "refits": {"changed value": changed(REFITS)},
    "scores": ROWS,
    "page entry": {"changed value": wrong_type},
    "released scores": ROWS | {"deleted record": deleted_row},
    "released measure": {"doubled record": doubled_row, "deleted record": deleted_row},
}

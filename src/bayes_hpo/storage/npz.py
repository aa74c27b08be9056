"""Arrays in .npz files with a digest of all arrays, which is verified on every read."""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORM, DIGEST = "form", "digest"
Arrays = Mapping[str, NDArray]


def write(path: str | Path, form: str, arrays: Arrays) -> None:
    """Write arrays (dict, name -> array) to `path`. form: kind and schema version, such as "pool 2"."""
    members: dict[str, Any] = {FORM: np.array(form), **arrays}
    with open(path, "wb") as stream:
        np.savez_compressed(stream, **(members | {DIGEST: np.array(digest(members))}))


def read(path: str | Path, form: str) -> dict[str, NDArray]:
    """The arrays (dict, name -> array) of a file of this form.

    Raises: OSError when the file is missing or unreadable; ValueError when it is damaged, altered or of another form.
    """
    arrays = _whole(path)
    stored_digest, stored_form = (str(arrays.pop(name, "unknown")) for name in (DIGEST, FORM))
    if stored_form != form:
        raise ValueError(f"is of the form {stored_form}, not {form}")
    if stored_digest != digest({FORM: np.array(form), **arrays}):
        raise ValueError("was altered")
    return arrays


def _whole(path):
    """All arrays in a file, digest and form included. Raises: OSError, ValueError; see `read`."""
    try:
        with zipfile.ZipFile(path) as archive:
            if broken := archive.testzip():  # first, because a damaged shape could request arbitrary memory
                raise ValueError(broken)
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, MemoryError):  # not caused by the content of the file
        raise
    except Exception as problem:  # zipfile, zlib and numpy raise different errors for damaged files
        raise ValueError("is damaged") from problem


def digest(arrays: Arrays) -> str:
    """Digest (16 hex digits) of the names, types, shapes and values of arrays (dict, name -> array)."""
    parts = b"".join(
        f"{name}{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes()
        for name, array in sorted(arrays.items())
    )
    return hashlib.sha256(parts).hexdigest()[:16]


def from_json(value: Any) -> NDArray:
    """A JSON-serializable value as an array (n_bytes,); preserves the order of dicts."""
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def to_json(array: NDArray) -> Any:
    """The inverse of `from_json`."""
    return json.loads(array.tobytes().decode())

"""Arrays in .npz files that tell of a changed value: they hold a digest of all arrays, checked whenever one is read."""

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
    """Write arrays (dict, name -> array) to `path`. form: what they are, with the number of its schema ("pool 2")."""
    members: dict[str, Any] = {FORM: np.array(form), **arrays}
    with open(path, "wb") as stream:
        np.savez_compressed(stream, **(members | {DIGEST: np.array(digest(members))}))


def read(path: str | Path, form: str) -> dict[str, NDArray]:
    """The arrays (dict, name -> array) of a file of this form.

    Raises: OSError when it is not there or cannot be read; ValueError, what is wrong with it, when it is damaged,
    altered or of another form.
    """
    arrays = _whole(path)
    stated, found = (str(arrays.pop(name, "unknown")) for name in (DIGEST, FORM))
    if found != form:
        raise ValueError(f"is of the form {found}, not {form}")
    if stated != digest({FORM: np.array(form), **arrays}):
        raise ValueError("was altered")
    return arrays


def _whole(path):
    """All arrays of a file, as they were zipped. Raises: OSError, ValueError; see `read`."""
    try:
        with zipfile.ZipFile(path) as archive:
            if broken := archive.testzip():  # before an array is made: a broken shape may ask for any memory
                raise ValueError(broken)
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, MemoryError):  # the file is not to blame
        raise
    except Exception as problem:  # zip, zlib and numpy each have errors of their own for damage
        raise ValueError("is damaged") from problem


def digest(arrays: Arrays) -> str:
    """Digest (16 hex digits) of arrays (dict, name -> array): of their names, types, shapes and values."""
    parts = b"".join(
        f"{name}{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes()
        for name, array in sorted(arrays.items())
    )
    return hashlib.sha256(parts).hexdigest()[:16]


def from_json(value: Any) -> NDArray:
    """The array that holds what json can hold; its dicts keep their order."""
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def to_json(array: NDArray) -> Any:
    """The inverse of `from_json`."""
    return json.loads(array.tobytes().decode())

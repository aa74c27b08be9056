"""The manifest of a finished block, declared as output in Snakemake: its pools and the digests of their files."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic

SCHEMA = 2
FIELDS = {"schema", "name", "depends", "pools", "digest"}


def pool_path(folder: str | Path, repetition: int) -> Path:
    """Path of the pool of one repetition in a pool folder."""
    return Path(folder) / f"rep_{repetition:03d}.npz"


def write_manifest(path: str | Path, depends: dict, pools: Sequence[Path]) -> None:
    """Write the manifest of the finished pool files `pools`; depends (dict): what they depend on.

    A manifest with the same content is not rewritten: a newer time stamp would make Snakemake rerun the score jobs.
    """
    listed = {pool.name: file_digest(pool) for pool in pools}
    manifest = {"schema": SCHEMA, "name": Path(path).name, "depends": depends, "pools": listed}
    manifest["digest"] = _digest(manifest)
    text = json.dumps(manifest, indent=1) + "\n"
    if not (Path(path).is_file() and Path(path).read_text(encoding="utf-8", errors="replace") == text):
        with atomic(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def read_manifest(path: str | Path) -> dict:
    """The manifest (dict). Raises: RunError when it is missing, damaged, or of another schema or block."""
    try:
        manifest = json.loads(Path(path).read_text(encoding="utf-8"))
        valid = isinstance(manifest, dict) and set(manifest) == FIELDS and manifest["schema"] == SCHEMA
        valid = valid and isinstance(manifest["pools"], dict) and isinstance(manifest["depends"], dict)
    except FileNotFoundError as problem:
        raise RunError(f"there is no manifest {path}; run its search first") from problem
    except OSError as problem:
        raise RunError(
            f"{path} cannot be read ({problem.strerror}); mend that and run the same command again"
        ) from problem
    except ValueError as problem:
        raise RunError(f"{path} is not a complete manifest; delete it and run its search again") from problem
    if not valid:
        raise RunError(f"{path} is not a manifest of this schema; delete it and run its search again")
    if manifest.pop("digest") != _digest(manifest):
        raise RunError(f"{path} was altered; delete it and run its search again")
    if manifest["name"] != Path(path).name:
        raise RunError(f"{path} is the manifest {manifest['name']}; delete it and run its search again")
    return manifest


def verified(path: str | Path) -> list[Path]:
    """The pool files (list of Path) in the manifest `path`. Raises: RunError when one is missing or altered."""
    pools = read_manifest(path)["pools"]
    for name, digest in pools.items():
        pool = Path(path).parent / name
        if not pool.is_file():
            raise RunError(
                f"{pool} does not exist; delete {path} and run its search, or the same snakemake command, again"
            )
        if file_digest(pool) != digest:
            raise RunError(f"{pool} differs from {Path(path).name}; run its search again, which keeps valid pools")
    return [Path(path).parent / name for name in pools]


def _digest(manifest):
    """Digest (16 hex digits) of a manifest (dict) without its own digest."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:16]


def file_digest(path: str | Path) -> str:
    """Digest (16 hex digits) of a file's content."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]

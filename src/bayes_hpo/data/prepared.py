"""A data set as the stages read it: one checked .npz in results/data, whatever its source was."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bayes_hpo.errors import Fault
from bayes_hpo.files import atomic
from bayes_hpo.overrides import word

SCHEMA = 1


@dataclass(frozen=True)
class Data:
    """One data set.

    X (n, p): features, NaN where a value is missing. y (n,): class numbers from 0. given_test (n_test,): row numbers of
    the test part that came with the data, empty when there is none. fitted: whether features must be imputed and
    standardised with statistics of the training rows (a user's file, OpenML) or are used untouched (archive, bundled).
    header: name, source, sha256 of the files, class labels, licence.
    """

    X: np.ndarray
    y: np.ndarray
    given_test: np.ndarray
    fitted: bool
    header: dict

    @property
    def name(self):
        return self.header["name"]

    @property
    def digest(self):
        """Digest of everything that can change a result: the arrays, not the header."""
        arrays = (self.X, self.y, self.given_test, np.array(self.fitted))
        parts = b"".join(f"{a.dtype}{a.shape}".encode() + np.ascontiguousarray(a).tobytes() for a in arrays)
        return hashlib.sha256(parts).hexdigest()[:16]

    @property
    def facts(self):
        """Of the data set what the registry may state: name, source and sizes (dict)."""
        sizes = {"n": len(self.X), "p": self.X.shape[1], "classes": int(self.y.max(initial=-1)) + 1}
        return {"name": self.name, "source": self.header.get("source"), **sizes, "n_test": len(self.given_test)}

    def difference(self, stated):
        """In which of the facts (dict) that are stated the data set differs, in words; empty when in none."""
        facts = self.facts
        return ", ".join(f"{key}={facts[key]} instead of {stated[key]}" for key in stated if facts[key] != stated[key])

    def save(self, path):
        """Write the data set to `path`, whole or not at all."""
        header = np.frombuffer(json.dumps(self.header | {"digest": self.digest}).encode(), dtype=np.uint8)
        with atomic(path) as part, open(part, "wb") as stream:
            np.savez_compressed(
                stream,
                schema=np.array(SCHEMA),
                X=self.X,
                y=self.y,
                given_test=self.given_test,
                fitted=np.array(self.fitted),
                header=header,
            )

    @classmethod
    def load(cls, path, stated=None):
        """Read a prepared data set. stated: what the registry states of it (`registry.Row.stated`); None: nothing.

        Raises: Fault when the file is missing, damaged or altered (its digest is checked), and when it is not the data
        set that its name and `stated` say.
        """
        place = word("results_dir", Path(path).parent.parent)
        command = f"python -m bayes_hpo.stages.data dataset={Path(path).stem} {place}"
        try:
            with np.load(path, allow_pickle=False) as stored:
                header = json.loads(stored["header"].tobytes().decode())
                data = cls(stored["X"], stored["y"], stored["given_test"], bool(stored["fitted"]), header)
                schema = int(stored["schema"])
        except FileNotFoundError as problem:
            where = "of an archive with data.archive_dir=FOLDER, docs/data.md"
            raise Fault(f"{path} is not there; prepare the data set ({where}) with: {command}") from problem
        except OSError as problem:
            raise Fault(f"{path} cannot be read ({problem.strerror or problem})") from problem
        except Exception as problem:  # zip, zlib, numpy and json each have errors of their own for damage
            raise Fault(f"{path} is no whole data file; delete it and prepare it again") from problem
        if schema != SCHEMA or header.get("digest") != data.digest:
            raise Fault(f"{path} was altered or is of another schema; delete it and prepare it again")
        if problem := data.difference({"name": Path(path).stem} | (stated or {})):
            raise Fault(f"{path} is not the data set of that name ({problem}); prepare it again with: {command}")
        return data

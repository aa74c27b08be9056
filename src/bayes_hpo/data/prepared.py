"""A prepared data set: one verified .npz file in results/data, independent of the source."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from bayes_hpo.configuration.overrides import word
from bayes_hpo.errors import RunError
from bayes_hpo.outcomes.kinds import CLASSIFICATION, REGRESSION
from bayes_hpo.storage import npz
from bayes_hpo.storage.files import atomic

FORM = "data 2"  # increment when the arrays of the file change


@dataclass(frozen=True)
class Data:
    """One data set.

    X (n, p): features, NaN where a value is missing.
    y (n,): class numbers from 0 (integers), or values (floats).
    given_test (n_test,): row numbers of the given test part; empty if there is none.
    fitted: whether features are imputed and standardized with statistics of the training rows (a user's file, OpenML)
        or used unchanged (archive, bundled).
    header: name, source, sha256 of the files, class labels, licence.
    """

    X: np.ndarray
    y: np.ndarray
    given_test: np.ndarray
    fitted: bool
    header: dict

    @property
    def name(self) -> str:
        return self.header["name"]

    @property
    def kind(self) -> str:
        """The kind of task: regression if y contains values, else classification."""
        return REGRESSION if self.y.dtype.kind == "f" else CLASSIFICATION

    @property
    def digest(self) -> str:
        """Digest of everything that affects results: the arrays, without the header."""
        return npz.digest(self._arrays)

    @property
    def _arrays(self):
        return {"X": self.X, "y": self.y, "given_test": self.given_test, "fitted": np.array(self.fitted)}

    @property
    def facts(self) -> dict:
        """Properties that the registry may state (dict): name, source, task and sizes."""
        classes = int(self.y.max(initial=-1)) + 1 if self.kind == CLASSIFICATION else 0
        sizes = {"n": len(self.X), "p": self.X.shape[1], "classes": classes, "n_test": len(self.given_test)}
        return {"name": self.name, "source": self.header.get("source"), "task": self.kind, **sizes}

    def difference(self, stated: dict) -> str:
        """The differences from stated facts (dict), as text; empty if there are none."""
        facts = self.facts
        return ", ".join(f"{key}={facts[key]} instead of {stated[key]}" for key in stated if facts[key] != stated[key])

    def save(self, path: str | Path) -> None:
        """Write the data set to `path`."""
        with atomic(path) as temporary:
            npz.write(temporary, FORM, self._arrays | {"header": npz.from_json(self.header)})

    @classmethod
    def load(cls, path: str | Path, stated: dict | None = None) -> Self:
        """Read a prepared data set.

        stated: facts that the registry states about it (`registry.Row.stated`), if any.
        Raises: RunError when the file is missing, damaged or altered (its digest is verified), or when its name or its
        properties differ from those stated.
        """
        place = word("results_dir", Path(path).parent.parent)
        command = f"python -m bayes_hpo.stages.data dataset={Path(path).stem} {place}"
        try:
            arrays = npz.read(path, FORM)
        except FileNotFoundError as problem:
            where = "of an archive with data.archive_dir=FOLDER, docs/data.md"
            raise RunError(f"{path} does not exist; prepare the data set ({where}) with: {command}") from problem
        except OSError as problem:
            raise RunError(f"{path} cannot be read ({problem.strerror or problem})") from problem
        except ValueError as problem:
            raise RunError(f"{path} {problem}; delete it and prepare it again with: {command}") from problem
        header, fitted = npz.to_json(arrays.pop("header")), bool(arrays.pop("fitted"))
        data = cls(**arrays, fitted=fitted, header=header)
        if difference := data.difference({"name": Path(path).stem} | (stated or {})):
            raise RunError(f"{path} is not the data set of that name ({difference}); prepare it again with: {command}")
        return data

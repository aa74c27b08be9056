"""A tiny archive in the authors' layout, made of scikit-learn's wine, and a registry that names its sets."""

import csv
import hashlib
import io
import tarfile

import numpy as np
from sklearn.datasets import load_wine

from bayes_hpo.data.registry import COLUMNS

WINE = load_wine()
X, Y = WINE.data[:, :4], WINE.target


def r_dat(features, classes):
    """Text of a NAME_R.dat file."""
    header = "\t".join(["", *(f"f{j + 1}" for j in range(features.shape[1])), "clase"])
    rows = [[i, *row, label] for i, (row, label) in enumerate(zip(features, classes, strict=True), start=1)]
    return "\n".join([header, *("\t".join(map(str, row)) for row in rows)]) + "\n"


def write_archive(folder):
    """Lay out the sets whole, parted (raw test part), unknown and board below `folder`; return its path."""
    scaled = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    files = {
        "whole/whole_R.dat": r_dat(scaled, Y),
        "parted/parted_train_R.dat": r_dat(scaled[::2], Y[::2]),
        "parted/parted_test_R.dat": r_dat(X[1::2], Y[1::2]),
        "unknown/unknown_R.dat": r_dat(X[:60], Y[:60]),
        "board/board_R.dat": r_dat(X, Y),
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_registry(conf, archive):
    """Write a datasets.csv for the sets of `write_archive`; return the folder `conf`."""
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in archive.rglob("*_R.dat")}
    parted = {
        "source": "archive",
        "files": "parted_train_R.dat;parted_test_R.dat",
        "sha256": f"{sums['parted_train_R.dat']};{'0' * 64}/{sums['parted_test_R.dat']}",
        "n": 178,
        "p": 4,
        "classes": 3,
        "n_test": 89,
        "suites": "tiny",
    }
    one = {"source": "archive", "n": 178, "p": 4, "classes": 3, "suites": "tiny"}
    rows = [
        one | {"name": "whole", "files": "whole_R.dat", "sha256": sums["whole_R.dat"]},
        parted | {"name": "parted"},
        parted | {"name": "parted-repaired", "variant": "repaired", "rescale": "test", "suites": ""},
        one | {"name": "unknown", "files": "unknown_R.dat", "n": 60, "classes": 2},
        one | {"name": "board", "files": "board_R.dat", "against_rest": 1, "classes": 2},
        one | {"name": "absent", "files": "absent_R.dat", "suites": "all"},
        {"name": "sklearn-iris", "source": "bundled", "n": 150, "p": 4, "classes": 3, "suites": "tiny;all"},
    ]
    write_rows(conf, rows)
    return conf


def write_rows(conf, rows):
    """Write rows (dicts, column -> value) as `conf`/datasets.csv."""
    conf.mkdir(parents=True, exist_ok=True)
    with open(conf / "datasets.csv", "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(rows)


def pack(archive, path, prefix="./jmlr/data", extra=()):
    """Pack the folder `archive` as tar.gz below `prefix`, with extra members [(TarInfo, bytes)]; return `path`."""
    with tarfile.open(path, "w:gz") as tar:
        for info, content in extra:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        for file in sorted(archive.rglob("*_R.dat")):
            tar.add(file, f"{prefix}/{file.relative_to(archive)}")
    return path


def columns_are_standard(features):
    """Whether every column of `features` (n, p) has mean 0 and deviation 1 to the six digits of print."""
    return np.allclose(features.mean(axis=0), 0, atol=1e-5) and np.allclose(features.std(axis=0, ddof=1), 1, atol=1e-5)

"""Fixtures of the claims' tests: the registry, scores with the published means and deviations, files of claims."""

import csv
from functools import cache

import numpy as np
import pandas as pd
import pytest
from score_rows import CHAPTER_3

from bayes_hpo.claims.claim import COLUMNS
from bayes_hpo.claims.ledger import ledger
from bayes_hpo.claims.study import Study
from bayes_hpo.data.registry import registry
from bayes_hpo.documents import published
from bayes_hpo.documents.printed import Printed

CLAIM = {
    "claim": "A",
    "tier": "secondary",
    "document": "thesis",
    "study": "overfitting",
    "measure": "net_wins",
    "a": "gp_r",
    "b": "gp",
    "validations": "holdout",
    "kind": "direction",
}


@pytest.fixture(scope="session")
def rows():
    """The registry of data sets."""
    return registry()


@pytest.fixture(scope="session")
def printed(rows):
    """What tables B.1 and B.2 print of every data set."""
    return Printed.of(CHAPTER_3, rows).cells


@pytest.fixture(scope="session")
def suite(rows):
    """Function: names of the data sets of a suite."""
    return lambda name: [one for one, row in rows.items() if name in row.suites]


@pytest.fixture(scope="session")
def as_published(rows):
    """Function: scores in which every cell has exactly the published mean and sd; gp's for the posterior mean."""
    cells = cache(published.errors)

    def make(names, repetitions=20, validations=("holdout", "kfold"), methods=None):
        rng, parts = np.random.default_rng(0), []
        for validation in validations:
            mean, sd = cells(validation)
            for method in methods or [*mean.columns, "gp_pm", "gp_pm_r"]:
                cell = [(rows[name].published_name, method.replace("_pm", "")) for name in names]
                noise = rng.standard_normal((len(names), repetitions))
                noise -= noise.mean(axis=1, keepdims=True)
                noise /= np.maximum(noise.std(axis=1, keepdims=True), 1e-9)  # none in one repetition
                errors = np.array([mean.loc[one] for one in cell])[:, None] / 100
                errors = errors + np.array([sd.loc[one] for one in cell])[:, None] / 100 * noise
                parts.append(_rows(names, validation, method, 100, errors, final=True))
                if "_pm" not in method:
                    parts.append(_rows(names, validation, method, 24, errors + 0.01, final=False))
        return pd.concat(parts, ignore_index=True)

    return make


def _rows(names, validation, method, iteration, errors, final):
    """Score rows: errors (n_datasets, n_repetitions), fractions; validation losses are 2 points below them."""
    count = errors.shape[1]
    return pd.DataFrame(
        {
            "dataset": np.repeat(names, count),
            "repetition": np.tile(np.arange(count), len(names)),
            "validation": validation,
            "method": method,
            "iteration": iteration,
            "final": final,
            "validation_loss": errors.ravel() - 0.02,
            "test_error": errors.ravel(),
        }
    )


@pytest.fixture
def claim_file(tmp_path):
    """Function: a file of claims, each given by what differs from CLAIM; its path."""

    def write(*changes, header=COLUMNS):
        path = tmp_path / "claims.csv"
        with open(path, "w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, header, restval="", extrasaction="ignore")
            writer.writeheader()
            writer.writerows({**CLAIM, **change} for change in changes)
        return path

    return write


@pytest.fixture
def ledger_of(rows, claim_file, printed):
    """Function: the ledger of some claims (what differs from CLAIM), of one study's scores, as a frame."""

    def make(scores, *changes, scale="paper"):
        return ledger({"overfitting": Study(scores, printed=printed)}, rows, scale, claim_file(*(changes or [{}])))

    return make

"""scikit-learn's data sets on the archive's scale."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tiny

from bayes_hpo.data.registry import Row, registry, suite
from bayes_hpo.data.sources import bundled
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError

CONF = Path(__file__).parents[2] / "conf"


@pytest.mark.parametrize("name", suite("bundled", CONF))
def test_a_bundled_set_is_what_the_registry_says_and_standardised_as_a_whole(name):
    row = registry(CONF)[name]
    data = bundled.read(row, Settings())
    assert (data.X.shape, len(data.header["labels"])) == ((row.n, row.p), row.classes)
    assert tiny.columns_are_standard(data.X[:, np.ptp(data.X, axis=0) > 0])
    assert not data.fitted
    assert np.array_equal(np.unique(data.y), np.arange(row.classes))


def test_a_set_that_is_not_bundled_is_named_with_those_that_are():
    with pytest.raises(RunError, match="sklearn-mnist is unavailable: scikit-learn has only sklearn-iris"):
        bundled.read(Row("sklearn-mnist", source="bundled"), Settings())


def test_no_other_source_imports_scikit_learn():
    sources = "archive, csv_file, openml_source"
    code = f"import sys; from bayes_hpo.data.sources import {sources}; from bayes_hpo.data import store"
    code += "; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0

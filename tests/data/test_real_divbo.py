"""The 15 data sets of Shen et al. 2022 from their files, where they lie beside us: numbers, no missing cell."""

import numpy as np
import pytest
from test_real_archive import FOLDER as ARCHIVE

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import suite
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import prepare

OPENML = ARCHIVE.parent / "openml"
CONSTANT = {"quake": 44.49, "pollen": 50.0, "wind": 46.74, "amazon_employee": 5.79}  # percent (protocol, 1, 2)

pytestmark = [
    pytest.mark.slow,  # they are read and prepared
    pytest.mark.skipif(not OPENML.is_dir(), reason="the data sets are not beside us"),
]


@pytest.mark.parametrize("name", suite("divbo15"))
def test_a_data_set_is_numeric_without_missing_cells(name, tmp_path):
    settings = Settings(results_dir=str(tmp_path), openml_dir=str(OPENML))
    data = Data.load(prepare(name, settings))  # raises RunError for other sizes than the registry's
    assert np.isfinite(data.X).all()
    assert data.header["verified"]
    error = 100 * (1 - np.bincount(data.y).max() / len(data.y))
    assert error == pytest.approx(CONSTANT.get(name, error), abs=0.01)

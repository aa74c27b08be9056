"""The 61 problems of ESMBO's substitute suites from their files, where they lie beside us."""

import numpy as np
import pytest
from test_real_archive import FOLDER as ARCHIVE

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import suite
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import prepare
from bayes_hpo.repetition import Repetition

OPENML = ARCHIVE.parent / "openml"
LEAST = 5  # rows of the rarer class, for validation

pytestmark = [
    pytest.mark.slow,  # they are read and prepared
    pytest.mark.skipif(not OPENML.is_dir(), reason="the data sets are not beside us"),
]


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    results = str(tmp_path_factory.mktemp("results"))
    settings = Settings(results_dir=results, archive_dir=str(ARCHIVE), openml_dir=str(OPENML))
    return lambda name: Data.load(prepare(name, settings))


@pytest.mark.parametrize("name", suite("aysu39"))
def test_a_problem_of_two_classes_has_rows_of_both_for_validation_at_the_cap(name, load, grid_of):
    data, job = load(name), grid_of("esmbo_svm", "small").job("holdout", "random")
    for number in range(2):
        repetition = Repetition.of(job, data, number)
        (fold,) = repetition.protocol.folds(
            repetition.parts, repetition.strata, 0, repetition.seeds, training_cap=repetition.training_cap
        )
        sizes = len(fold.train), len(fold.validation), len(repetition.parts.test)
        assert sum(sizes) == min(len(data.y), job["most_rows"]) == min(len(data.y), 1000)
        np.testing.assert_allclose(np.array(sizes) / sum(sizes), [0.4, 0.3, 0.3], atol=0.02)
        assert np.bincount(data.y[fold.validation], minlength=2).min() >= LEAST


def test_the_rows_under_the_cap_are_the_same_in_every_repetition_and_hold_the_classes_in_their_shares(load, grid_of):
    data, job = load("thyroid-binary"), grid_of("esmbo_svm", "small").job("holdout", "random")
    parts = [Repetition.of(job, data, number).parts for number in range(2)]
    used = [np.sort(np.concatenate([part.rest, part.test])) for part in parts]
    np.testing.assert_array_equal(*used)
    assert not np.array_equal(*(part.test for part in parts))
    assert data.y[used[0]].mean() == pytest.approx(data.y.mean(), abs=0.001)


@pytest.mark.parametrize("name", suite("torgo22"))
def test_a_problem_of_regression_has_finite_values(name, load):
    data = load(name)
    assert np.isfinite(data.y).all()
    assert len(np.unique(data.y)) > 10
    assert np.isfinite(data.X).mean() > 0.99
    assert data.header["verified"]


def test_grids_of_all_spaces_are_on_all_of_them():
    for study, count in (("esmbo_svr", 22), ("esmbo_gbr", 22), ("esmbo_mlp", 39), ("esmbo_rfc", 39)):
        assert len(Grid.of(study, "small").datasets) == count

"""The archive itself, where it lies beside this checkout: sizes, codings and the numbers that the thesis prints."""

from pathlib import Path

import numpy as np
import pytest
import tiny

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Part, registry, suite
from bayes_hpo.data.sources import archive, bundled
from bayes_hpo.data.sources.formats import read_part
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import prepare

ROOT = Path(__file__).parents[2]
FOLDER = ROOT.parent / "shared" / "datasets" / "archive"
SETTINGS = Settings(archive_dir=str(FOLDER))
ROWS = registry(ROOT / "conf")
MINIBOONE = [36499, 93565]  # class sizes, from UCI's description

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the archive is not beside this checkout")


def read(name):
    return archive.read(ROWS[name], SETTINGS)


def test_the_six_sets_of_the_pilot_are_as_registered(tmp_path):
    settings = Settings(results_dir=str(tmp_path), archive_dir=str(FOLDER))
    for name in suite("overfitting_pilot", ROOT / "conf"):
        prepare(name, settings, ROOT / "conf")


def test_the_coding_of_adult_gives_the_archives_test_part_digit_by_digit():
    content = (FOLDER / "adult" / "original" / "adult.test").read_bytes()
    X, y = read_part(Part("original/adult.test"), content, ROWS["adult"])
    printed = np.loadtxt(FOLDER / "adult" / "adult_test_R.dat", skiprows=1)
    np.testing.assert_array_equal(X, printed[:, 1:-1])
    np.testing.assert_array_equal(y, printed[:, -1])


@pytest.mark.slow
def test_connect_4_has_the_two_classes_loss_and_the_rest():
    data = read("connect-4")
    np.testing.assert_array_equal(np.bincount(data.y), [67557 - 16635, 16635])
    assert tiny.columns_are_standard(data.X)


def test_the_test_part_of_hayes_roth_is_raw_unless_it_is_repaired():
    raw, repaired = read("hayes-roth"), read("hayes-roth-repaired")
    assert set(np.unique(raw.X[raw.given_test])) == {1, 2, 3, 4}
    assert tiny.columns_are_standard(repaired.X[raw.given_test])


@pytest.mark.parametrize("name", suite("overfitting_repaired", ROOT / "conf"))
def test_exactly_the_eleven_sets_need_the_repair_that_they_get(name):
    plain, repaired = read(ROWS[name].folder), read(name)
    test = np.zeros(len(plain.y), dtype=bool)
    test[plain.given_test] = True
    changed = test if ROWS[name].rescale == "test" else ~test
    np.testing.assert_array_equal(repaired.X[~changed], plain.X[~changed])
    assert tiny.columns_are_standard(plain.X[~changed])
    assert not tiny.columns_are_standard(plain.X[changed])
    varying = np.ptp(repaired.X[changed], axis=0) > 0
    assert tiny.columns_are_standard(repaired.X[changed][:, varying])


@pytest.mark.parametrize(
    ("ours", "theirs"), [("sklearn-wine", "wine"), ("sklearn-breast-cancer", "breast-cancer-wisc-diag")]
)
def test_bundled_sets_are_the_archives_digit_by_digit(ours, theirs):
    np.testing.assert_array_equal(bundled.read(ROWS[ours], SETTINGS).X, read(theirs).X)


def test_bundled_iris_differs_from_the_archives_in_two_rows_and_so_in_scale():
    ours, theirs = bundled.read(ROWS["sklearn-iris"], SETTINGS), read("iris")
    np.testing.assert_array_equal(ours.y, theirs.y)
    differing = np.abs(ours.X - theirs.X).max(axis=1) > 0.05
    assert np.flatnonzero(differing).tolist() == [34, 37]


@pytest.mark.slow
def test_all_sets_but_miniboone_are_prepared_and_have_the_printed_sizes(tmp_path):
    settings = Settings(results_dir=str(tmp_path), archive_dir=str(FOLDER))
    names = [name for name in suite("overfitting118", ROOT / "conf") if name != "miniboone"]
    assert len(names) == 117
    sizes = [sum(MINIBOONE) - third(MINIBOONE)]
    for name in names:
        data = Data.load(prepare(name, settings, ROOT / "conf"))
        sizes.append(len(data.y) - (len(data.given_test) or third(np.bincount(data.y))))
        assert ROWS[name].rest == sizes[-1]
        assert data.header["verified"]
    assert np.median(sizes) == 433.0  # thesis 3.3
    assert round(np.mean(sizes), 1) == 3102.4


def third(counts):
    """Rows of a drawn test part (D3): the ceiling of .34 n of each class."""
    return sum(-(-34 * int(count) // 100) for count in counts)

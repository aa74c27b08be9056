"""OpenML's data sets of chapter 5 from the files that stand in for them, and all 24 sets, where they lie beside us."""

import csv
import gzip

import numpy as np
import pytest
from mini_openml import MiniOpenML
from test_real_archive import FOLDER as ARCHIVE
from test_real_archive import third

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import find, suite
from bayes_hpo.data.sources.openml_formats import read_table
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import prepare
from bayes_hpo.seeds import Seeds
from bayes_hpo.splits import Fixed, KFold, Protocol, draw_parts

DATASETS = ARCHIVE.parent
FOLDER = DATASETS / "openml"
SIX = ["splice", "kropt", "fbis.wc", "quake", "fri_c1_1000_25", "pc4"]
SMALL = 8000  # most rows beside the test part in the suite conditional_small
WITH_INDICATORS = {"splice": 287, "kropt": 40}  # features, where the source has nominal attributes

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the files that stand in for OpenML's are not beside us")


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    return Settings(results_dir=str(results), archive_dir=str(ARCHIVE), openml_dir=str(FOLDER))


@pytest.fixture(scope="module")
def catalogue():
    """Rows of the catalogue by file: what was counted in the files by other code."""
    with open(DATASETS / "catalog.csv", newline="", encoding="utf-8") as stream:
        return {line["path"]: line for line in csv.DictReader(stream) if "thesis5" in line["studies"]}


def load(name, settings):
    return Data.load(prepare(name, settings))


@pytest.mark.parametrize("name", [name for name in SIX if name != "fbis.wc"])
def test_a_set_is_prepared_from_the_file_that_stands_in(name, settings):
    data, row = load(name, settings), find(name)
    assert np.isfinite(data.X).all()
    assert data.fitted
    assert data.header["verified"]
    assert len(data.y) - third(np.bincount(data.y)) == row.rest


def test_the_indicators_of_kropt_are_the_board_of_chess_krvk(settings):
    ours, theirs = load("kropt", settings), load("chess-krvk", settings)
    values = (4, 4, 8, 8, 8, 8)  # of file and rank of the three pieces; the white king's are reduced by symmetry
    blocks = np.split(ours.X, np.cumsum(values)[:-1], axis=1)
    assert all((block.sum(axis=1) == 1).all() for block in blocks)
    codes = np.column_stack([block.argmax(axis=1) for block in blocks])
    for ours_column, theirs_column in zip(codes.T, theirs.X.T, strict=True):
        pairs = set(zip(ours_column.tolist(), theirs_column.tolist(), strict=True))
        assert len(pairs) == len(set(ours_column.tolist())) == len(set(theirs_column.tolist()))
    assert len(set(zip(ours.y.tolist(), theirs.y.tolist(), strict=True))) == 18


def test_a_numeric_target_becomes_the_two_classes_that_openml_made_of_such_targets():
    text = (DATASETS / "regression/cpu.small/cpu.small.arff").read_text()
    lines = text.partition("@data\n")[2].splitlines()
    columns = "\t".join(f"x{j}" for j in range(lines[0].count(",") + 1))
    parent = "\n".join([columns, *(line.replace(",", "\t") for line in lines if line)])
    X, y, labels = read_table("parent.tsv.gz", gzip.compress(parent.encode()), "-1", ())
    theirs = read_table("cpu_small.csv", (FOLDER / "735_cpu_small/cpu_small.csv").read_bytes(), "-1", ())
    np.testing.assert_array_equal(X, theirs[0])
    np.testing.assert_array_equal(y, theirs[1])
    assert labels == ["N", "P"]


@pytest.mark.slow
def test_openmls_server_and_the_folder_give_the_same_data(settings, tmp_path):
    files = {184: (FOLDER / "184_kropt/kropt.arff").read_bytes()}
    with MiniOpenML(files) as server:
        there = Settings(results_dir=str(tmp_path), openml_server=server.url, target="game", attempts=1)
        fetched = load("kropt", there)
    assert fetched.digest == load("kropt", settings).digest
    assert not fetched.header["verified"]


@pytest.mark.slow
def test_all_24_sets_have_the_sizes_of_the_catalogue_and_the_small_ones_are_those_of_at_most_8000_rows(
    settings, catalogue
):
    counted = set()
    for name in suite("conditional24"):
        data, row = load(name, settings), find(name)
        line = next(line for path, line in catalogue.items() if _is_of(path, row))
        counted.add(line["name"])
        assert len(data.X) == int(line["n"])
        assert data.X.shape[1] == WITH_INDICATORS.get(name, int(line["n_features"]))
        assert data.y.max() + 1 == int(line["n_classes"] or 2)
        assert len(data.given_test) == int(line["n_test"] or 0)
        assert np.isfinite(data.X).all()  # nothing is missing: D5.3's rule for missing values is never used
        given = {"given_test": data.given_test, "test_percent": 20, "training_cap": 10**9}
        parts = draw_parts(data.y, Protocol(KFold(5), Fixed(), 0.0), Seeds("s", name, 0), **given)
        assert (len(parts.visible) <= SMALL) == (name in suite("conditional_small"))
    assert len(counted) == len(catalogue) == 24


def _is_of(path, row):
    """Whether a path of the catalogue holds a file of the data set `row`."""
    names = [part.name for layout in row.layouts for part in layout]
    files = [one.removeprefix("archive/").removeprefix("openml/").removeprefix("other/") for one in path.split(";")]
    return any(file in (name, f"{row.folder}/{name}") for file in files for name in names)

"""A folder of files that stand in for OpenML's: each is the registered one, or refused with one sentence."""

import gzip
import hashlib
from dataclasses import replace

import numpy as np
import pytest
import tiny

from bayes_hpo.data.prepared import Data
from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources import openml_source
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import availability, prepare
from bayes_hpo.errors import RunError, UserError

ARFF = (
    b"""@relation tiny
@attribute name string
@attribute colour {blue,red,green}
@attribute class {no,yes}
@data
"""
    + b"a,red,no\nb,green,yes\nc,?,no\n" * 3
)
CSV = b'"x","class"\n' + b"1,0\n?,1\n" * 3
PARENT = gzip.compress(b"x\ttarget\n" + b"".join(b"%d\t%d\n" % (i, i) for i in range(1, 7)), mtime=0)  # the mean is 3.5
FILES = {"1_a/a.arff": ARFF, "2_b/b.csv": CSV, "3_c/c.tsv.gz": PARENT}


def row(file, content=None, **more):
    sums = (hashlib.sha256(FILES[file] if content is None else content).hexdigest(),)
    layouts = ((Part("dataset.arff"),), (Part(file, sums),))
    return Row(**{"name": "tiny", "source": "openml", "openml_id": 1, "layouts": layouts, **more})


@pytest.fixture
def settings(tmp_path):
    for name, content in FILES.items():
        path = tmp_path / "openml" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    return Settings(results_dir=str(tmp_path / "results"), openml_dir=str(tmp_path / "openml"))


def test_only_categories_that_occur_become_indicators(settings):
    data = openml_source.read(row("1_a/a.arff", drop=("name",)), settings)
    np.testing.assert_array_equal(data.X, [[1, 0], [0, 1], [0, 0]] * 3)  # red, green; a missing one is neither
    assert data.y.tolist() == [0, 1, 0] * 3
    assert data.header["files"] == {"1_a/a.arff": hashlib.sha256(ARFF).hexdigest()}
    assert data.header["verified"]


def test_a_csv_file_stands_in_with_its_last_column_as_the_target(settings):
    data = openml_source.read(row("2_b/b.csv"), settings)
    np.testing.assert_array_equal(data.X, [[1], [np.nan]] * 3)
    assert data.y.tolist() == [0, 1] * 3
    assert data.fitted


def test_a_numeric_parent_becomes_the_classes_below_its_mean_and_not(settings):
    data = openml_source.read(row("3_c/c.tsv.gz"), settings)
    assert data.header["labels"] == ["N", "P"]
    assert data.y.tolist() == [1, 1, 1, 0, 0, 0]
    np.testing.assert_array_equal(data.X[:, 0], [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("1_a/a.arff", ARFF[: len(ARFF) // 2], "OpenML data set 1: its ARFF file cannot be read"),
        ("1_a/a.arff", ARFF[: ARFF.index(b"@data") + 6], "OpenML data set 1: its ARFF file has no rows"),
        ("2_b/b.csv", CSV.replace(b",1\n", b",0\n"), "OpenML data set 1: all 6 rows are of class 0"),
        ("2_b/b.csv", b'"x","class"\n1,0\n2,1\n' + b"1,0\n" * 3, r"class 1 has 1 row\(s\), too small to stratify"),
        ("2_b/b.csv", b"", "OpenML data set 1: empty"),
        ("3_c/c.tsv.gz", PARENT[:20], "OpenML data set 1: it is not a complete gzip file"),
        (
            "3_c/c.tsv.gz",
            gzip.compress(b"x\ttarget\n1\ta\n2\tb\n", mtime=0),
            "its target holds 'a', which is not a number",
        ),
    ],
)
def test_what_is_wrong_in_a_registered_file_is_one_sentence(settings, tmp_path, file, content, sentence):
    (tmp_path / "openml" / file).write_bytes(content)
    with pytest.raises(RunError, match=sentence) as problem:
        openml_source.read(row(file, content), settings)
    assert "\n" not in str(problem.value)


def test_an_altered_file_is_refused_before_it_is_read(settings, tmp_path):
    (tmp_path / "openml/2_b/b.csv").write_bytes(CSV.replace(b"1,0", b"9,0"))
    with pytest.raises(RunError, match=r"2_b/b.csv is cut or altered .* conf/datasets.csv"):
        openml_source.read(row("2_b/b.csv"), settings)


def test_a_folder_without_the_file_is_named_with_the_file(settings, tmp_path):
    (tmp_path / "openml/2_b/b.csv").unlink()
    with pytest.raises(RunError, match=r"tiny is unavailable: .*openml has no 2_b/b.csv"):
        openml_source.read(row("2_b/b.csv"), settings)


def test_a_set_for_which_nothing_stands_in_is_said(settings):
    with pytest.raises(
        RunError, match=r"openml-61 is unavailable: .* has no file of this set that conf/datasets.csv names"
    ):
        openml_source.read(Row(name="openml-61", source="openml", openml_id=61), settings)


def test_a_folder_that_is_not_there_is_a_wrong_command(settings, tmp_path):
    with pytest.raises(UserError, match=r"data.openml_dir=.*nowhere is not a folder"):
        openml_source.read(row("2_b/b.csv"), replace(settings, openml_dir=str(tmp_path / "nowhere")))


def test_a_file_of_an_unknown_ending_is_refused_with_the_known_ones(settings, tmp_path):
    (tmp_path / "openml/d.xls").write_bytes(b"")
    with pytest.raises(RunError, match=r"d.xls has an unknown format; known endings: .arff, .csv, .tsv.gz"):
        openml_source.read(row("d.xls", b""), settings)


def test_a_command_that_names_the_folder_reads_the_file_again_and_others_keep_what_is_there(settings, tmp_path):
    sums = [hashlib.sha256(content).hexdigest() for content in (CSV, CSV + b"1,0\n")]
    cells = {"name": "tiny", "source": "openml", "openml_id": 1, "files": "dataset.arff|2_b/b.csv"}
    tiny.write_rows(tmp_path / "conf", [cells | {"sha256": f"|{'/'.join(sums)}"}])
    prepare("tiny", settings, tmp_path / "conf")
    with open(tmp_path / "openml/2_b/b.csv", "ab") as stream:
        stream.write(b"1,0\n")
    assert len(Data.load(prepare("tiny", replace(settings, openml_dir=""), tmp_path / "conf")).y) == 6
    assert len(Data.load(prepare("tiny", settings, tmp_path / "conf")).y) == 7


def test_the_list_says_which_sets_the_folder_lacks(settings):
    (one,) = availability(["pc4"], settings)
    assert (one.state, one.command) == ("missing", "python -m bayes_hpo.stages.data dataset=pc4")
    assert one.reason.endswith("has no 1049_pc4/pc4.csv")

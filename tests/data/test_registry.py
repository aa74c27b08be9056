"""The registry of data sets: what it promises of conf/datasets.csv, and what it refuses."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest
import tiny

from bayes_hpo.data.registry import COLUMNS, checked_name, find, registry, suite
from bayes_hpo.documents import published
from bayes_hpo.errors import UserError

CONF = Path(__file__).parents[2] / "conf"
SUITES = {
    "overfitting118": 118,
    "overfitting_small": 86,
    "overfitting_pilot": 6,
    "overfitting_fidelity": 12,
    "overfitting_repaired": 11,
    "overfitting_smoke": 2,
    "overfitting_toy": 1,
    "conditional24": 24,
    "conditional_small": 18,
    "conditional_smoke": 2,
    "conditional_variants": 4,
    "ensembles18": 18,
    "ensembles_small": 13,
    "ensembles_chain": 2,
    "ensembles_variants": 4,
    "bundled": 4,
    "svm_width": 1,
    "random_forest": 1,
    "stand_in": 1,
}
GIVEN_TEST_PARTS = """adult annealing audiology-std conn-bench-vowel-deterding hayes-roth hill-valley horse-colic
image-segmentation monks-1 monks-2 monks-3 optical pendigits soybean spect spectf statlog-landsat statlog-shuttle
thyroid"""


@pytest.fixture(scope="module")
def rows():
    return registry(CONF)


@pytest.mark.parametrize(("name", "size"), SUITES.items())
def test_the_suites_have_their_published_sizes(name, size):
    assert len(suite(name, CONF)) == size


def test_no_data_set_is_without_a_suite_and_the_sizes_are_known(rows):
    assert len(rows) == 118 + 11 + 6 + 1 + 4 + 1 + 23 + 22 + 14
    assert all(row.suites and row.n and row.p for row in rows.values())
    assert all((row.classes >= 2) == (row.task == "classification") for row in rows.values())


def test_the_small_sets_are_those_of_at_most_2000_rows(rows):
    archive = [rows[name] for name in suite("overfitting118", CONF)]
    assert suite("overfitting_small", CONF) == [row.name for row in archive if row.n <= 2000]


def test_the_small_sets_of_chapter_5_have_at_most_8000_rows_beside_a_test_part_of_a_fifth(rows):
    all24 = [rows[name] for name in suite("conditional24", CONF)]
    beside = {row.name: row.n - (row.n_test or row.n // 5) for row in all24}
    assert suite("conditional_small", CONF) == [name for name, n in beside.items() if n <= 8000]


def test_the_sets_of_chapter_4_are_those_of_chapter_5_from_the_archive(rows):
    archive = [rows[name] for name in suite("conditional24", CONF) if rows[name].source == "archive"]
    assert suite("ensembles18", CONF) == [row.name for row in archive]
    assert suite("ensembles_small", CONF) == [row.name for row in archive if row.n <= 8000]


def test_nineteen_sets_come_with_a_test_part(rows):
    given = [row.name for row in rows.values() if row.n_test and row.source == "archive" and not row.variant]
    assert given == GIVEN_TEST_PARTS.split()


def test_a_repaired_variant_has_the_files_and_the_published_row_of_its_set(rows):
    for row in map(rows.get, suite("overfitting_repaired", CONF)):
        plain = rows[row.folder]
        assert row.name == f"{plain.name}-repaired"
        assert (row.layouts, row.published_name, row.n, row.n_test) == (
            plain.layouts,
            plain.published_name,
            plain.n,
            plain.n_test,
        )
        assert row.rescale in ("train", "test")


def test_only_five_files_of_the_archive_have_no_known_sum(rows):
    archive = [row for row in rows.values() if row.source == "archive"]
    unknown = {part.name for row in archive for layout in row.layouts for part in layout if not part.sha256}
    assert unknown == {
        "adult_train_R.dat",
        "connect-4_R.dat",
        "musk-2_R.dat",
        "statlog-shuttle_train_R.dat",
        "miniboone_R.dat",
    }


def test_every_file_that_stands_in_for_openmls_has_a_known_sum(rows):
    openml = [row for row in rows.values() if row.source == "openml"]
    without_id = {row.name for row in openml if not row.openml_id}  # nobody has told those of the Torgo collection
    assert without_id <= {*suite("torgo22", CONF), "solar-flare-2"}
    assert all(row.layouts[0][0].name == "dataset.arff" for row in openml)
    assert all(part.sha256 for row in openml for layout in row.layouts[1:] for part in layout)


def test_the_repaired_data_sets_of_esmbo_are_those_of_its_protocol(rows):
    """D1: the scale of one part of horse-colic and of monks-1; flare by its C-class, without the other two."""
    rescaled = {name: rows[name].rescale for name in suite("aysu39", CONF) if rows[name].rescale}
    assert rescaled == {"horse-colic-binary": "test", "monks-1-binary": "train"}
    flare = rows["solar-flare-2"]
    assert flare.target.startswith("C-class_")
    assert [name[:8] for name in flare.drop] == ["M-class_", "X-class_"]


def test_abbreviations_are_the_columns_of_the_tables_of_chapters_4_and_5(rows):
    of_name = {row.abbreviation: row for row in rows.values() if row.abbreviation}
    assert {row.name for row in of_name.values()} == set(suite("conditional24", CONF))
    for document, table, size in [("thesis", "T5_2", 24), ("thesis", "T4_4", 18), ("thesis", "T4_6", 18)]:
        columns = set(published.mean_errors(document, table)[0].index)
        assert len(columns) == size
        assert columns <= set(of_name)
    ours = {*of_name, "msh"}  # musk-2 in table 2 of uai2016 alone
    assert all(set(published.mean_errors("uai2016", table)[0].index) <= ours for table in ("T2", "T4"))


def test_an_abbreviation_stands_for_the_data_set_of_the_printed_size(rows):
    of_name = {row.abbreviation: row for row in rows.values() if row.abbreviation}
    printed = published.rows("datasets").query("document == 'uai2016'")
    assert len(printed) == 18
    for line in printed.itertuples():
        row = of_name[line.abbrev]
        assert (row.published_n, row.published_p) == (line.instances, line.features)
        assert row.published_classes == line.classes


def test_the_columns_that_are_numbers_are_openmls_ids(rows):
    numbers = [row for row in rows.values() if row.abbreviation.isdecimal()]
    assert [str(row.openml_id) for row in numbers] == [row.abbreviation for row in numbers]
    assert {row.openml_id for row in numbers} == {46, 184, 389, 772, 917, 1049}


def test_kropt_and_chess_krvk_are_one_family(rows):
    assert rows["kropt"].family == rows["chess-krvk"].family


def test_printed_sizes_differ_only_where_the_print_is_known_to_be_wrong(rows):
    printed = [row for row in rows.values() if row.published_n]
    wrong = {row.name for row in printed if row.published_n != row.n or row.published_classes not in (0, row.classes)}
    assert len(printed) == 18 + 1 + 15  # table 1 of uai2016, ionosphere in 2.6.1 of the thesis, table 5 of divbo2022
    assert wrong == {"chess-krvk", "thyroid", "openml-spambase"}
    assert all(row.published_p == row.p for row in printed)


def test_published_names_are_the_rows_of_tables_b1_and_b2(rows):
    table = Path(__file__).parents[3] / "shared" / "published" / "thesis_B1_B2_errors.csv"
    if not table.exists():
        pytest.skip("the published numbers are not beside this checkout")
    with open(table, newline="") as stream:
        names = {line["dataset"] for line in csv.DictReader(stream)}
    assert {rows[name].published_name for name in suite("overfitting118", CONF)} == names


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "-x", "a b", "iris\n", "..", "a\\b", "é"])
def test_a_name_that_could_leave_its_folder_is_refused(name):
    with pytest.raises(UserError, match="is not a valid name"):
        checked_name(name)


@pytest.mark.parametrize("name", ["iris", "my-data_2.v1", "pittsburg-bridges-T-OR-D", "0"])
def test_a_plain_name_is_accepted(name):
    assert checked_name(name) == name


def test_an_unknown_data_set_is_answered_with_the_closest_and_all_names():
    with pytest.raises(UserError, match=r"unknown dataset=irs \(did you mean iris .*allowed: abalone, .*openml-ID"):
        find("irs", CONF)


def test_an_openml_id_needs_no_row():
    row = find("openml-61", CONF)
    assert (row.source, row.openml_id, row.n) == ("openml", 61, 0)


def test_an_unknown_suite_is_answered_with_the_suites():
    with pytest.raises(
        UserError,
        match=r"unknown suite=all; allowed: aysu39, bundled, cash_benchmark, cifar, cifar_smoke, conditional24",
    ):
        suite("all", CONF)


def test_several_sums_of_a_file_and_several_layouts_are_read(tmp_path):
    a, b, c = "a" * 64, "b" * 64, "c" * 64
    tiny.write_rows(
        tmp_path, [{"name": "x", "source": "archive", "files": "f;g|h", "sha256": f"{a}/{b};|{c}", "drop": "i;j"}]
    )
    row = registry(tmp_path)["x"]
    parts = [[(part.name, part.sha256) for part in layout] for layout in row.layouts]
    assert parts == [[("f", (a, b)), ("g", ())], [("h", (c,))]]
    assert row.drop == ("i", "j")


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"name": "../x"}, "the name needs"),
        ({"name": "x", "source": "web"}, "source=web is not one of bundled, archive, csv, openml"),
        ({"name": "x", "source": "bundled", "n": "many"}, "n=many is not a whole number"),
        ({"name": "x", "source": "bundled", "against_rest": "loss"}, "against_rest=loss is not a whole number"),
        ({"name": "x", "source": "archive"}, "needs files"),
        ({"name": "x", "source": "archive", "files": "a;b", "sha256": ""}, "one place"),
        ({"name": "x", "source": "archive", "files": "a", "sha256": "12"}, "sha256=12 must have 64"),
        ({"name": "x", "source": "archive", "files": "../a"}, "does not lie in the folder"),
        ({"name": "x", "source": "archive", "files": "/a"}, "does not lie in the folder"),
        ({"name": "x", "source": "bundled", "rescale": "both"}, "rescale=both is not train, test or empty"),
    ],
)
def test_a_malformed_row_is_named_with_the_reason(tmp_path, cells, reason):
    tiny.write_rows(tmp_path, [{"name": "good", "source": "bundled"}, cells])
    with pytest.raises(UserError, match=rf"datasets.csv, row 3 \({cells['name']}\): .*{reason}"):
        registry(tmp_path)


def test_a_name_registered_twice_is_refused(tmp_path):
    tiny.write_rows(tmp_path, [{"name": "x", "source": "bundled"}] * 2)
    with pytest.raises(UserError, match="x is registered twice"):
        registry(tmp_path)


@pytest.mark.parametrize("content", [b"", b"name,task\nx,y\n", b"\xff\xfe"])
def test_another_file_is_no_registry(tmp_path, content):
    (tmp_path / "datasets.csv").write_bytes(content)
    with pytest.raises(UserError, match=r"the columns must be name|not a CSV file"):
        registry(tmp_path)


def test_a_row_with_a_cell_too_many_is_refused(tmp_path):
    tiny.write_rows(tmp_path, [{"name": "x", "source": "bundled"}])
    with open(tmp_path / "datasets.csv", "a") as stream:
        stream.write("y" + "," * len(COLUMNS) + "\n")
    with pytest.raises(UserError, match=rf"row 3 \(y\): {len(COLUMNS) + 1} cells, the header has {len(COLUMNS)}"):
        registry(tmp_path)


def test_no_registry_is_said(tmp_path):
    with pytest.raises(UserError, match=r"there is no .*datasets.csv"):
        registry(tmp_path)


def test_reading_the_registry_imports_no_numpy():
    code = "import sys, bayes_hpo.data.registry; sys.exit('numpy' in sys.modules or 'pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0

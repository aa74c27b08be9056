"""The table of what is released: searches are counted once, whoever selects from them."""

import pandas as pd
import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.report.tables.releases import table, update


def _scores(path, methods, seconds, revision="abc"):
    """A file of two repetitions that took `seconds` each, with a step in between."""
    rows = [
        {"repetition": r, "method": m, "final": final, "seconds": seconds if final else 1.0, "revision": revision}
        for r in (0, 1)
        for m in methods
        for final in (False, True)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_parquet(path)


@pytest.fixture
def folder(tmp_path):
    """Two data sets of one search that two methods share, and another search."""
    for name, seconds in (("iris", 1800.0), ("wine", 3600.0)):
        _scores(tmp_path / f"study/small/{name}/holdout/gp.parquet", ["gp", "gp_pm"], seconds, revision=name)
    _scores(tmp_path / "study/small/iris/kfold/random.parquet", ["rs"], 36.0)
    return tmp_path


def test_a_search_counts_once_for_all_its_methods(folder):
    assert table(folder).splitlines()[2:] == [
        "| study, small | holdout | gp | gp, gp_pm | 2 | 2 | 3.00 | iris, wine |",
        "| study, small | kfold | random | rs | 1 | 2 | 0.02 | abc |",
    ]


def test_the_table_takes_its_place_in_the_page_and_nothing_else_moves(folder):
    page = folder / "README.md"
    page.write_text("before\n<!-- released -->\nold\n<!-- end -->\nafter\n")
    update(folder)
    assert page.read_text() == f"before\n<!-- released -->\n{table(folder)}\n<!-- end -->\nafter\n"
    update(folder)
    assert page.read_text().count("| study, small |") == 2


def test_a_folder_without_a_page_gets_none(folder):
    update(folder)
    assert not (folder / "README.md").exists()


def test_a_damaged_file_is_named(folder):
    path = folder / "study/small/iris/kfold/random.parquet"
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(RunError, match=r"random\.parquet cannot be read .*; restore it"):
        table(folder)


def test_the_committed_page_shows_what_is_committed():
    with open("released/README.md", encoding="utf-8") as page:
        assert table("released") in page.read()

"""Tables, and their place in the page."""

import pandas as pd
import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.report.tables.markdown import markdown, put


def test_a_table_has_its_labels_left_and_its_numbers_right():
    cells = pd.DataFrame({"n = 1": ["2", "3"]}, index=["one", "other"])
    assert markdown("d", cells).splitlines() == ["| d | n = 1 |", "| :-- | --: |", "| one | 2 |", "| other | 3 |"]


def test_only_the_named_part_of_the_page_changes(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- one -->\nold\n<!-- end -->\nb\n<!-- two -->\nkept\n<!-- end -->\n")
    put("one", "new \\1\nlines", page)
    put("one", "newer \\1\nlines", page)
    assert page.read_text() == (
        "a\n<!-- one -->\nnewer \\1\nlines\n<!-- end -->\nb\n<!-- two -->\nkept\n<!-- end -->\n"
    )


def test_an_empty_place_is_filled_and_leaves_the_next_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- one -->\n<!-- end -->\nb\n<!-- two -->\nkept\n<!-- end -->\n")
    put("one", "new", page)
    assert page.read_text() == "<!-- one -->\nnew\n<!-- end -->\nb\n<!-- two -->\nkept\n<!-- end -->\n"


def test_a_page_without_the_place_is_said(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- one -->\nold\n<!-- end -->\n")
    with pytest.raises(RunError, match="has no <!-- two -->"):
        put("two", "new", page)

"""What the page is told of an artifact: damage is one sentence."""

import contextlib
import json

import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.report.page import page
from bayes_hpo.report.page.entry import PageEntry

TABLE = {
    "title": "Table 3.1: errors",
    "caption": ["Scale toy."],
    "command": "snakemake",
    "drawn": 1.0,
    "labels": ["method"],
    "header": [["ours", "Med"], ["publ.", "Med"]],
    "index": [["rs"]],
    "cells": [["1", "2"]],
}


@pytest.mark.parametrize("content", [b"", b'{"title": "T', b"[1]", b'{"title": 1, "other": 2}', b"\xff\xfe"])
def test_a_broken_table_is_one_sentence(make_product, products, printed_rows, content):
    make_product("T3_1", printed_rows)
    (products / "tables/toy/thesis/T3_1.json").write_bytes(content)
    with pytest.raises(RunError, match=r"T3_1\.json cannot be read .*make its artifact again"):
        page.write("toy", products)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[(name, value) for name in ("title", "command") for value in (None, 1, ["text"])],
        *[(name, value) for name in ("caption", "labels") for value in (None, "text", [1], [["text"]], {"text": 1})],
        *[(name, value) for name in ("header", "index", "cells") for value in (None, 1, [1], ["text"], [[1]], [[]])],
        *[("drawn", value) for value in (None, "1", True, [1.0], -0.1, 1.5, float("nan"))],
        ("cells", [["1"]]),
        ("cells", [["1", "2"], ["3", "4"]]),
        ("index", [["rs", "gp"]]),
        ("header", [["ours", "Med"], ["publ."]]),
    ],
)
def test_an_entry_of_other_types_or_another_shape_is_one_sentence(tmp_path, field, value):
    path = tmp_path / "T3_1.json"
    PageEntry(**TABLE).save(path)
    assert PageEntry.load(path) == PageEntry(**TABLE)
    PageEntry(**TABLE | {field: value}).save(path)
    with pytest.raises(RunError, match=r"T3_1\.json .*make its artifact again"):
        PageEntry.load(path)


def test_an_entry_without_a_checksum_is_refused(tmp_path):
    path = tmp_path / "T3_1.json"
    path.write_text(json.dumps(TABLE))
    with pytest.raises(RunError, match=r"T3_1\.json was altered"):
        PageEntry.load(path)


def test_every_flipped_bit_of_an_entry_is_noticed_or_changes_nothing(tmp_path):
    path = tmp_path / "T3_1.json"
    PageEntry(**TABLE).save(path)
    content = path.read_bytes()
    for at in range(8 * len(content)):
        path.write_bytes(content[: at // 8] + bytes([content[at // 8] ^ 1 << at % 8]) + content[at // 8 + 1 :])
        with contextlib.suppress(RunError):
            assert PageEntry.load(path) == PageEntry(**TABLE)


def test_the_entry_of_another_artifact_is_refused(tmp_path):
    PageEntry(**TABLE).save(tmp_path / "T3_1.json")
    with pytest.raises(RunError, match=r"TB_1\.json was altered or is another artifact's"):
        PageEntry.load((tmp_path / "T3_1.json").rename(tmp_path / "TB_1.json"))

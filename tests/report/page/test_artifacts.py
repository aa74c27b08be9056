"""Artifacts on the page: figures whole but for their caption, mentions that lead to them."""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from page_reader import read
from PIL import Image

from bayes_hpo.documents import catalog
from bayes_hpo.errors import RunError
from bayes_hpo.report import artifact
from bayes_hpo.report.page import artifacts, page
from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.page.picture import TOLERANCE, picture


def test_a_place_that_names_a_table_leads_to_it(products):
    known = {"thesis-T3_1", "thesis-TB_1", "thesis-F3_3"}
    for text, anchors in {
        "3.3.2, table 3.1": ["thesis-T3_1"],
        "table B.1 and fig. 3.3": ["thesis-TB_1", "thesis-F3_3"],
        "tables 3.1, 3.9": ["thesis-T3_1"],
        "table 9.9, stable 3.1": [],
        "": [],
    }.items():
        pieces = artifacts.anchored(text, "thesis", known)
        assert "".join(piece for piece, _ in pieces) == text
        assert [anchor for _, anchor in pieces if anchor] == anchors
    assert {"href": "#thesis-T3_1"} in read(products).all("a")


def test_a_figure_is_embedded_without_the_caption_that_stands_below_it(products, png):
    (image,) = read(products).all("img")
    shown = Image.open(io.BytesIO(base64.b64decode(image["src"].partition(",")[2])))
    assert shown.size == (300, 100)
    assert int(image["width"]) / int(image["height"]) == 3
    whole = np.asarray(Image.open(png).convert("L"), dtype=int)[:100]
    assert np.abs(whole - np.asarray(shown.convert("L"))).max() <= TOLERANCE


@pytest.mark.slow
def test_no_colour_of_a_figure_is_lost():
    for path in sorted(Path("figures/small").glob("*/*.png")):
        whole = np.asarray(Image.open(path).convert("RGB"), dtype=int)
        shown = base64.b64decode(picture(path)["src"].partition(",")[2])
        assert np.abs(whole - np.asarray(Image.open(io.BytesIO(shown)).convert("RGB"))).max() <= TOLERANCE, path
        assert len(shown) < path.stat().st_size / 3


@pytest.mark.slow
def test_the_page_of_every_figure_is_below_two_megabytes():
    """Of every artifact built: as many bytes a figure as those of scale small, and half a megabyte for the rest."""
    paths = sorted(Path("figures/small").glob("*/*.png"))
    sizes = [len(picture(path, PageEntry.load(path.with_suffix(".json")).drawn)["src"]) for path in paths]
    figures = [name for document in catalog.documents() for name in artifact.names(document) if name[0] == "F"]
    assert np.mean(sizes) * len(figures) + 500_000 < 2_000_000


@pytest.mark.slow
def test_the_caption_is_cut_off_a_figure_and_nothing_else(make_product, products, printed_rows):
    _, path = make_product("F3_3", printed_rows)
    drawn = PageEntry.load(path.with_suffix(".json")).drawn
    dark = (np.asarray(Image.open(path).convert("L")) < 200).any(axis=1)
    edge = round(drawn * len(dark))
    assert 0.7 < drawn < 0.97
    assert not dark[edge - 4 : edge + 1].any()  # between the axis' label and the first line of the caption
    assert dark[edge : edge + 20].any()


def test_a_broken_or_missing_picture_is_one_sentence(products, png):
    whole = png.read_bytes()
    for content in (whole[: len(whole) // 2], whole[:40], b"", whole[:3000] + b"\0" * 100 + whole[3100:]):
        png.write_bytes(content)
        with pytest.raises(RunError, match=r"F3_3\.png is not a complete picture .*make its artifact again"):
            page.write("toy", products)
    png.unlink()
    with pytest.raises(RunError, match=r"F3_3\.png is not a complete picture"):
        page.write("toy", products)


def test_one_of_ours_stands_behind_the_table_that_it_belongs_to(tmp_path):
    thesis = artifacts.documents("toy", tmp_path)[0]
    names = [item.name for _, items in thesis.chapters for item in items]
    assert names[names.index("T3_1") + 1] == "FT3_1"
    assert sorted(names) == artifact.names("thesis")
    assert [chapter for chapter, _ in thesis.chapters] == ["2", "3", "4", "5", "B"]

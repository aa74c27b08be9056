"""The page of a scale: whole, self-contained, honest about what is not there, and safe whatever it is made of."""

import re
import shutil
from itertools import pairwise

import pandas as pd
import pytest
from page_reader import Reader, ledger, read
from score_rows import METHODS, PRINTED, as_printed, rows

from bayes_hpo.documents import published
from bayes_hpo.report import artifact
from bayes_hpo.report.page import page

EVIL = "<b>&\"'</b>"


def test_the_page_needs_nothing_else(make_product, products, printed_rows, png):
    make_product("T3_1", printed_rows)
    text = page.write("toy", products).read_text(encoding="utf-8")
    assert "://" not in text
    assert "@import" not in text
    assert "url(" not in text
    found = Reader(text)
    assert not {"script", "link", "iframe", "object", "base"} & {tag for tag, _ in found.tags}
    sources = [value for _, attributes in found.tags for name, value in attributes.items() if name in ("src", "href")]
    assert all(value.startswith(("data:image/png;base64,", "#")) for value in sources)
    assert {value[1:] for value in sources if value.startswith("#")} <= found.ids


def test_it_can_be_read_without_eyes(make_product, products, printed_rows, png):
    make_product("TB_1", printed_rows)
    found = read(products)
    assert found.all("html") == [{"lang": "en"}]
    assert all("scope" in attributes for attributes in found.all("th"))
    assert all(image["alt"] and image["width"] and image["height"] for image in found.all("img"))
    assert all("aria-label" in drawn or "aria-hidden" in drawn for drawn in found.all("svg"))
    headings = [int(tag[1]) for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert all(later <= before + 1 for before, later in pairwise(headings))


def test_every_claim_and_artifact_is_there_even_if_nothing_is_made(products):
    found = read(products)
    assert {f"claim-{name}" for name in ledger()["claim"]} <= found.ids
    assert {f"thesis-{name}" for name in artifact.names("thesis")} <= found.ids
    said = found.said()
    for name in artifact.names("thesis"):
        kind, suffix = ("figures", "pdf") if name.startswith("F") else ("tables", "tex")
        assert f"snakemake --cores 2 {kind}/toy/thesis/{name}.{suffix}" in said
    assert all(" ".join(caption.split()) in said for caption in published.rows("artifacts")["caption_short"])


def test_a_second_verdict_stands_beside_the_first(products):
    words = "without flagged data sets: inconclusive (10)"
    assert words not in read(products).said()
    second = {"verdict_without_flagged": "inconclusive", "data_sets_without_flagged": 10}
    ledger(**second).to_csv(products / "tables/toy/ledger.csv", index=False)
    assert read(products).said().count(words) == len(ledger())


def test_without_a_ledger_the_page_says_how_to_make_it(tmp_path):
    assert "snakemake --cores 2 tables/toy/ledger.csv" in read(tmp_path).said()


def test_a_claim_shows_what_the_ledger_holds(products):
    said = read(products).said()
    for words in (
        "gp-r has the lowest rank",
        "0.5 ranks [0.25, 1]",
        "0.75 own data sets",
        "0.62",
        "12 \N{MULTIPLICATION SIGN} 2 to 3",
        "95 % interval. 1.5 core-hours.",
        "snakemake --cores 64 toy_overfitting",
        "4 parts: 4 reproduced",
        "4 primary and secondary claims, counted below; 0 more are exploratory or our own.",
        "reproduced 1 inconclusive 2 not run 1",
    ):
        assert words in said


def test_a_long_table_is_folded(make_product, products):
    datasets = {name: name for name in list(PRINTED["holdout"]["gp"])[:40]}
    make_product("TB_1", rows(as_printed, datasets, repetitions=(0,), iterations=(6,)), datasets=datasets)
    assert "80 rows" in read(products).said()


def test_what_stands_in_the_products_is_text_and_never_markup(make_product, products, printed_rows):
    bold = len(read(products).all("b"))
    methods = (*METHODS, EVIL)
    make_product("T3_1", pd.concat([printed_rows, rows(lambda *_: 0.1, methods=[EVIL])]), methods=methods)
    words = ("claim", "part", "place", "text", "verdict", "part_verdict", "unit", "published", "command", "note")
    ledger(**dict.fromkeys(words, EVIL)).to_csv(products / "tables/toy/ledger.csv", index=False)
    found = read(products)
    assert f"claim-{EVIL}" in found.ids
    assert found.said().count(EVIL) > len(words)
    assert len(found.all("b")) == bold


def test_the_same_products_give_the_same_page(make_product, products, printed_rows):
    make_product("T3_1", printed_rows)
    first = page.write("toy", products).read_bytes()
    shutil.rmtree(products / "report")
    assert page.write("toy", products).read_bytes() == first


@pytest.mark.parametrize(
    ("value", "text"),
    [("-0.12345", "\N{MINUS SIGN}0.123"), (36.0, "36"), ("15.5 / 15.7", "15.5 / 15.7"), (float("nan"), ""), ("", "")],
)
def test_numbers_have_three_digits_and_texts_stay(value, text):
    assert page.number(value) == text


@pytest.mark.slow
def test_the_page_of_all_data_sets_is_below_three_megabytes(products, given):
    datasets = {name: name for name in PRINTED["holdout"]["gp"]}
    everything = given(rows(as_printed, datasets, repetitions=(0,)), datasets=datasets)
    for name in ("F3_3", "FT3_1", "T3_2", "TB_1", "TB_2"):
        artifact.make(name, document="thesis", studies={"overfitting": everything}, products_dir=products)
    path = page.write("toy", products)
    Reader(path.read_text(encoding="utf-8"))
    assert path.stat().st_size < 1_500_000  # the other documents need room too

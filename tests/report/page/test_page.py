"""The page of a scale: whole, self-contained, honest about what is not there, and safe whatever it is made of."""

import re
import shutil
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from markupsafe import escape
from page_reader import Reader, ledger, read
from score_rows import METHODS, PRINTED, as_printed, rows

from bayes_hpo.documents import catalog, published
from bayes_hpo.report import artifact
from bayes_hpo.report.page import citation, page
from bayes_hpo.report.page.origin import Origin, Recipe

EVIL = "<b>&\"'</b>"


def test_the_page_needs_nothing_else(make_product, products, printed_rows, png):
    make_product("T3_1", printed_rows)
    text = page.write("toy", products).read_text(encoding="utf-8")
    links = [f'<a href="{escape(link.address)}">' for link in citation.documents()]  # nothing is loaded from them
    assert all(text.count(link) == 1 for link in links)
    assert "://" not in re.sub("|".join(map(re.escape, links)), "", text)
    assert "@import" not in text
    assert "url(" not in text
    found = Reader(text)
    assert not {"script", "link", "iframe", "object", "base"} & {tag for tag, _ in found.tags}
    assert all(attributes["src"].startswith("data:image/webp;base64,") for attributes in found.all("img"))
    assert "src" not in {name for tag, attributes in found.tags for name in attributes if tag != "img"}
    assert "href" not in {name for tag, attributes in found.tags for name in attributes if tag != "a"}
    assert {address[1:] for address in found.addresses() if address.startswith("#")} <= found.ids


def test_a_link_to_a_file_resolves(make_product, products, printed_rows, png):
    make_product("T3_1", printed_rows)
    (products / "tables/toy/ledger.tex").touch()
    png.with_suffix(".pdf").touch()
    text = (
        "".join(path.read_text(encoding="utf-8") for path in Path("docs").glob("*.md")) + Path("README.md").read_text()
    )
    headings = {line.strip("# ").lower().replace(" ", "-") for line in text.splitlines() if line.startswith("#")}
    cited = {link.address for link in citation.documents()}  # the only ones that are not of the checkout
    others = [address for address in read(products).addresses() if address not in cited]
    files = [address.partition("#") for address in others if not address.startswith("#")]
    assert all((products / "report/toy" / file).is_file() for file, _, _ in files)
    assert {section for _, _, section in files if section} <= headings
    names = {Path(file).name for file, _, _ in files}
    assert {"T3_1.csv", "T3_1.tex", "F3_3.pdf", "F3_3.png", "ledger.csv", "statistics.md", "decisions.md"} <= names


def test_the_contents_name_every_artifact(products):
    found = read(products)
    anchors = {f"#{name}-{one}" for name in catalog.documents() for one in artifact.names(name)}
    assert len(anchors) > 100
    assert anchors <= set(found.addresses())
    assert {address[1:] for address in anchors} <= found.ids


def test_what_was_not_run_is_folded_and_the_primary_claims_stand_first(products):
    frame = ledger()
    frame.loc[frame["claim"] == "T3.4-equal", "tier"] = "primary"
    frame.loc[frame["claim"] == "T3.2-all", "verdict"] = "not reproduced"
    frame.to_csv(products / "tables/toy/ledger.csv", index=False)
    text = page.write("toy", products).read_text(encoding="utf-8")
    order = re.findall('id="claim-([^"]*)"', text)
    assert order == ["T3.4-equal", "T3.2-all", "T3.1-best", "TB-none"]
    assert {name for name in order if f"claim-{name}" in Reader(text).folded} == {"TB-none"}


def test_a_primary_claim_that_was_not_run_is_named_before_the_fold(products):
    ledger(tier="primary").to_csv(products / "tables/toy/ledger.csv", index=False)
    assert "#claim-TB-none" in read(products).addresses()


def test_a_page_without_evidence_opens_with_its_figures_and_leads_to_the_verdicts(products):
    def sections(found):
        return [value for _, attributes in found.tags for name, value in attributes.items() if name == "id"]

    toy, small = sections(read(products)), sections(read(products, "small"))
    assert toy.index("thesis-F3_3") < toy.index("ledger")
    assert small.index("ledger") < small.index("thesis-F3_3")
    names = [address for address in read(products).addresses() if address.endswith("tables/small/ledger.csv")]
    assert names
    assert "../small/index.html" in read(products).addresses()  # which is there by now


def test_the_page_says_what_it_was_made_by_and_how_to_make_what_it_lacks(products):
    said = read(products).said()
    assert "Made by revision" not in said
    recipe = Recipe(("first command", "second command"), 12.34, (("overfitting118", ("archive",)),))
    known = {"F3_3": recipe, "T3_1": Recipe(("third command",)), "T3_2": Recipe(("fourth",), 0.01)}
    origin = Origin("abc1234", "2026-01-31", "released", lambda document, name: known.get(name))
    said = read(products, origin=origin).said()
    assert "Made by revision abc1234 of 2026-01-31, from the scores in released/." in said
    assert "about 12.3 core-hours; data of suite overfitting118 (archive)" in said
    assert "less than 0.1 core-hours" in said
    assert all(command in said for one in known.values() for command in one.commands)
    assert "A claim's command runs what released/ lacks" in said
    assert "No study makes it at scale toy." in said
    assert "No study makes it at scale toy. Its searches take some 280 hours of a GPU" in said


def test_it_can_be_read_without_eyes(make_product, products, printed_rows, png):
    make_product("TB_1", printed_rows)
    found = read(products)
    assert found.all("html") == [{"lang": "en"}]
    assert all("scope" in attributes for attributes in found.all("th"))
    assert all(image["alt"] and image["width"] and image["height"] for image in found.all("img"))
    assert all(box.keys() >= {"tabindex", "aria-label"} for box in found.all("div") if box.get("class") == "figure")
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


def test_the_power_of_what_is_run_so_far_stands_beside_that_of_the_scale(products):
    assert "so far)" not in read(products).said()
    ledger(power_so_far=0.125).to_csv(products / "tables/toy/ledger.csv", index=False)
    assert "0.62 (0.12 so far), 0.75" in read(products).said()


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


def test_a_claim_without_a_command_has_no_empty_box(products):
    frame = ledger(command="")
    frame.to_csv(products / "tables/toy/ledger.csv", index=False)
    found = read(products)
    commands = sum(box.get("class") == "command" for box in found.all("code"))
    assert commands == len(re.findall("(?:python -m|snakemake) ", found.said()))


def test_a_long_table_is_folded(make_product, products):
    datasets = {name: name for name in list(PRINTED["holdout"]["gp"])[:40]}
    make_product("TB_1", rows(as_printed, datasets, repetitions=(0,), iterations=(6,)), datasets=datasets)
    assert "80 rows" in read(products).said()


def test_what_stands_in_the_products_is_text_and_never_markup(make_product, products, printed_rows):
    bold = len(read(products).all("b"))
    methods = (*METHODS, EVIL)
    make_product("T3_1", pd.concat([printed_rows, rows(lambda *_: 0.1, methods=[EVIL])]), methods=methods)
    words = ("claim", "part", "place", "text", "verdict", "part_verdict", "unit", "command", "note")
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


def test_a_power_of_ten_is_raised_and_nothing_else():
    assert page.powers("around 10^-2.5 & <b>") == "around 10<sup>\N{MINUS SIGN}2.5</sup> &amp; &lt;b&gt;"
    assert page.powers("x^2, 110^3") == "x^2, 110^3"


@pytest.mark.slow
def test_the_page_of_all_data_sets_is_below_three_megabytes(products, given):
    datasets = {name: name for name in PRINTED["holdout"]["gp"]}
    everything = given(rows(as_printed, datasets, repetitions=(0,)), datasets=datasets)
    for name in ("F3_3", "FT3_1", "T3_2", "TB_1", "TB_2"):
        artifact.make(name, document="thesis", studies={"overfitting": everything}, products_dir=products)
    path = page.write("toy", products)
    Reader(path.read_text(encoding="utf-8"))
    assert path.stat().st_size < 1_500_000  # the other documents need room too

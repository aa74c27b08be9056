"""The ledger as the page reads it: grouped, and refused when it is damaged or of another scale."""

from dataclasses import replace

import pytest
from page_reader import ledger as frame

from bayes_hpo.errors import RunError
from bayes_hpo.report.page import ledger, page
from bayes_hpo.report.page.artifacts import UNKNOWN


def test_claims_are_grouped_by_document_and_chapter():
    table = frame()
    table.loc[1, ["document", "place"]] = "uai2016", "table 2"
    claims = [ledger.Claim(row, []) for row in table.to_dict("records")]
    assert [(name, len(members)) for name, members in ledger.groups(claims)] == [
        (("thesis", "3"), len(table) - 1),
        (("uai2016", ""), 1),
    ]


def test_only_claims_that_count_in_headlines_are_counted():
    table = frame()
    table.loc[table["verdict"] == "not run", "tier"] = "exploratory"
    claims = [ledger.Claim(row, []) for row in table.drop_duplicates("claim").to_dict("records")]
    assert ledger.counts(claims) == [("reproduced", 1), ("inconclusive", 2), ("not run", 0)]


def test_identities_and_interim_claims_that_count_are_named_apart():
    rows = frame().drop_duplicates("claim").assign(kind="direction", interim="False").to_dict("records")
    assert ledger.notes([ledger.Claim(row, []) for row in rows]) == ""
    rows[0] |= {"kind": "identity"}
    rows[1] |= {"interim": "True"}
    rows[2] |= {"kind": "identity", "tier": "ours"}
    assert "Of these 1 are identities" in ledger.notes([ledger.Claim(row, []) for row in rows])
    assert "1 are interim" in ledger.notes([ledger.Claim(row, []) for row in rows])


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole[:30],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole.replace(b"part_verdict", b"verdikt"),
        lambda whole: whole.replace(b"toy", b"small"),
        lambda whole: whole.replace(b"0.625", b"half"),
        lambda whole: b"\x89PNG\r\n\x1a\n\xff\xfe",
        lambda whole: b"",
    ],
)
def test_a_broken_ledger_is_one_sentence_and_the_old_page_stays(products, change):
    old = page.write("toy", products).read_bytes()
    path = products / "tables/toy/ledger.csv"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(RunError, match=r"ledger\.csv is (not a|a) ledger.*snakemake --cores 2") as raised:
        page.write("toy", products)
    assert "\n" not in str(raised.value)
    assert (products / "report/toy/index.html").read_bytes() == old
    with pytest.raises(RunError, match=r"run: python -m bayes_hpo\.stages\.statistics scale=toy scores=released"):
        page.write("toy", products, replace(UNKNOWN, released="released"))

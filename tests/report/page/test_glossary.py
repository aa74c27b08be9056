"""Every method that a study compares is decoded, on the page and in docs/methods.md."""

from bayes_hpo.configuration.options import options
from bayes_hpo.report.page.glossary import glossary
from benchmarks.glossary import PAGE, table


def test_every_method_has_a_sentence_and_a_place():
    rows = glossary()
    assert len(rows) == len(options("method"))
    assert all(all(row) for row in rows)


def test_the_documentation_holds_the_glossary():
    assert table() in PAGE.read_text(encoding="utf-8")

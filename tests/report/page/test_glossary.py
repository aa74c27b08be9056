"""Every method that a study compares is decoded, on the page and in docs/methods.md."""

from itertools import product

from bayes_hpo.configuration.options import options
from bayes_hpo.report.page.glossary import glossary
from benchmarks.glossary import PAGE, table


def test_every_method_has_a_sentence_and_a_place():
    rows = glossary()
    assert len(rows) == len(options("method"))
    assert all(all(row) for row in rows)


def test_methods_that_documents_call_the_same_are_of_different_studies():
    seen = set()
    for label, *_, studies in glossary():
        pairs = set(product(label.split(", "), studies.split(", ")))
        assert {study for _, study in pairs} <= set(options("study"))
        assert not pairs & seen
        seen |= pairs


def test_the_documentation_holds_the_glossary():
    assert table() in PAGE.read_text(encoding="utf-8")

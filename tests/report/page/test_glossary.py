"""Every method that a study compares is decoded, on the page and in docs/methods.md."""

from itertools import product

import pytest

from bayes_hpo.configuration.options import options
from bayes_hpo.errors import UserError
from bayes_hpo.report.page import glossary as glossary_module
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


def test_a_study_that_names_an_unknown_method_is_one_sentence(monkeypatch):
    monkeypatch.setattr(glossary_module, "written", lambda group, name: {"methods": ["esmbo_norml"]})
    with pytest.raises(UserError, match=r"study \w+: unknown method=esmbo_norml \(did you mean esmbo"):
        glossary.__wrapped__()


def test_the_documentation_holds_the_glossary():
    assert table() in PAGE.read_text(encoding="utf-8")

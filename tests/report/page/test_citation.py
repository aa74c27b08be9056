"""What the page and the README say of citing is what CITATION.cff says."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from page_reader import read

from bayes_hpo.documents import catalog
from bayes_hpo.errors import RunError
from bayes_hpo.report.page import citation


def bibtex() -> str:
    """The BibTeX entry of the repository."""
    facts = citation.citation()
    authors = " and ".join("{" + row["name"] + "}" for row in facts["authors"])
    fields = {"title": "{" + facts["title"] + "}", "author": authors, "year": str(facts["date-released"])[:4]}
    fields |= {"version": facts["version"], "note": "revision: the commit that was used"}
    lines = [f"  {key:7} = {{{value}}}," for key, value in fields.items()]
    return "\n".join(["@software{bayes-hpo,", *lines, "}"])


def test_every_document_is_cited_by_its_doi_or_the_address_that_it_has():
    cited = citation.documents()
    assert len(cited) == len({link.address for link in cited}) == len(catalog.documents())
    text = citation.FILE.read_text(encoding="utf-8")
    assert all(link.address.removeprefix(citation.RESOLVER) in text for link in cited)
    without = [link for link in cited if not link.address.startswith(citation.RESOLVER)]
    assert [re.search(r"\d{4}", link.text)[0] for link in without] == ["2018", "2014"]  # thesis, UAI 2014: no DOI


def test_the_page_links_the_file_and_every_document(products):
    links = set(read(products).addresses())
    assert {link.address for link in citation.documents()} <= links
    assert any(link.endswith(f"/{citation.NAME}") for link in links)


def test_the_entry_of_the_readme_is_that_of_the_file():
    text = Path("README.md").read_text(encoding="utf-8")
    assert f"```bibtex\n{bibtex()}\n```" in text
    facts = citation.citation()
    assert all(name["name"] in bibtex() for name in facts["authors"])
    assert facts["title"] in bibtex()
    assert f"{{{facts['version']}}}" in bibtex()
    assert f"year    = {{{facts['date-released']:%Y}}}" in bibtex()
    assert facts["version"] == version("bayes-hpo")


def test_a_damaged_file_is_one_sentence(tmp_path, monkeypatch):
    path = tmp_path / citation.NAME
    path.write_text("[")
    monkeypatch.setattr(citation, "FILE", path)
    citation.citation.cache_clear()
    with pytest.raises(RunError, match=r"cannot be read .*restore it"):
        citation.citation()
    citation.citation.cache_clear()

"""The page of a scale: its ledger and all its artifacts in one self-contained HTML file."""

import re
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from bayes_hpo.documents.catalog import document, documents
from bayes_hpo.documents.names import NO_EVIDENCE
from bayes_hpo.errors import RunError
from bayes_hpo.report.caption import stage_command
from bayes_hpo.report.page import artifacts, citation, ledger, rows
from bayes_hpo.report.page.glossary import COLUMNS, glossary
from bayes_hpo.report.page.links import Link, beside
from bayes_hpo.report.page.origin import Origin
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import ledger_file, page_file

POWER = re.compile(r"\b10\^(-?\d+(?:\.\d+)?)")
LEDGER = {"CSV": ".csv", "TeX": ".tex"}
DECISIVE = "small"  # scale whose ledger is in every checkout
FOLD = 30  # most rows of a table that is shown unfolded
MAY_CONCLUDE = {
    "toy": "Nothing: it is for tests.",
    "smoke": "Nothing: it shows that every method and artifact works.",
    "pilot": "What a campaign will cost, and a first look: fewer than ten data sets decide nothing across data sets.",
    "small": "The claims, as far as they concern small data sets: the verdicts hold for those data sets.",
    "paper": "All claims: the documents' full grid and settings.",
}


def make(scale: str, products_dir: str | Path, origin: Origin) -> list[str]:
    """Write the page and print its path; return a sentence (list) if that fails."""
    try:
        print(write(scale, products_dir, origin))
    except RunError as problem:
        return [str(problem)]
    return []


def write(scale: str, products_dir: str | Path, origin: Origin = artifacts.UNKNOWN) -> Path:
    """Write the page from the ledger and the products in `products_dir`, and return its path.

    Artifacts that are missing are listed with the commands that make them.
    Raises: RunError when the ledger or a product is damaged.
    """
    path = Path(page_file(scale, products_dir))
    text = render(scale, products_dir, origin)
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


def render(scale: str, products_dir: str | Path, origin: Origin = artifacts.UNKNOWN) -> str:
    """The HTML text of the page."""
    file = ledger_file(scale, products_dir)
    command = _ledger_command(scale, origin.released)
    claims = ledger.claims(Path(file), scale, command)
    shown = artifacts.documents(scale, products_dir, origin)
    page = page_file(scale, products_dir)
    anchors = {item.anchor for part in shown for _, items in part.chapters for item in items}
    titles = {name: (document(name)["title"], document(name)["about"]) for name in documents()}
    return _template().render(
        scale=scale,
        origin=origin,
        is_evidence=scale not in NO_EVIDENCE,
        elsewhere=_elsewhere(page, products_dir),
        citation_file=beside(page, citation.NAME),
        cited=citation.documents(),
        statistics=beside(page, "docs/statistics.md"),
        data=beside(page, "docs/data.md"),
        may_conclude=MAY_CONCLUDE.get(
            scale, "What its data sets and repetitions allow; every verdict shows its power."
        ),
        claims=claims,
        counts=ledger.counts(claims or []),
        notes=ledger.notes(claims or []),
        arranged=ledger.arranged(claims or []),
        ledger_files=[Link(text, beside(page, Path(file).with_suffix(end))) for text, end in LEDGER.items()],
        ledger_command=command,
        place=lambda claim: artifacts.anchored(claim.row["place"], claim.row["document"], anchors),
        documents=shown,
        methods={"columns": COLUMNS, "rows": glossary()},
        titles=titles | {"ours": ("Claims of our own", "")},
        head=rows.head,
        body=rows.body,
        fold=FOLD,
    )


def _elsewhere(page, products_dir):
    """Links from a page without evidence to the verdicts of the decisive scale: page (if it exists), ledger, README."""
    other = Path(page_file(DECISIVE, products_dir))
    pages = [Link(f"the page of scale {DECISIVE}", beside(page, other))] if other.is_file() else []
    return [
        *pages,
        Link(f"the ledger of scale {DECISIVE}", beside(page, ledger_file(DECISIVE))),
        Link("its summary in the README", beside(page, "README.md#what-holds-so-far")),
    ]


def _ledger_command(scale, released):
    """The command that makes the ledger of a scale, from released scores if given."""
    if released:
        return stage_command("statistics", scale=scale, scores=released)
    return f"snakemake --cores 2 {ledger_file(scale)}"


def number(value: float | str) -> str:
    """A number, or a text that is one, with three digits and a true minus sign; other texts unchanged, "" for NaN."""
    try:
        digits = f"{float(value):.3g}"
    except ValueError:
        return str(value)
    return "" if digits == "nan" else digits.replace("-", "\u2212")


def powers(text: str) -> Markup:
    """The escaped text, with the exponents of powers of ten such as 10^-2.5 raised."""
    return Markup(POWER.sub(lambda found: f"10<sup>{number(found[1])}</sup>", str(escape(text))))


def chapter(name: str) -> str:
    """The name of a chapter or appendix."""
    return "" if not name else f"chapter {name}" if name.isdigit() else f"appendix {name}"


@cache
def _template():
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, powers=powers, chapter=chapter)
    return environment.get_template("page.html.j2")

"""The artifacts on the page, in the order of the documents: made, not made yet, and not built by this package."""

import re
from dataclasses import dataclass
from pathlib import Path

from bayes_hpo.documents import catalog, published
from bayes_hpo.report import artifact
from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.page.links import Link, beside
from bayes_hpo.report.page.origin import Origin, Recipe
from bayes_hpo.report.page.picture import picture
from bayes_hpo.storage.layout import page_file, product_file

KINDS = {"F": "Figure", "T": "Table", "A": "Algorithm"}
FILES = {
    ".pdf": {"PDF": ".pdf", "PNG": ".png"},
    ".tex": {"CSV": ".csv", "TeX": ".tex"},
}  # suffix of the first file -> linked files
UNKNOWN = Origin()
CHAPTER = re.compile(r"[FTA]+([A-Z\d]+)_")
MENTION = re.compile(r"\b(fig|table)[a-z]*\.? ([A-Z]?\.?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Item:
    """One artifact that this package makes.

    document, name, title: of the artifact.
    recipe: how to make it; None if it is made, or if no study makes it at this scale.
    elsewhere: text of the page in the latter case.
    entry: its PageEntry, None if it has not been made.
    picture: that of a figure (`picture`).
    links: to its files and to the decisions behind it.
    """

    document: str
    name: str
    title: str
    recipe: Recipe | None
    elsewhere: str
    entry: PageEntry | None
    picture: dict | None
    links: list[Link]

    @property
    def anchor(self) -> str:
        return f"{self.document}-{self.name}"

    @property
    def label(self) -> str:
        """Its kind and number, as in the table of contents."""
        return self.title.partition(":")[0]

    @property
    def chapter(self) -> str:
        """Its chapter or appendix; empty if the document's numbers do not contain it."""
        return chapter(self.name)


@dataclass(frozen=True)
class Document:
    """The artifacts of one document.

    chapters: pairs (chapter, list of Item).
    unbuilt: titles of the artifacts that this package does not make.
    """

    name: str
    chapters: list[tuple[str, list[Item]]]
    unbuilt: list[str]


def chapter(name: str) -> str:
    """Chapter or appendix of an artifact, from its name; empty if the document's numbers do not contain it."""
    match = CHAPTER.match(name)
    return match[1] if match else ""


def documents(scale: str, products_dir: str | Path, origin: Origin = UNKNOWN) -> list[Document]:
    """Every document with its artifacts (list of Document), in the order of published/artifacts.csv.

    An artifact of ours, such as FT3_1, follows the listed one that its name ends with, or else comes last.
    Raises: RunError when a product is damaged.
    """
    listed = published.rows("artifacts")
    where = scale, products_dir, origin
    return [_document(name, rows, where) for name, rows in listed.groupby("document", sort=False)]


def anchored(text: str, document: str, known: set[str]) -> list[tuple[str, str]]:
    """The text in pieces (text, anchor); a piece that names a table or figure in `known` (anchors) has its anchor."""
    pieces, end = [], 0
    for match in MENTION.finditer(text):
        anchor = f"{document}-{match[1][0].upper()}{match[2].replace('.', '_')}"
        if anchor in known:
            pieces += [(text[end : match.start()], ""), (match[0], anchor)]
            end = match.end()
    return [*pieces, (text[end:], "")]


def _document(document, rows, where):
    """The Document of the listed rows. where: (scale, folder of products, Origin)."""
    captions = dict(zip(rows["id"], rows["caption_short"], strict=True))
    titles = {id_.replace(".", "_"): f"{KINDS[id_[0]]} {id_[1:]}: {text}" for id_, text in captions.items()}
    built = artifact.names(document)
    ours = [name for name in built if name not in titles]
    in_print = [name for listed in titles for name in (listed, *(extra for extra in ours if extra.endswith(listed)))]
    order, chapters = list(dict.fromkeys(in_print + ours)), {}
    for name in order:
        if name in built:
            item = _item(artifact.find(name, document), titles.get(name), *where)
            chapters.setdefault(item.chapter, []).append(item)
    return Document(document, list(chapters.items()), [titles[name] for name in order if name not in built])


def _item(artifact, title, scale, products_dir, origin):
    """The Item of an Artifact. title: as listed, None if it is not listed."""
    first = Path(product_file(scale, artifact.document, artifact.name, products_dir))
    is_made = first.with_suffix(".json").is_file()
    entry = PageEntry.load(first.with_suffix(".json")) if is_made else None
    return Item(
        document=artifact.document,
        name=artifact.name,
        title=entry.title if entry else title or artifact.title,
        recipe=None if is_made else _recipe(artifact, scale, origin),
        elsewhere=artifact.elsewhere,
        entry=entry,
        picture=picture(first.with_suffix(".png"), entry.drawn) if entry and first.suffix == ".pdf" else None,
        links=_links(artifact, first if is_made else None, page_file(scale, products_dir)),
    )


def _links(artifact, first, page):
    """Links from the page to the files of an artifact, and to the decisions of its chapter.

    first: its first file, None if it is not made.
    """
    files = {text: first.with_suffix(suffix) for text, suffix in FILES[first.suffix].items()} if first else {}
    section = catalog.document(artifact.document)["decisions"].get(chapter(artifact.name))
    decisions = [Link("decisions", beside(page, f"docs/decisions.md#{section}"))] if section else []
    return [*(Link(text, beside(page, path)) for text, path in files.items()), *decisions]


def _recipe(artifact, scale, origin):
    """The Recipe of an Artifact from the origin, or else the command that makes it from the user's own runs."""
    if origin.recipe:
        return origin.recipe(artifact.document, artifact.name)
    return Recipe((f"snakemake --cores 2 {product_file(scale, artifact.document, artifact.name)}",))

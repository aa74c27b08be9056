"""The artifacts of the documents as the page shows them, in the documents' order: made, not made yet, not built yet."""

import base64
import io
import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from bayes_hpo.documents import published
from bayes_hpo.errors import RunError
from bayes_hpo.report import artifact
from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.storage.layout import product_file

KINDS = {"F": "Figure", "T": "Table", "A": "Algorithm"}
SHOWN = 0.6  # pixels on the page for one of the file
LEAST = 0.42  # the same on a narrow screen, where the rest is scrolled
COLOURS = 128  # of an embedded picture: lines and letters lose nothing, and it is a third as large
CHAPTER = re.compile(r"[FTA]+([A-Z\d]+)_")
MENTION = re.compile(r"\b(fig|table)[a-z]*\.? ([A-Z]?\.?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Item:
    """One artifact that this package makes.

    document, name, title: of the artifact.
    command: that makes it.
    entry: what the page shows of it, None when it has not been made.
    picture: of a figure (`picture`).
    """

    document: str
    name: str
    title: str
    command: str
    entry: PageEntry | None
    picture: dict | None

    @property
    def anchor(self) -> str:
        return f"{self.document}-{self.name}"

    @property
    def chapter(self) -> str:
        """Chapter or appendix that it stands in; empty where the document's numbers do not say."""
        match = CHAPTER.match(self.name)
        return match[1] if match else ""


@dataclass(frozen=True)
class Document:
    """The artifacts of one document.

    chapters: pairs (chapter, list of Item).
    unbuilt: titles of the artifacts that this package does not make.
    """

    name: str
    chapters: list[tuple[str, list[Item]]]
    unbuilt: list[str]


def documents(scale: str, products_dir: str | Path) -> list[Document]:
    """Every document with its artifacts (list of Document), those that published/artifacts.csv lists in its order.

    One of ours, such as FT3_1, stands behind the listed one that its name ends with, or else at the end.
    Raises: RunError when a product is damaged.
    """
    listed = published.rows("artifacts")
    return [_document(name, rows, scale, products_dir) for name, rows in listed.groupby("document", sort=False)]


def anchored(text: str, document: str, known: set[str]) -> list[tuple[str, str]]:
    """The text in pieces (text, anchor); one that names a table or figure of `known` (anchors) carries its anchor."""
    pieces, end = [], 0
    for match in MENTION.finditer(text):
        anchor = f"{document}-{match[1][0].upper()}{match[2].replace('.', '_')}"
        if anchor in known:
            pieces += [(text[end : match.start()], ""), (match[0], anchor)]
            end = match.end()
    return [*pieces, (text[end:], "")]


def picture(path: Path, drawn: float = 1.0) -> dict:
    """A PNG file for an img element: dict of src (data: address), width, height and least_width in pixels on the page.

    drawn: share of its height, from above, that is shown. Raises: RunError.
    """
    data = io.BytesIO()
    try:
        with Image.open(path) as image:
            shown = image.convert("RGB").crop((0, 0, image.width, round(image.height * drawn)))
    except (OSError, ValueError, SyntaxError) as problem:  # SyntaxError is what Pillow raises for a wrong checksum
        raise RunError(
            f"{path} is not a complete picture ({problem}); delete it and make its artifact again"
        ) from problem
    shown.quantize(COLOURS, dither=Image.Dither.NONE).save(data, "PNG")
    address = f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"
    size = {"width": SHOWN * shown.width, "height": SHOWN * shown.height, "least_width": LEAST * shown.width}
    return {"src": address, **{name: round(pixels) for name, pixels in size.items()}}


def _document(document, rows, scale, products_dir):
    captions = dict(zip(rows["id"], rows["caption_short"], strict=True))
    titles = {id_.replace(".", "_"): f"{KINDS[id_[0]]} {id_[1:]}: {text}" for id_, text in captions.items()}
    built = artifact.names(document)
    ours = [name for name in built if name not in titles]
    beside = [name for listed in titles for name in (listed, *(extra for extra in ours if extra.endswith(listed)))]
    order, chapters = list(dict.fromkeys(beside + ours)), {}
    for name in order:
        if name in built:
            item = _item(artifact.find(name, document), titles.get(name), scale, products_dir)
            chapters.setdefault(item.chapter, []).append(item)
    return Document(document, list(chapters.items()), [titles[name] for name in order if name not in built])


def _item(artifact, title, scale, products_dir):
    """The Item of an Artifact; title: as listed, None for one that is not listed."""
    first = Path(product_file(scale, artifact.document, artifact.name, products_dir))
    entry = PageEntry.load(first.with_suffix(".json")) if first.with_suffix(".json").is_file() else None
    return Item(
        document=artifact.document,
        name=artifact.name,
        title=entry.title if entry else title or artifact.title,
        command=f"snakemake --cores 2 {product_file(scale, artifact.document, artifact.name)}",
        entry=entry,
        picture=picture(first.with_suffix(".png"), entry.drawn) if entry and first.suffix == ".pdf" else None,
    )

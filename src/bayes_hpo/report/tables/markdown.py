"""Markdown tables, and places in pages, each between two comments, in which they are put."""

import re
from pathlib import Path

import pandas as pd

from bayes_hpo.errors import RunError
from bayes_hpo.storage.files import atomic


def markdown(corner: str, cells: pd.DataFrame) -> str:
    """Lines of a table of texts, aligned right. corner: header of the row labels, which are aligned left."""
    rows = [[corner, *cells.columns], [":--"] + ["--:"] * cells.shape[1]]
    rows += [[str(label), *row] for label, row in zip(cells.index, cells.to_numpy(), strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def has_place(name: str, page: Path) -> bool:
    """Whether the page exists and contains <!-- name -->."""
    return page.is_file() and f"<!-- {name} -->" in page.read_text(encoding="utf-8")


def put(name: str, text: str, page: Path) -> None:
    """Replace the text of the page between <!-- name --> and the next <!-- end -->.

    Raises: RunError when the page has no such place.
    """
    if not has_place(name, page):
        raise RunError(f"{page} has no <!-- {name} --> ... <!-- end -->; restore it with: git checkout -- {page}")
    old = page.read_text(encoding="utf-8")
    new = re.sub(
        f"(<!-- {name} -->\n).*?(<!-- end -->)", lambda match: f"{match[1]}{text}\n{match[2]}", old, flags=re.DOTALL
    )
    if new != old:
        with atomic(page) as temporary:
            temporary.write_text(new, encoding="utf-8")

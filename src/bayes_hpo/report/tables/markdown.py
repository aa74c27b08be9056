"""Tables in Markdown pages, each between two comments that name its place."""

import re

from bayes_hpo.errors import Fault
from bayes_hpo.storage.files import atomic


def markdown(corner, cells):
    """Lines of a table of texts (frame), which are set right; corner: what stands above its labels, set left."""
    rows = [[corner, *cells.columns], [":--"] + ["--:"] * cells.shape[1]]
    rows += [[str(label), *row] for label, row in zip(cells.index, cells.to_numpy(), strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def has_place(name, page):
    """Whether the page (Path) is there and has <!-- name -->."""
    return page.is_file() and f"<!-- {name} -->" in page.read_text(encoding="utf-8")


def put(name, text, page):
    """Put the text into the page (Path), in place of what stands between <!-- name --> and the next <!-- end -->.

    Raises: Fault when the page has no such place.
    """
    if not has_place(name, page):
        raise Fault(f"{page} has no <!-- {name} --> ... <!-- end -->; restore it with: git checkout -- {page}")
    old = page.read_text(encoding="utf-8")
    new = re.sub(
        f"(<!-- {name} -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}{text}\n{found[2]}", old, flags=re.DOTALL
    )
    if new != old:
        with atomic(page) as part:
            part.write_text(new, encoding="utf-8")

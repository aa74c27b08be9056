"""Tables in README.md, each between two comments that name it."""

import re
from pathlib import Path

from bayes_hpo.errors import Fault
from bayes_hpo.files import atomic

PAGE = Path(__file__).with_name("README.md")


def markdown(corner, cells):
    """Lines of a table: cells, a frame of texts, labels left, numbers right; corner: what stands above the labels."""
    rows = [[corner, *cells.columns], [":--"] + ["--:"] * cells.shape[1]]
    rows += [[str(label), *row] for label, row in zip(cells.index, cells.to_numpy(), strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def put(name, text, page=PAGE):
    """Put the text into the page, in place of what stands between <!-- name --> and the next <!-- end -->.

    Raises: Fault when the page has no such place.
    """
    old = page.read_text(encoding="utf-8")
    if f"<!-- {name} -->" not in old:
        raise Fault(f"{page} has no <!-- {name} --> ... <!-- end -->; restore it with: git checkout -- {page}")
    new = re.sub(
        f"(<!-- {name} -->\n).*?(\n<!-- end -->)", lambda found: found[1] + text + found[2], old, flags=re.DOTALL
    )
    with atomic(page) as part:
        part.write_text(new, encoding="utf-8")

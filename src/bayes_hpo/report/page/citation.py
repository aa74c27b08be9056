"""What to cite, according to CITATION.cff: the repository, and each document with its DOI or another address."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

import bayes_hpo
from bayes_hpo.errors import RunError
from bayes_hpo.report.page.links import Link

NAME = "CITATION.cff"
FILE = Path(bayes_hpo.__file__).resolve().parents[2] / NAME
RESOLVER = "https://doi.org/"
DOCUMENT = "document"  # keyword of the references that are documents


@cache
def citation() -> dict[str, Any]:
    """The content of CITATION.cff. Raises: RunError when it cannot be read."""
    try:
        return dict(yaml.safe_load(FILE.read_bytes()))
    except (OSError, ValueError, TypeError, yaml.YAMLError) as problem:
        reason = " ".join(str(problem).split())
        raise RunError(f"{FILE} cannot be read ({reason}); restore it with: git checkout -- {NAME}") from problem


def documents() -> list[Link]:
    """Links to the five documents: authors and year, and address."""
    references = [row for row in citation()["references"] if DOCUMENT in row.get("keywords", ())]
    return [Link(_called(row), f"{RESOLVER}{row['doi']}" if "doi" in row else row["url"]) for row in references]


def _called(row):
    """The authors and the year of a reference, and its DOI if it has one."""
    first, *others = (author["family-names"] for author in row["authors"])
    names = f"{first} et al." if len(others) > 1 else " and ".join([first, *others])
    return f"{names}, {row['year']}" + (f", doi:{row['doi']}" if "doi" in row else "")

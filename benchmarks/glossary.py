"""The methods decoded, for docs/methods.md.

python -m benchmarks.glossary           (seconds)
"""

import argparse
from pathlib import Path

import pandas as pd

from bayes_hpo.report.page.glossary import COLUMNS, glossary
from bayes_hpo.report.tables.markdown import markdown, put

PAGE = Path(__file__).parents[1] / "docs/methods.md"


def main():
    """Put the table into the page."""
    argparse.ArgumentParser(prog="python -m benchmarks.glossary", description=__doc__.splitlines()[0]).parse_args()
    put("methods", table(), PAGE)
    print(table())


def table():
    """The glossary (markdown)."""
    return markdown(COLUMNS[0], pd.DataFrame(glossary(), columns=COLUMNS).set_index(COLUMNS[0]))


if __name__ == "__main__":
    main()

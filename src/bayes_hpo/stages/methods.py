"""Print the methods of all studies, or one of them: the searcher, splits and selector behind each name."""

from bayes_hpo.campaign.revision import enter_package
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.errors import UserError
from bayes_hpo.stages.entry import run

WRAPPED = 3  # last columns, printed on separate lines


def main(cfg: dict) -> None:
    """Print the glossary as a table; below each row what the method does, its place in the document, and its studies.

    Raises: UserError for an unknown name.
    """
    from bayes_hpo.report.page.glossary import COLUMNS, glossary  # imported only after the command is validated

    rows, name = list(glossary()), cfg["name"]
    if name:
        rows = [row for row in rows if _folded(name) in map(_folded, row[0].split(", "))]
    if not rows:
        labels = dict.fromkeys(_folded(label) for row in glossary() for label in row[0].split(", "))
        raise UserError(unknown("method", _folded(name), labels))
    widths = [max(len(row[column]) for row in (COLUMNS, *rows)) for column in range(len(COLUMNS) - WRAPPED)]
    for row in (COLUMNS, *rows):
        *cells, what, where, studies = row
        print("  ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip())
        print(f"    {what} ({where})")
        print(f"    {studies}")


def _folded(name):
    """The name in lower case with hyphens, since documents print some in capitals."""
    return name.lower().replace("_", "-")


if __name__ == "__main__":
    run("methods", main, positional="name", enter=enter_package)

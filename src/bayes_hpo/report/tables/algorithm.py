"""An algorithm of a document as a table: each step in our words, and where the code does it."""

import pandas as pd

from bayes_hpo.report.tables.table import Table

NOTE = "Our words for the document's lines; the code is below bayes_hpo."


def table(steps):
    """The Table of an algorithm.

    steps: list of (line of the document, what it does, the name of the function below bayes_hpo that does it).
    """
    values = pd.DataFrame(steps, columns=["line", "step", "code"])
    return Table(values.astype(str).set_index(["line", "step"]), values, [NOTE])

"""What tables 3.4 and 3.5 share: our first ten repetitions (D19) beside a print whose cells were not published."""

from bayes_hpo.documents import published

REPETITIONS = 10
PRINTED_SETS = 118


def beside_print(given, printed, methods):
    """Keywords of a table: our cells of the first repetitions, the print, and what the face must say of both.

    printed: dict, validation -> the printed values. methods: the table's, in its order.
    """
    ours = given.scores.query("repetition < @REPETITIONS")
    cells = given.cells(ours, published.in_order(methods, given.methods))
    return {
        "cells": cells,
        "theirs": {name: printed[name] for name in cells},
        "label": "print",
        "theirs_sets": dict.fromkeys(cells, PRINTED_SETS),
        "notes": [
            f"print: as printed, over {PRINTED_SETS} data sets and {REPETITIONS} repetitions and not over ours, "
            "because errors per data set were not published.",
            f"Ours: the first {REPETITIONS} repetitions at most.",
        ],
    }

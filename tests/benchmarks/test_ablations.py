"""The table of chapter 5's ablations: differences are of pairs, averages of data sets."""

import numpy as np
import pandas as pd

from benchmarks.ablations import table


def _errors(**columns):
    """Errors (frame) of methods, each with one array (2 data sets, 3 repetitions)."""
    index = pd.MultiIndex.from_product([["car", "titanic"], range(3)], names=["dataset", "repetition"])
    return pd.DataFrame({name: np.ravel(values) for name, values in columns.items()}, index)


def test_differences_are_of_the_same_repetitions_and_errors_of_their_mean():
    then = np.array([[1.0, 5.0, 9.0], [20.0, 30.0, 40.0]])
    moved = np.add(then, [[2.0, 2.0, 2.0], [-1.0, 0.0, 1.0]])
    found = table(
        {
            "conditional": pd.DataFrame(),
            "conditional_dual": _errors(gp_matern=then),
            "conditional_samme": pd.DataFrame(),
            "conditional_lengths": _errors(gp_matern_length_2=moved),
        }
    ).splitlines()
    assert len(found) == 3  # a row for the one pair that is there
    cells = [cell.strip() for cell in found[2].strip("|").split("|")]
    assert cells[1:] == ["2.00 (0.00)", "0.00 (0.58)", "1.00 (0.29)", "6"]

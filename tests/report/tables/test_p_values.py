"""Stars of a table of p: up to .05, the level itself included (thesis, table 4.3; uai2016, tables 3 and 5)."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.report.cells import Cells
from bayes_hpo.report.comparison import Comparison
from bayes_hpo.report.tables import p_values

METHODS = ["RS", "SMAC"]
MEAN = pd.DataFrame([[2.0, 1.0], [4.0, 3.0]], index=["car", "tita"], columns=METHODS)  # percent
NOTHING = MEAN * np.nan


@pytest.mark.parametrize(
    ("p", "star"), [(0.04, "*"), (np.nextafter(0.05, 0), "*"), (0.05, "*"), (np.nextafter(0.05, 1), ""), (0.06, "")]
)
def test_a_star_marks_p_up_to_the_level_itself(monkeypatch, p, star):
    pairs = pd.DataFrame([[np.nan, p], [p, np.nan]], index=METHODS, columns=METHODS)
    monkeypatch.setattr(p_values, "pairwise", lambda *_: pairs)  # no errors have exactly this p
    found = Comparison(Cells("kfold", MEAN, MEAN, pd.Series(2, MEAN.index), NOTHING, NOTHING), scores=None, notes=())
    cells = p_values.p_value_table(found, document="thesis", table="T5_3", theirs="").cells
    assert cells.loc[("(1) RS", "ours"), "2"] == f"({p:.2f}){star}"  # RS is worse
    assert cells.loc[("(2) SMAC", "ours"), "1"] == f"{p:.2f}{star}"

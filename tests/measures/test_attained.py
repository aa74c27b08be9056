"""Whether a choice attains the lowest loss of a search, on pools of which the answer is known."""

from types import SimpleNamespace

import numpy as np
import pytest
from measured import frame

from bayes_hpo.measures.run_statistics import Attained

NAME = "attained"


@pytest.mark.parametrize(
    ("losses", "choices", "attains"),
    [
        ([0.3, 0.1, 0.2], ["svm", "dt", "svm"], 1),
        ([0.3, 0.1, 0.1], ["dt", "svm", "dt"], 1),  # a tree comes second, with the same loss
        ([0.3, 0.1, 0.2], ["dt", "svm", "dt"], 0),
        ([0.2, 0.2, 0.2], ["svm", "svm", "dt"], 1),
    ],
)
def test_a_tie_counts_for_every_choice_that_has_it(losses, choices, attains):
    measure = Attained(methods=["gp_cond_ls"], root="learner", choice="dt")
    history = SimpleNamespace(losses=np.array(losses), configurations=[{"learner": c} for c in choices])
    assert measure.statistics(SimpleNamespace(pool=SimpleNamespace(history=history))) == {"attained_dt": attains}


def test_every_search_of_the_method_has_a_row(searched):
    rows = frame(searched("conditional"), NAME)
    assert set(rows["quantity"]) == {"attained_dt"}
    assert set(rows["value"]) <= {0.0, 1.0}
    assert set(rows["method"]) == {"gp_cond_ls"}

"""When a search stops gaining, on histories whose answer is known."""

from types import SimpleNamespace

import pytest
from measured import frame

from bayes_hpo.measures.run_statistics import Plateau

NAME = "plateau"


@pytest.fixture
def begin(pool_from):
    """Function: how far from the printed number of trials, 0, the plateau of these losses begins."""

    def of(losses, tolerance=0.0, printed=0):
        measure = Plateau(methods=["gp"], tolerance=tolerance, printed=printed)
        return measure.statistics(SimpleNamespace(pool=pool_from(losses)))["plateau_distance"]

    return of


@pytest.mark.parametrize(
    ("losses", "tolerance", "trials"),
    [
        ([0.5, 0.3, 0.4, 0.1, 0.2], 0, 4),
        ([0.5, 0.3, 0.4, 0.1, 0.2], 0.2, 2),
        ([0.2, 0.2, 0.2], 0, 1),
        ([0.3, 0.2, 0.1], 0, 3),
    ],
)
def test_it_begins_with_the_first_trial_within_the_tolerance_of_the_final_incumbent(begin, losses, tolerance, trials):
    assert begin(losses, tolerance) == trials


@pytest.mark.parametrize("printed", [1, 7])
def test_a_plateau_that_begins_earlier_is_as_far_as_one_that_begins_later(begin, printed):
    assert begin([0.5, 0.4, 0.3, 0.1], printed=printed) == 3


def test_every_search_is_measured_from_the_printed_number(searched):
    rows = frame(searched("random_forest"), NAME, printed=40)
    moved = frame(searched("random_forest"), NAME, printed=10)
    assert list(rows["repetition"]) == [0, 1]
    assert set(rows["quantity"]) == {"plateau_distance"}
    assert (rows["value"] - moved["value"]).tolist() == [30, 30]
    assert rows["value"].between(40 - 4, 40 - 1).all()

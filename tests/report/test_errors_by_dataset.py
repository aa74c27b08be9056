"""How far our cells are from the printed ones: z scores of cells that were drawn like the print are standard normal."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.report.cells import Cells
from bayes_hpo.report.errors_by_dataset import rms, z_scores

METHODS = [f"method_{number}" for number in range(10)]
DATASETS = [f"data_{number}" for number in range(300)]


@pytest.fixture
def drawn():
    """Function: cells of so many runs beside a print of 20, both of runs with the same mean and deviation, rounded."""

    def make(repetitions, shift=0.0):
        rng = np.random.default_rng(0)
        shape = len(DATASETS), len(METHODS)
        mean, sd = rng.uniform(1, 40, shape), rng.uniform(0.2, 4, shape)

        def runs(count):
            values = mean + sd * rng.standard_normal((count, *shape))
            return (pd.DataFrame(one, DATASETS, METHODS) for one in (values.mean(axis=0), values.std(axis=0)))

        ours, (theirs, their_sd) = runs(repetitions), runs(20)
        own, own_sd = ours
        numbers = pd.Series(repetitions, DATASETS)
        return Cells("holdout", own + shift, own_sd, numbers, theirs.round(1), their_sd.round(1))

    return make


@pytest.mark.parametrize("repetitions", [10, 20, 60])
def test_cells_of_the_same_runs_have_z_scores_of_unit_size(drawn, repetitions):
    z = z_scores(drawn(repetitions))
    assert abs(z.to_numpy().mean()) < 0.1
    assert rms(z) == pytest.approx(1.05, abs=0.08)  # quotients of Student's kind: a little above 1


def test_a_shift_is_seen_and_has_its_sign(drawn):
    z = z_scores(drawn(20, shift=1.0))
    assert z.to_numpy().mean() > 1
    assert rms(z) > 1.8


def test_equal_runs_have_a_finite_score_by_the_rounding_of_the_print(drawn):
    cells = drawn(20)
    nothing = pd.DataFrame(0.0, DATASETS, METHODS)
    same = Cells("holdout", nothing + 0.05, nothing, cells.repetitions, nothing, nothing)
    assert z_scores(same).to_numpy() == pytest.approx(np.sqrt(3))


def test_one_repetition_has_no_standard_error(drawn):
    assert z_scores(drawn(1)).isna().all(axis=None)

"""The benchmark of supervision: both sides make the same trials of configurations that fit in a moment."""

import numpy as np
import pytest

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.build import build
from bayes_hpo.repetition import Repetition
from benchmarks import supervision

pytestmark = pytest.mark.slow  # it starts processes


def test_both_sides_make_the_same_trials(iris, tmp_path):
    job = Grid.of("divbo", "small").job("holdout", "random")
    evaluation = build(job["evaluation"], "study.evaluation", repetition=Repetition.of(job, iris, 0))
    configurations = supervision.normal(job, evaluation, 2)
    assert len(configurations) == 2
    sides = [
        supervision.measured(how, supervision.Listed(configurations), evaluation, tmp_path / how.__name__)
        for how in (supervision.plain, supervision.limited)
    ]
    for outside, clock, seconds in sides:
        assert clock > 0
        assert outside > 0
        assert seconds.shape == (2,)
    text = supervision.table([sides, sides])
    assert f"inside {np.sum(sides[0][2]):.3f} s" in text
    assert [line.split("inside")[0].strip() for line in text.splitlines()] == ["in this process", "supervised"]

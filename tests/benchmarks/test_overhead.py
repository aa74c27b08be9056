"""The overhead of a search: both sides fit the same models."""

import pytest

from bayes_hpo.campaign.grid import Grid
from benchmarks import overhead

pytestmark = pytest.mark.slow  # it starts processes


def test_a_search_and_its_plain_fits_are_of_the_same_configurations(monkeypatch, iris, tmp_path):
    monkeypatch.setattr(overhead, "TRIALS", 4)
    fitted, made = [], overhead.SVC
    monkeypatch.setattr(overhead, "SVC", lambda **settings: fitted.append(settings) or made(**settings))
    job = Grid.of("overfitting", "small").job("holdout", "random")
    ours, plain = overhead._pair(job, iris, tmp_path, 0)
    assert ours > plain > 0
    assert len({(one["C"], one["gamma"]) for one in fitted}) == 4
    assert {one["max_iter"] for one in fitted} == {job["learner"]["max_iter"]}

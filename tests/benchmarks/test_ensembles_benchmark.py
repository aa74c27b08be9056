"""The benchmark of ensembles measures every act on models as it says."""

import numpy as np

from benchmarks import ensembles


def test_every_act_is_timed_on_models_of_the_stated_errors(monkeypatch):
    for name, value in {"TRIALS": 14, "ROWS": 100, "TURNS": 2}.items():
        monkeypatch.setattr(ensembles, name, value)
    past = ensembles.history(3, 0.5)
    assert len(past) == 14
    for trial in past:
        np.testing.assert_allclose(trial.loss, (trial.predictions != past.truth.y).mean())
    assert 0 < past.losses.min() < past.losses.max() < 0.7
    row = ensembles.measure(past)
    assert len(row) == len(ensembles.LOSSES) + 7
    for both in row.values():
        least, median = map(float, both.split(" / "))
        assert 0 <= least <= median

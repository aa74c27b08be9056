"""The benchmark of DivBO measures every act on models as it says."""

import numpy as np

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from benchmarks import divbo


def test_every_act_is_timed_on_models_of_probabilities(monkeypatch):
    for name, value in {"TRIALS": 7, "ROWS": 60, "TURNS": 1}.items():
        monkeypatch.setattr(divbo, name, value)
    space = build(written("space", "cash"), "space")
    past = divbo.history(space)
    for t in range(7):
        np.testing.assert_allclose(past[t].predictions.sum(axis=1), 1, atol=1e-6)
        np.testing.assert_allclose(past[t].loss, (past[t].predictions.argmax(axis=1) != past.truth.y).mean())
    assert len(np.unique(past.losses)) > 1
    seconds = divbo.measure(space, past)
    assert list(seconds) == ["divbo_bo", "divbo", "es", "es_100", "nes"]
    assert min(seconds.values()) > 0


def test_every_searcher_of_the_space_is_timed_over_a_search(monkeypatch):
    for name, value in {"TRIALS": 13, "ROWS": 60}.items():
        monkeypatch.setattr(divbo, name, value)
    space = build(written("space", "divbo"), "space")
    assert min(divbo.suggesting(name, space) for name in ("rb", "divbo_eo")) > 0

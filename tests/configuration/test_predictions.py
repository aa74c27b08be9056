"""Which searchers read stored predictions is told by their parts, wherever these stand."""

import pytest

from bayes_hpo.configuration.options import options, written
from bayes_hpo.configuration.predictions import named, reads_predictions

READING = {"eo", "esmbo", "nes", "divbo", "divbo_members", "divbo_eo"}
OTHERS = {"random", "grid", "gp", "cma", "smac", "divbo_bo", "kbo", "rb"}


def test_every_target_is_named_at_any_depth():
    node = {"_target_": "a.B", "part": {"list": [{"_target_": "c.D", "n": 1}, 2]}, "word": "_target_"}
    assert list(named(node)) == ["a.B", "c.D"]


@pytest.mark.parametrize("name", sorted((READING | OTHERS) & set(options("searcher"))))
def test_searchers_of_ensembles_read_predictions_and_no_others(name):
    assert reads_predictions(written("searcher", name)) == (name in READING)

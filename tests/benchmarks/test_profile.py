"""The profile of a suggestion: its parts, and how much memory a large one takes."""

import re

import pytest

from benchmarks import profile

pytestmark = pytest.mark.slow  # whole suggestions are timed


def test_the_parts_of_a_suggestion_are_timed(monkeypatch):
    monkeypatch.setattr(profile, "SUGGESTIONS", 2)
    spent = profile.stages("fast", 20, 2)
    assert list(spent) == ["a suggestion", "slice sampling", "posterior", "screening", "refinement"]
    assert min(spent.values()) > 0
    parts = sum(spent.values()) - spent["a suggestion"]
    assert parts == pytest.approx(spent["a suggestion"], rel=0.8)  # milliseconds of a machine that others may use


def test_a_suggestion_from_a_thousand_observations_takes_less_than_two_gibibytes():
    assert float(re.search(r"(\d+) MiB", profile.memory("fast", 1000, 6))[1]) < 2048

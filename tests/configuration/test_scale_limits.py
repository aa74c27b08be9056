"""What a scale limits more than the scale paper does is said; what it does not limit is not."""

import pytest

from bayes_hpo.configuration.scale_limits import scale_limits

CPU = {"small": 30.0, "pilot": 300.0, "paper": 300.0}
STUDY = {"training_caps": {"small": 5000, "paper": 10**9}, "cpu_limits": CPU}


def test_both_limits_are_said():
    said = scale_limits(STUDY, "small")
    assert "at most 5,000 rows" in said
    assert said.endswith("; 30 CPU seconds a trial")


@pytest.mark.parametrize(("study", "scale"), [(STUDY, "paper"), ({"cpu_limits": {}}, "small"), ({}, "small")])
def test_nothing_is_said_of_the_document_s_own_limits(study, scale):
    assert scale_limits(study, scale) == ""


def test_a_limit_that_is_the_document_s_is_not_said():
    assert "CPU" not in scale_limits({"cpu_limits": CPU}, "pilot")

"""An interval on the page is drawn to scale."""

import pytest

from bayes_hpo.report.page.ledger import drawing


def test_an_interval_is_drawn_to_scale_and_inside():
    at = drawing(0.5, -0.5, 1.5, 2.0, [0.0])
    assert at["low"] == 6
    assert at["published"] == 94
    unit = (at["published"] - at["low"]) / 2.5
    assert at["estimate"] == pytest.approx(at["low"] + unit)
    assert at["limits"] == [pytest.approx(at["low"] + 0.5 * unit)]
    nan = float("nan")
    assert drawing(nan, nan, nan, 1.0, [0.0]) == {}
    assert drawing(0.0, nan, nan, nan, [0.0]) == {"estimate": 6.0, "limits": [6.0]}
    assert drawing(0.0, nan, nan, nan, [-1, 1]) == {"estimate": 50.0, "limits": [6.0, 94.0]}

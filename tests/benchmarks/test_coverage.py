"""The simulations of the verdicts see what they are made to see."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchmarks import coverage, seeds


@pytest.fixture
def cells(monkeypatch):
    """Few sizes and one kind, so that a simulation lasts a second."""
    monkeypatch.setattr(coverage, "SIZES", (11, 24))
    monkeypatch.setattr(coverage, "DRAWS", 200)
    monkeypatch.setattr(coverage, "CLAIMS", {"Hodges-Lehmann, one pair": coverage.CLAIMS["Hodges-Lehmann, one pair"]})
    monkeypatch.setattr(coverage, "NO_DIFFERENCE", {})


def _cells(table):
    """The cells of a markdown table: dict, label -> list of text."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {label: values for label, *values in lines}


def test_intervals_cover_mostly_and_those_of_no_width_hardly_ever(cells, monkeypatch):
    (usual,) = _cells(coverage.coverage(40)).values()
    assert min(map(float, usual)) > 85
    monkeypatch.setattr("bayes_hpo.claims.interval.Bootstrapped.widths", lambda self, level: 0 * self.deviations)
    (narrow,) = _cells(coverage.coverage(40)).values()
    assert max(map(float, narrow)) < 20  # cells of one decimal are met now and then


def test_win_frequencies_are_covered_as_often_as_binomial_counts_are(monkeypatch):
    """Their interval is p +- t sqrt(p (1 - p) / (n - 1)): its coverage is a sum over all numbers of wins."""
    monkeypatch.setattr(coverage, "SUITES", (39,))
    monkeypatch.setattr(coverage, "FREQUENCIES", (0.5, 0.64))
    shares = _cells(coverage.coverage_of_wins(500))
    won = np.arange(40)
    for truth in (0.5, 0.64):
        half = stats.t.ppf(0.975, 38) * np.sqrt(won / 39 * (1 - won / 39) / 38)
        exact = stats.binom.pmf(won, 39, truth)[np.abs(won / 39 - truth) <= half].sum()
        (share,) = shares[f"win frequency {truth:.2f}"]
        assert float(share) == pytest.approx(100 * exact, abs=3)


def test_a_table_can_be_simulated_alone(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("".join(f"<!-- {name} -->\nold\n<!-- end -->\n" for name in ("coverage", "coverage of wins")))
    monkeypatch.setattr(coverage, "PAGE", page)
    monkeypatch.setattr("sys.argv", ["coverage", "--experiments", "2", "--tables", "coverage of wins"])
    coverage.main()
    assert page.read_text().count("old") == 1
    assert "| win frequency 0.91 |" in page.read_text()


def test_verdicts_without_a_difference_are_seldom_and_with_one_mostly_decided(cells, monkeypatch):
    usual = _cells(coverage.false_verdicts(40))["Hodges-Lehmann, one pair"]
    assert all(float(share) < 15 for share in usual[0].split(", "))
    tried = coverage._tried
    monkeypatch.setattr(coverage, "_tried", lambda kinds: {k: (part, 5.0) for k, (part, _) in tried(kinds).items()})
    shifted = _cells(coverage.false_verdicts(10))["Hodges-Lehmann, one pair"]
    assert shifted[0] in ("100.0, 0.0", "0.0, 100.0")


def test_a_verdict_that_depends_on_the_seed_is_named():
    parts = pd.MultiIndex.from_tuples([("A", "hold-out"), ("B", "5-fold")])
    same = pd.DataFrame({1: ["reproduced", "not run"], 2: ["reproduced", "not run"]}, index=parts)
    assert seeds.sentence(same).endswith("under 2 seeds of the bootstrap: none differ.")
    other = same.assign(**{"2": ["inconclusive", "not run"]})
    assert "1 differ (A hold-out: inconclusive, reproduced)." in seeds.sentence(other)

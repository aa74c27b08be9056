"""The timing of suggestions: the points that all are told, the file, its tables."""

import numpy as np
import pandas as pd
import pytest
from burning import BURNT, Burning

from benchmarks import suggest, suggest_report


def row(name, n, median):
    return dict.fromkeys(suggest.COLUMNS, 1) | {"optimizer": name, "n": n, "d": 2, "median": median}


def test_half_of_the_points_lie_around_the_optimum_and_all_are_told_the_same():
    points, losses, _ = suggest.history(200, 6, 0)
    near = (abs(points - suggest.OPTIMUM) < 5 * suggest.AROUND).all(axis=1)
    assert near.sum() == pytest.approx(100, abs=10)
    assert np.mean(np.array(losses)[near]) < np.mean(np.array(losses)[~near])
    again, the_same, _ = suggest.history(200, 6, 0)
    assert (again == points).all()
    assert the_same == losses


@pytest.mark.slow
def test_every_optimizer_of_a_cell_has_its_suggestions():
    seconds = suggest.cell(["sklearn", "random"], 12, 2, 0)
    assert {name: len(own) for name, own in seconds.items()} == {"sklearn": suggest.LEAST, "random": suggest.LEAST}
    assert min(seconds["sklearn"]) > max(seconds["random"]) > 0


def test_a_suggestion_that_takes_too_long_leaves_its_optimizer_out(monkeypatch, capsys):
    monkeypatch.setattr(suggest, "TOO_LONG", 1e-3)
    assert list(suggest.cell(["sklearn", "random"], 12, 2, 0)) == ["random"]
    assert "sklearn, n=12, d=2: left out" in capsys.readouterr().out


def test_a_cell_that_is_measured_again_replaces_its_row(tmp_path):
    for one in (row("random", 10, 1), row("fast", 10, 2), row("random", 10, 3), row("fast", 5, 4)):
        suggest.keep(tmp_path / "s.csv", one)
    kept = pd.read_csv(tmp_path / "s.csv")
    assert kept[["optimizer", "n", "median"]].to_numpy().tolist() == [
        ["fast", 5, 4],
        ["fast", 10, 2],
        ["random", 10, 3],
    ]
    assert "| random | nan | 3 | 1 |" in suggest_report.table(kept)


def test_the_page_shows_what_the_file_holds():
    with open("benchmarks/README.md") as page:
        assert suggest_report.table(pd.read_csv(suggest.RESULTS)) in page.read()


def test_a_suggestion_costs_what_its_optimizer_spends_from_tell_to_ask(monkeypatch):
    monkeypatch.setitem(suggest.OPTIMIZERS, "burning", Burning)
    assert 2 * BURNT <= suggest.suggestion("burning", 5, 2, 0) < 3 * BURNT  # not: made, told of the others, asked first

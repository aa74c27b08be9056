"""What AutoGluon is given and what its subprocess says, with a program of the test in its place."""

import os
import sys
import tempfile
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import RunError
from bayes_hpo.measures import autogluon
from bayes_hpo.measures.searches import searches
from bayes_hpo.repetition import Repetition
from bayes_hpo.storage.layout import data_file

STUDY, METHOD = "overfitting", "rs"
MAJORITY = """
import shutil, sys
import numpy as np
rows, target, seconds = sys.argv[1:]
stored = np.load(rows)
assert stored["X"].dtype == float and float(seconds) > 0, seconds
shutil.copy(rows, "{kept}")
open("{kept}.seconds", "w").write(seconds)
np.savez(target, labels=np.full(len(stored["X_test"]), np.bincount(stored["y"]).argmax()))
"""


@pytest.fixture
def measure(grid_of, tmp_path):
    """Function: the measure of the configuration, with a program in AutoGluon's place."""
    node = grid_of("divbo_autogluon").cfg["measures"]["autogluon"]

    def make(program=MAJORITY, **changes):
        script = tmp_path / "program.py"
        script.write_text(program.format(kept=tmp_path / "rows.npz"), encoding="utf-8")
        given = {"python": sys.executable, "script": str(script), "methods": [METHOD]}
        return build(node | given | changes, "measure")

    return make


def parts(grid):
    (first, *_) = searches(grid, [METHOD])
    repetition = Repetition.of(first.pool.provenance["job"], Data.load(data_file("tiny", grid.results)), 0)
    return repetition, first


def test_it_is_given_all_rows_but_the_test_part_and_scored_on_that(searched, measure, tmp_path):
    grid = searched(STUDY)
    found = measure()(grid)
    repetition, _ = parts(grid)
    X, y, rows = repetition.data.X, repetition.data.y, repetition.parts
    with np.load(tmp_path / "rows.npz") as given:
        assert set(given) == {"X", "y", "X_test"}  # no class of the test part
        np.testing.assert_array_equal(given["X"], X[rows.visible])
        np.testing.assert_array_equal(given["y"], y[rows.visible])
        np.testing.assert_array_equal(given["X_test"], X[rows.test])
    errors = found[found["quantity"] == "autogluon_error"]
    most = np.bincount(y[rows.visible]).argmax()
    assert set(errors["value"]) == {100 * np.mean(y[rows.test] != most)}
    assert list(found) == autogluon.COLUMNS
    assert sorted(set(errors["repetition"])) == [0, 1]


def test_its_time_is_the_mean_cpu_time_of_the_searches_or_the_given_one(searched, measure, tmp_path, monkeypatch):
    grid = searched(STUDY)
    times = iter([3.0, 9.0] * 9)
    monkeypatch.setattr(autogluon, "_seconds", lambda search: next(times))
    found = measure()(grid)
    assert set(found.loc[found["quantity"] == "autogluon_seconds", "value"]) == {6.0}
    assert (tmp_path / "rows.npz.seconds").read_text() == "6.00"
    measure(seconds=77.0)(grid)
    assert (tmp_path / "rows.npz.seconds").read_text() == "77.00"


def test_the_time_of_a_search_is_that_of_its_trials_and_proposals(searched):
    (_, first) = parts(searched(STUDY))
    trials = tuple(replace(trial, seconds=2.0, seconds_proposal=0.5) for trial in first.pool)
    assert autogluon._seconds(replace(first, pool=replace(first.pool, trials=trials))) == 2.5 * len(trials)


def test_without_its_environment_it_is_empty_and_says_so(searched, measure, caplog):
    found = measure(python="nowhere/bin/python")(searched(STUDY))
    assert found.empty
    assert list(found) == autogluon.COLUMNS
    assert "there is no nowhere/bin/python" in caplog.text


def test_a_program_that_fails_is_one_sentence(searched, measure):
    with pytest.raises(RunError, match="failed \\(ModuleNotFoundError: No module named 'nothing'\\)"):
        measure("import nothing")(searched(STUDY))


SLOW = """
import os, time
open("{kept}.process", "w").write(str(os.getpid()))
open(os.path.join(os.environ["TMPDIR"], "model"), "w").close()
time.sleep(SECONDS)
"""


def test_a_program_that_hangs_is_stopped_and_one_sentence(searched, measure, tmp_path, monkeypatch):
    monkeypatch.setattr(autogluon, "ALLOWANCE", 2.0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with pytest.raises(RunError, match=r"program.py was stopped after 2 seconds, though its time limit was 0; run"):
        measure(SLOW.replace("SECONDS", "60"), seconds=0.1)(searched(STUDY))
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "rows.npz.process").read_text()), 0)
    assert not list((tmp_path / "temporary").iterdir())  # neither the rows nor what the program has written


def test_a_program_may_go_beyond_its_time_limit(searched, measure):
    found = measure(SLOW.replace("SECONDS", "0.5") + MAJORITY, seconds=0.1)(searched(STUDY))
    assert not found.empty

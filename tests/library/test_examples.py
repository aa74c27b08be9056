"""The examples run as they stand."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SIZE, SMALLER = "BUDGET, SEEDS = 40, range(5)", "BUDGET, SEEDS = 6, range(2)"  # of a notebook; a tenth of its time
pytestmark = pytest.mark.slow


def test_a_learner_is_tuned_and_goes_on_from_its_journal(tmp_path):
    command = [sys.executable, EXAMPLES / "tune_a_learner.py"]
    shown = []
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout.splitlines()[-1])
    assert shown[0] == shown[1]
    assert float(shown[0].split()[2]) < 4  # percent: a tuned learner
    assert "30/30" in done.stderr


def test_the_search_of_the_readme_finds_a_tuned_model(tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, names := {})
    assert names["result"].loss < 0.1


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_a_notebook_runs_and_draws_its_figure(name):
    for package in ("nbclient", "ipykernel", "optuna"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed: pip install -e '.[test]'")
    import nbclient
    import nbformat

    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    (cell,) = (cell for cell in notebook.cells if SIZE in cell.source)
    cell.source = cell.source.replace(SIZE, SMALLER)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs)

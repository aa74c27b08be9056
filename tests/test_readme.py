"""The README's searcher, put into a copy of the tree as it says, runs and is scored."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```(?:python|yaml)\n# (\S+)\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_the_searcher_of_the_readme_works_in_a_copy_of_the_tree(tmp_path):
    for folder in ("conf", "src"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    files = dict(BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    assert set(files) == {"src/bayes_hpo/search/halton.py", "conf/searcher/halton.yaml", "conf/method/halton.yaml"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    study = tmp_path / "conf/study/overfitting.yaml"
    study.write_text(study.read_text(encoding="utf-8").replace("methods: [", "methods: [halton, "), encoding="utf-8")
    names = ["study=overfitting", "dataset=sklearn-iris", "searcher=halton", "protocol=holdout", "scale=toy"]
    run(tmp_path, "data", "dataset=sklearn-iris")
    run(tmp_path, "search", *names)
    run(tmp_path, "score", *names)
    assert (tmp_path / "results/toy/scores/overfitting/sklearn-iris/holdout/halton.parquet").is_file()


def run(folder, stage, *overrides):
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    command = [sys.executable, "-m", f"bayes_hpo.stages.{stage}", *overrides]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

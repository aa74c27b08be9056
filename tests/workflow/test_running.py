"""docs/running.md does what it says: one cell by hand, at toy scale, in a copy of the tree."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

pytestmark = pytest.mark.slow
TEXT = (Path(__file__).parents[2] / "docs/running.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^## One cell, by hand\n.*?^```bash\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_one_cell_by_hand_ends_in_a_table_of_its_two_searchers(fresh):
    (commands,) = BLOCK.findall(TEXT)
    around = fresh.surroundings
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    around["env"] = around["env"] | {"PATH": path}
    at_toy = commands.replace("smoke", "toy").replace(" 'without=[sklearn-wine]'", "")  # its suite has one data set
    line = ["bash", "-euo", "pipefail", "-c", at_toy]
    done = subprocess.run(line, text=True, timeout=1500, **around)
    assert done.returncode == 0, done.stdout
    rows = pd.read_csv(fresh.folder / "results/cell/tables/toy/thesis/T3_1.csv")
    assert set(rows["method"]) >= {"rs", "gp"}
    assert {path.name for path in fresh.folder.glob("results/toy/pools/*/*/*/*/rep_???.npz")} == {"rep_000.npz"}

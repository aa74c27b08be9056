"""What the package lends costs nothing until it is used, and changes no fingerprint."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bayes_hpo
from bayes_hpo.campaign.modules import code
from bayes_hpo.library import public

SOURCE = Path(bayes_hpo.__file__).parent
HEAVY = ["numpy", "scipy", "hydra", "pandas", "sklearn", "bayes_hpo.library"]


def test_importing_the_package_loads_nothing_heavy():
    loaded = f"import sys, bayes_hpo; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_users_own_code_takes_more_threads_in_a_block_of_its_own():
    shown = "print({one['num_threads'] for one in threadpoolctl.threadpool_info()})"
    lines = ["import bayes_hpo, sklearn.cluster, threadpoolctl", shown]  # sklearn.cluster: OpenMP
    lines += ["with threadpoolctl.threadpool_limits(2):", f"    {shown}", shown]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env=os.environ | {"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "{1}\n{2}\n{1}\n"


def test_every_public_name_is_lent_and_no_other():
    assert all(getattr(bayes_hpo, name) is getattr(public, name) for name in public.__all__)
    with pytest.raises(AttributeError, match="module 'bayes_hpo' has no attribute 'Minimizer'"):
        _ = bayes_hpo.Minimizer


def test_a_module_of_the_package_uses_no_lent_name():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")]
    imports = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not {alias.name for node in imports if node.module == "bayes_hpo" for alias in node.names} & {
        *public.__all__
    }


def test_what_is_lent_is_in_no_fingerprint(tmp_path):
    package = tmp_path / "bayes_hpo"
    package.mkdir()
    (package / "pool.py").write_text("size = 1\n")
    lent = "def __getattr__(name):\n    from bayes_hpo import pool\n    return pool\n"
    digests = []
    for text in ("a = 1\n", f"a = 1\n\n\n{lent}", "a = 2\n"):
        (package / "__init__.py").write_text(text)
        code.cache_clear()
        digests.append(code("bayes_hpo.pool", tmp_path).content)
    assert digests[0] == digests[1] != digests[2]

"""The package works anywhere: built into a wheel and installed in an empty folder, its configuration comes with it."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = 77  # of setuptools, for the licence's form (pyproject.toml)
pytestmark = pytest.mark.slow
USE = """
import bayes_hpo
from bayes_hpo import Optimizer, load_scores
optimizer = Optimizer({"kernel": {"choices": ["a", "b"]}, "x": {"low": 0.0, "high": 1.0, "when": {"kernel": "a"}}})
for _ in range(5):
    configuration = optimizer.ask()
    optimizer.tell(configuration, configuration.get("x", 0.5))
print(bayes_hpo.__file__, len(optimizer.history), optimizer.best)
load_scores("overfitting", "small")
"""


def python(*words, **how):
    """What a process of Python prints, its errors behind."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=600, **how)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder in which nothing but the wheel is installed."""
    if int(version("setuptools").partition(".")[0]) < NEEDED:
        pytest.skip(f"a wheel is built with setuptools {NEEDED} or later: pip install -e '.[test]'")
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("src", "conf"):
        ignored = shutil.ignore_patterns("*.egg-info", "__pycache__")
        shutil.copytree(ROOT / name, folder / "source" / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "source")
    offline = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    build = ["wheel", *offline, "--no-build-isolation", "--wheel-dir", folder, folder / "source"]
    assert python("-m", "pip", *map(str, build)) == (0, "")
    install = ["install", *offline, "--target", folder / "installed", *folder.glob("*.whl")]
    code, text = python("-m", "pip", *map(str, install))
    assert code == 0, text
    return folder / "installed"


def test_every_option_of_the_configuration_is_in_the_wheel(installed):
    def files(conf):
        return {path.relative_to(conf): path.read_bytes() for path in conf.rglob("*.*")}

    assert files(installed / "bayes_hpo" / "conf") == files(ROOT / "conf")


def test_installed_it_is_asked_and_told_from_any_folder(installed, tmp_path):
    (tmp_path / "conf").mkdir()  # one of somebody else
    code, text = python("-c", USE, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(installed)})
    assert code == 1
    assert text.startswith(f"{installed / 'bayes_hpo' / '__init__.py'} 5 (")
    assert "the released scores are not in the package but in a checkout of its repository; clone it" in text


def test_the_link_of_the_package_leads_to_the_configuration():
    assert (ROOT / "src/bayes_hpo/conf").resolve() == ROOT / "conf"

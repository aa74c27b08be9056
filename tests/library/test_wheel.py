"""The package works anywhere: built into a wheel and installed with what that requires, and nothing else."""

import os
import shutil
import subprocess
import sys
import venv
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
NEEDED = 77  # of setuptools, for the licence's form (pyproject.toml)
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]  # which is built and installed once
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
IMPORT = """
import importlib, pkgutil, bayes_hpo, snakemake_logger_plugin_bayes_hpo
for module in pkgutil.walk_packages(bayes_hpo.__path__, "bayes_hpo."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as problem:
        print(problem.name)
"""
OF_EXTRAS = {"torch", "xgboost", "catboost"}  # whose modules a study that needs them imports


def run(*words, **how):
    """Exit code of a command, and what it prints, its errors behind."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=600, **how)
    return done.returncode, done.stdout + done.stderr


def pip(*words):
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *words)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A virtual environment with the wheel and what it requires, nothing else."""
    if int(version("setuptools").partition(".")[0]) < NEEDED:
        pytest.skip(f"a wheel is built with setuptools {NEEDED} or later: pip install -e '.[test]'")
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("src", "conf"):
        ignored = shutil.ignore_patterns("*.egg-info", "__pycache__")
        shutil.copytree(ROOT / name, folder / "source" / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "source")
    offline = ["--quiet", "--no-deps", "--no-index"]
    assert pip("wheel", *offline, "--no-build-isolation", "--wheel-dir", folder, folder / "source") == (0, "")
    venv.create(folder / "venv")
    code, text = pip("--python", folder / "venv/bin/python", "install", *offline, *folder.glob("*.whl"))
    assert code == 0, text
    link_required(site(folder / "venv"))
    return folder / "venv"


def site(environment):
    """The folder of an environment in which packages lie."""
    return next(environment.glob("lib/python*/site-packages"))


def link_required(packages):
    """Link from our own environment what the one package in a folder requires, directly or not, by its metadata.

    As exact as an installation from an index, and a hundredth of its time.
    """
    (wheel,) = packages.glob("*.dist-info")
    todo, linked = [(text, set()) for text in Distribution.at(wheel).requires], set()
    while todo:
        text, extras = todo.pop()
        requirement = Requirement(text)
        holds = [not requirement.marker or requirement.marker.evaluate({"extra": extra}) for extra in extras | {""}]
        if not any(holds) or (name := (requirement.name, *sorted(requirement.extras))) in linked:
            continue
        linked.add(name)
        found = distribution(requirement.name)
        for top in {file.parts[0] for file in found.files} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(found.locate_file(top))
        todo += [(below, requirement.extras) for below in found.requires or ()]


def test_what_the_wheel_requires_is_all_that_its_modules_import(environment, tmp_path):
    code, text = pip("--python", environment / "bin/python", "check")
    assert (code, text) == (0, "No broken requirements found.\n")
    code, text = run(environment / "bin/python", "-c", IMPORT, cwd=tmp_path, env=alone())
    assert code == 0, text
    assert set(text.split()) <= OF_EXTRAS


def alone():
    """The variables of a process that is not to find our own packages."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def test_every_option_of_the_configuration_is_in_the_wheel(environment):
    def files(conf):
        return {path.relative_to(conf): path.read_bytes() for path in conf.rglob("*.*")}

    assert files(site(environment) / "bayes_hpo" / "conf") == files(ROOT / "conf")


def test_installed_it_is_asked_and_told_from_any_folder(environment, tmp_path):
    (tmp_path / "conf").mkdir()  # one of somebody else
    code, text = run(environment / "bin/python", "-c", USE, cwd=tmp_path, env=alone())
    assert code == 1
    assert text.startswith(f"{site(environment) / 'bayes_hpo' / '__init__.py'} 5 (")
    assert "the released scores are not in the package but in a checkout of its repository; clone it" in text


def test_installed_its_command_prints_the_methods(environment, tmp_path):
    code, text = run(environment / "bin/bayes-hpo", "methods", "gp-pm-r", cwd=tmp_path, env=alone())
    assert code == 0, text
    assert "posterior_mean" in text


def test_the_link_of_the_package_leads_to_the_configuration():
    assert (ROOT / "src/bayes_hpo/conf").resolve() == ROOT / "conf"

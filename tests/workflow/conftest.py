"""Fixtures of the workflow's tests: copies of the checkout in which Snakemake runs, one of them after a toy run."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNFINISHED = shutil.ignore_patterns("*.pyc.*")  # files that another process is compiling
PARTS = ("Snakefile", "CITATION.cff", "workflow", "profiles", "conf", "published", "src/bayes_hpo")


@dataclass(frozen=True)
class Checkout:
    """A checkout in `folder` whose Snakemake and package are its own, so that nobody else's locks and runs are met."""

    folder: Path

    def command(self, *arguments):
        """A command line of Snakemake here."""
        return [sys.executable, "-m", "snakemake", *map(str, arguments)]

    @property
    def surroundings(self):
        """Keyword arguments of a process that runs here."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src")}
        return {"cwd": self.folder, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}

    def run(self, *arguments):
        """Run Snakemake; its output is in `stdout`."""
        return subprocess.run(self.command(*arguments), text=True, timeout=1500, **self.surroundings)

    def stage(self, line):
        """Run a stage as a pasted line `python -m bayes_hpo.stages...` says."""
        return subprocess.run(line.replace("python", sys.executable, 1), shell=True, text=True, **self.surroundings)

    def planned(self, *targets):
        """What Snakemake would make for the targets (set of outputs)."""
        done = self.run("--dry-run", "--verbose", "--cores", 2, "--", *targets)
        assert done.returncode == 0, done.stdout
        return set(re.findall(r"^    output: (\S+)$", done.stdout, re.MULTILINE))

    def batch(self, output):
        """The marker of the batch that makes a manifest or score file of the toy grid, which has one data set."""
        kind = "score" if output.endswith(".parquet") else "search"
        return f"results/toy/batches/overfitting/sklearn-iris/{kind}_0.done"

    def pools(self, results="results"):
        """Paths of the pools below a results_dir, by place."""
        folder = self.folder / results / "toy/pools"
        return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("rep_???.npz"))}

    def score(self, protocol, searcher, dataset="sklearn-iris", results="results"):
        """Path of a score file."""
        return f"{results}/toy/scores/overfitting/{dataset}/{protocol}/{searcher}.parquet"


def copied(folder, parts, to):
    """Copy the parts of a folder and keep their times, by which Python knows that the compiled files are up to date."""
    to.mkdir(exist_ok=True)
    for part in parts:
        source, target = folder / part, to / part
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, ignore=UNFINISHED)
        else:
            shutil.copy2(source, target)
    return Checkout(to)


@pytest.fixture(scope="session")
def toy_run(tmp_path_factory):
    """A checkout after `snakemake --cores 2 toy_overfitting`, and what that said."""
    checkout = copied(ROOT, PARTS, tmp_path_factory.mktemp("toy"))
    return checkout, checkout.run("--cores", 2, "toy_overfitting")


@pytest.fixture
def toy(toy_run, tmp_path):
    """A copy of the toy run's checkout with its results and Snakemake's records, to be edited and hurt."""
    checkout, _ = toy_run
    return copied(checkout.folder, os.listdir(checkout.folder), tmp_path / "toy")


@pytest.fixture
def fresh(tmp_path):
    """A checkout without results."""
    return copied(ROOT, PARTS, tmp_path / "fresh")

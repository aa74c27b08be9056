"""docs/adding.md does what it says: its files and commands in a copy of the tree, and the mistakes that it shows."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.documents.names import printed

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toy")]
ROOT = Path(__file__).parents[2]
FILE = re.compile(r"^```(?:python|yaml)\n# (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMANDS = re.compile(r"^```bash\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MISTAKE = re.compile(r"^\| `(.+)` \| `(.+)` \| `(.+)` \|$", re.MULTILINE)
RESULT = re.compile(r"^(PASSED|FAILED|ERROR) \S+?::\w+\[(.+?)\]", re.MULTILINE)
FAILURE = re.compile(r"^(?=_+ \w+\[.+\] _+$)", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A section of the document: what it adds, in files, commands (the tests, then the table) and mistakes."""

    text: str

    @property
    def files(self):
        """Text of each file, by its path."""
        return dict(FILE.findall(self.text))

    @property
    def names(self):
        """Names of the component, a searcher or selector, and of the method that uses it."""
        _, component, method = self.files
        return Path(component).stem, Path(method).stem

    @property
    def commands(self):
        """Command lines of each block, at toy scale."""
        return [block.replace("smoke", "toy") for block in COMMANDS.findall(self.text)]

    @property
    def mistakes(self):
        """(what stands in a file, what was written instead, what is said) of each row of the table."""
        return MISTAKE.findall(self.text)

    def jobs(self, scale):
        """The jobs that the section says it runs: search jobs only when its searcher is new."""
        grid, (component, method) = Grid.of("overfitting", scale), self.names
        pools = [pool for pool in grid.pools if method in grid.methods_on(*pool)]
        searches = grid.search_jobs() if f"conf/searcher/{component}.yaml" in self.files else []
        return [job for job in [*searches, *grid.score_jobs()] if (job.protocol, job.searcher) in pools]


TEXT = (ROOT / "docs/adding.md").read_text(encoding="utf-8")
PARTS = [part for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:] if FILE.search(part)]
SECTIONS = {part.partition("\n")[0]: Section(part) for part in PARTS}
STUDY = SECTIONS.pop("A study, a suite, a scale, a protocol")
each_section = pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)


def write(files, folder):
    """Write files (dict, path -> text) of a section; each is a new one."""
    for path, text in files.items():
        with open(folder / path, "x", encoding="utf-8") as stream:
            stream.write(text)


def bash(checkout, commands, **environment):
    """Run a block of the document in a checkout, with this environment's programs."""
    around = checkout.surroundings
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    around["env"] = around["env"] | {"PATH": path} | environment
    return subprocess.run(["bash", "-euo", "pipefail", "-c", commands], text=True, timeout=1500, **around)


def mistaken(section, number):
    """The section's files under other names, with one mistake, and what is said of it."""
    name, (right, wrong, said) = section.names[0], section.mistakes[number]
    (place,) = [path for path, text in section.files.items() if right in text]
    files = section.files | {place: section.files[place].replace(right, wrong)}
    other = f"{name}_{number:02d}"
    return {path.replace(name, other): text.replace(name, other) for path, text in files.items()}, other, said


@each_section
def test_the_tests_pass_and_say_what_is_wrong_with_each_mistake(fresh, section):
    shutil.copytree(ROOT / "tests", fresh.folder / "tests", ignore=shutil.ignore_patterns("*.pyc.*"))
    shutil.copy(ROOT / "pyproject.toml", fresh.folder)
    write(section.files, fresh.folder)
    mistakes = [mistaken(section, number) for number in range(len(section.mistakes))]
    for files, _, _ in mistakes:
        write(files, fresh.folder)
    done = bash(fresh, section.commands[0], PYTEST_ADDOPTS="--numprocesses=0 -rA --tb=short", COLUMNS="200")

    results = [(id_, verdict) for verdict, id_ in RESULT.findall(done.stdout)]
    right = [(id_, verdict) for id_, verdict in results if not any(name in id_ for _, name, _ in mistakes)]
    assert {id_ for id_, _ in right} >= set(section.names), done.stdout
    assert {verdict for _, verdict in right} == {"PASSED"}, done.stdout
    failures = FAILURE.split(done.stdout.partition("short test summary")[0])[1:]
    for _, name, said in mistakes:
        own = [failure for failure in failures if name in failure.partition("\n")[0]]
        assert said.replace(section.names[0], name) in "".join(own), done.stdout


def marks(folder):
    """What changes when a pool, a manifest or a score file is written again, by its path."""
    files = [
        path for name in ("rep_???.npz", "block_*.json", "*.parquet") for path in folder.glob(f"results/toy/**/{name}")
    ]
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in files}


@each_section
def test_the_method_stands_in_table_3_1_and_only_its_own_jobs_have_run(toy, section, monkeypatch):
    monkeypatch.chdir(toy.folder)
    write(section.files, toy.folder)
    before = marks(toy.folder)
    done = bash(toy, section.commands[1])
    assert done.returncode == 0, done.stdout

    _, method = section.names
    rows = pd.read_csv("tables/toy/thesis/T3_1.csv").query("method == @method and metric == 'median'")
    assert set(rows["validation"]) == {"holdout", "kfold"}
    assert np.isfinite(rows["ours"]).all()
    assert re.search(rf"^{printed(method)} +\d", done.stdout, re.MULTILINE)

    jobs = section.jobs("toy")
    pools = {f"{job.folder}/rep_{job.first:03d}.npz" for job in jobs if hasattr(job, "folder")}
    after = marks(toy.folder)
    assert {path for path in after if after[path] != before.get(path)} == {job.output for job in jobs} | pools
    assert f"({len(section.jobs('smoke'))} jobs: " in section.text


@pytest.mark.parametrize(
    ("section", "edit", "target", "said"),
    [
        ("A searcher", "true", "tables/toy/thesis/T3_1.tex", "Nothing to be done"),
        (
            "A searcher",
            "sed -i 's/^methods: \\[/&one_plus_on, /' conf/study/overfitting.yaml",
            "tables/toy/thesis/T3_1.tex",
            "unknown method=one_plus_on (did you mean one_plus_one?)",
        ),
        (
            "A selector",
            "sed -i 's/^methods: \\[/&gp_nearest_r, /' conf/study/overfitting.yaml\n"
            "sed -i 's/pool.losses/pool.selection_losses/' src/bayes_hpo/selection/nearest.py",
            "results/toy/scores/overfitting/sklearn-iris/holdout_r/gp.parquet",
            "this pool has no selection split; choose a protocol that has one, such as holdout_sel",
        ),
    ],
    ids=["not in the study", "misspelt in the study", "no selection split"],
)
def test_snakemake_says_what_the_tests_cannot_know(toy, section, edit, target, said):
    write(SECTIONS[section].files, toy.folder)
    done = bash(toy, f"{edit}\nsnakemake --cores 2 {target}")
    assert said in done.stdout
    assert f"`{said}`" in SECTIONS[section].text


def test_the_study_is_searched_and_scored(toy, monkeypatch):
    monkeypatch.chdir(toy.folder)
    write(STUDY.files, toy.folder)
    (command,) = STUDY.commands
    done = bash(toy, command)
    assert done.returncode == 0, done.stdout
    (study,) = [Path(path).stem for path in STUDY.files]
    grid = Grid.of(study, "toy")
    assert {job.output for job in grid.score_jobs()} == set(
        map(str, Path("results/toy/scores", study).rglob("*.parquet"))
    )
    assert list(grid.methods) == ["rs", "gp"]

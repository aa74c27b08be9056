"""Laws of the fingerprint: code and configuration count, comments and strangers do not."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.fingerprint import (
    DESCRIBED,
    SHOWN,
    SOURCE,
    artifact_depends,
    changes,
    closure,
    depends,
    digest,
    revision,
    targets,
)

BLOCK = "bayes_hpo.search.block"


@pytest.fixture
def edited(tmp_path_factory):
    """Function: a copy of the sources in which text of one file is replaced; returns its folder."""

    def edit(file="", old="", new=""):
        source = tmp_path_factory.mktemp("copy") / "src"
        shutil.copytree(SOURCE / "bayes_hpo", source / "bayes_hpo", ignore=shutil.ignore_patterns("__pycache__"))
        if file:
            path = source / "bayes_hpo" / file
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            assert text.count(old) >= 1
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return source

    return edit


def _of(source, *modules):
    return depends(modules or [BLOCK], {}, source)


def test_a_revision_tells_of_changed_code_and_not_of_what_was_released(tmp_path, monkeypatch):
    for name in ("src/code.py", "released/scores.csv"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1")
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    monkeypatch.setattr("bayes_hpo.fingerprint.SOURCE", tmp_path / "src")
    clean = revision()
    (tmp_path / "released/scores.csv").write_text("2")
    assert revision() == clean
    (tmp_path / "src/code.py").write_text("2")
    assert revision() == f"{clean}-dirty"


def test_the_place_of_a_checkout_does_not_count(edited):
    assert _of(edited()) == _of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import numpy as np\n", "import numpy as np\n\n# a comment\n"),
        ('"""The loop of every search', '"""Another sentence about the loop of every search'),
        ('"""What a journal holds of a trial', '"""Something else'),
        ("import numpy as np\n", "import  numpy  as  np  # spaced\n"),
    ],
    ids=["comment", "docstring of the module", "docstring of a function", "spaces"],
)
def test_comments_docstrings_and_layout_change_nothing(edited, old, new):
    assert _of(edited("search/loop.py", old, new)) == _of(SOURCE)


def test_a_changed_value_changes_its_module_alone(edited):
    old, new = _of(SOURCE), _of(edited("pool.py", "pool 2", "pool 3"))
    assert changes(old, new) == ["module bayes_hpo.pool"]
    assert digest(old) != digest(new)


def test_a_changed_message_is_code(edited):
    assert changes(_of(SOURCE), _of(edited("splits.py", "def cap(", "def cap2("))) == ["module bayes_hpo.splits"]


def test_the_packages_own_file_counts(edited):
    assert changes(_of(SOURCE), _of(edited("__init__.py", '= "1"', '= "2"'))) == ["module bayes_hpo"]


def test_an_import_inside_a_function_counts(edited):
    line = "def run_search("
    source = edited("search/loop.py", line, f"def lazy():\n    from bayes_hpo.gp import priors\n\n\n{line}")
    assert "bayes_hpo.gp.priors" in closure(BLOCK, source=source)
    assert set(closure(BLOCK, source=source)) > set(closure(BLOCK))


@pytest.mark.parametrize("statement", ["import bayes_hpo.gp.priors", "from bayes_hpo.gp.priors import Uniform"])
def test_every_form_of_import_counts(edited, statement):
    source = edited("search/random.py", "from bayes_hpo.pool", f"{statement}\nfrom bayes_hpo.pool")
    assert "bayes_hpo.gp.priors" in closure("bayes_hpo.search.random", source=source)


def test_a_new_searcher_is_in_nobody_elses_closure(edited):
    source = edited("search/new.py", "", "from bayes_hpo.pool import Proposal\n")
    for module in ("random", "grid", "cmaes", "bayesian"):
        assert _of(source, BLOCK, f"bayes_hpo.search.{module}") == _of(SOURCE, BLOCK, f"bayes_hpo.search.{module}")
    assert "bayes_hpo.search.new" in closure("bayes_hpo.search.new", source=source)


@pytest.mark.parametrize("searcher", ["random", "grid", "cmaes"])
def test_a_search_depends_on_no_other_searcher_and_on_nothing_that_comes_later(searcher):
    rooms = [name.split(".")[1:3] for name in closure(BLOCK, f"bayes_hpo.search.{searcher}")]
    of_search = {room[1] for room in rooms if len(room) == 2 and room[0] == "search"}
    assert of_search <= {"block", "loop", "supervision", searcher}
    assert not {room[0] for room in rooms if room} & {"gp", "selection", "scoring", "report", "stages", "grid"}


def test_changes_name_the_module_and_the_key():
    old = {"modules": {"a": "1", "b": "1"}, "config": {"budget": 9, "searcher": {"sigma": 0.2, "part": {"x": 1}}}}
    new = {"modules": {"a": "2", "c": "1"}, "config": {"budget": 9, "searcher": {"sigma": 0.3, "part": {"x": 1}}}}
    assert changes(old, new) == ["module a", "module b", "module c", "key searcher.sigma"]
    assert changes(old, old) == []


@pytest.mark.parametrize("values", [([1, 2], [2, 1]), (1, 1.0), (1, True), (None, {}), ({}, {"y": None})])
def test_what_changes_the_digest_is_named(values):
    old, new = ({"modules": {}, "config": {"x": value}} for value in values)
    assert digest(old) != digest(new)
    assert changes(old, new) in (["key x"], ["key x.y"])


def test_the_order_of_keys_does_not_count():
    assert digest({"a": 1, "b": [1, 2]}) == digest({"b": [1, 2], "a": 1})
    assert digest({"a": 1, "b": [1, 2]}) != digest({"a": 1, "b": [2, 1]})


def test_an_unknown_module_is_named():
    with pytest.raises(UserError, match=r"no module bayes_hpo\.search\.nothing"):
        closure("bayes_hpo.search.nothing")


def test_targets_are_found_at_any_depth():
    node = {"_target_": "a.b.C", "x": {"y": {"_target_": "a.d.f", "z": 1}}, "l": 3}
    assert targets({"searcher": node}) == ["a.b", "a.d"]


def test_every_module_of_a_closure_exists():
    for name, path in closure("bayes_hpo.stages.search", "bayes_hpo.stages.score").items():
        assert Path(path).is_file(), name


@pytest.mark.parametrize("key", [*DESCRIBED, "setting", *SHOWN])
def test_an_artifact_depends_on_all_that_it_says_of_its_study(grid_of, key):
    grid = grid_of()
    cfg = {"study": dict(grid.cfg["study"]), "scale": {"gp": {"name": "fast"}}}
    rows = dict(grid.rows)
    before = artifact_depends("T3_1", cfg, rows)
    if key in SHOWN:
        name = next(iter(rows))
        rows[name] = replace(rows[name], **{key: "another"})
    elif key == "setting":
        cfg["scale"] = {"gp": {"name": "published"}}
    elif key == "methods":
        cfg["study"][key] = cfg["study"][key][::-1]
    elif key == "document":
        assert artifact_depends("A2_1", cfg, rows)["config"] == before["config"]  # of which it is the name
        return
    else:
        cfg["study"][key] = ["another"]
    assert digest(artifact_depends("T3_1", cfg, rows)) != digest(before)

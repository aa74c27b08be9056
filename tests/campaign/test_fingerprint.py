"""Laws of the fingerprint: code and configuration count, comments and strangers do not."""

from dataclasses import replace
from pathlib import Path

import pytest

from bayes_hpo.campaign.fingerprint import (
    DESCRIBED,
    SHOWN,
    artifact_depends,
    changes,
    depends,
    ledger_depends,
    page_depends,
    run_by,
    search_depends,
    targets,
)
from bayes_hpo.campaign.modules import SOURCE, closure, digest, module_file

BLOCK = "bayes_hpo.search.block"


def _of(source, *modules):
    return depends(modules or [BLOCK], {}, source)


def test_the_place_of_a_checkout_does_not_count(edited):
    assert _of(edited()) == _of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import numpy as np\n", "import numpy as np\n\n# a comment\n"),
        ('"""The loop of every search', '"""Another sentence about the loop of every search'),
        ('"""The record of a trial', '"""Something else'),
        ("import numpy as np\n", "import  numpy  as  np  # spaced\n"),
    ],
    ids=["comment", "docstring of the module", "docstring of a function", "spaces"],
)
def test_comments_docstrings_and_layout_change_nothing(edited, old, new):
    assert _of(edited("search/loop.py", old, new)) == _of(SOURCE)


def test_a_changed_value_changes_its_module_alone(edited):
    old, new = _of(SOURCE), _of(edited("storage/pools.py", "pool 3", "pool 4"))
    assert changes(old, new) == ["module bayes_hpo.storage.pools"]
    assert old["fingerprint"] != new["fingerprint"]


def test_a_changed_message_is_code(edited):
    assert changes(_of(SOURCE), _of(edited("splits.py", "def cap(", "def cap2("))) == ["module bayes_hpo.splits"]


def test_the_packages_own_file_counts(edited):
    assert changes(_of(SOURCE), _of(edited("__init__.py", '= "1"', '= "2"'))) == ["module bayes_hpo"]


def test_an_import_inside_a_function_counts(edited):
    line = "def run_search("
    source = edited("search/loop.py", line, f"def lazy():\n    from bayes_hpo.surrogates.gp import priors\n\n\n{line}")
    assert "bayes_hpo.surrogates.gp.priors" in closure(BLOCK, source=source)
    assert set(closure(BLOCK, source=source)) > set(closure(BLOCK))


@pytest.mark.parametrize("statement", ["import {}", "from {} import Uniform"])
def test_every_form_of_import_counts(edited, statement):
    line = statement.format("bayes_hpo.surrogates.gp.priors")
    source = edited("search/random.py", "from bayes_hpo.pool", f"{line}\nfrom bayes_hpo.pool")
    assert "bayes_hpo.surrogates.gp.priors" in closure("bayes_hpo.search.random", source=source)


def test_a_new_searcher_is_in_nobody_elses_closure(edited):
    source = edited("search/new.py", "", "from bayes_hpo.pool import Proposal\n")
    for module in ("random", "grid", "cmaes", "bayesian"):
        assert _of(source, BLOCK, f"bayes_hpo.search.{module}") == _of(SOURCE, BLOCK, f"bayes_hpo.search.{module}")
    assert "bayes_hpo.search.new" in closure("bayes_hpo.search.new", source=source)


@pytest.mark.parametrize("searcher", ["random", "grid", "cmaes"])
def test_a_search_depends_on_no_other_searcher_and_on_nothing_that_comes_later(searcher):
    rooms = [name.split(".")[1:3] for name in closure(BLOCK, f"bayes_hpo.search.{searcher}")]
    of_search = {room[1] for room in rooms if len(room) == 2 and room[0] == "search"}
    assert of_search <= {"block", "limits", "loop", "supervision", searcher}
    assert not {room[0] for room in rooms if room} & {"gp", "selection", "scoring", "report", "stages", "grid"}


def test_changes_name_the_module_and_the_key():
    config = {"budget": 9, "searcher": {"sigma": 0.2, "part": {"x": 1}}}
    old = {"fingerprint": "1", "modules": {"a": "1", "b": "1"}, "config": config}
    new = {"fingerprint": "2", "modules": {"a": "2", "c": "3"}, "config": config | {"searcher": {"sigma": 0.3}}}
    assert changes(old, new) == ["module a", "module b", "module c", "key searcher.part", "key searcher.sigma"]
    assert changes(old, new | {"fingerprint": "1"}) == []


def test_a_module_that_moved_is_not_told_beside_what_changed():
    old = {"fingerprint": "1", "modules": {"a": "1", "b": "1"}, "config": {}}
    assert changes(old, {"fingerprint": "2", "modules": {"room.a": "1", "b": "2"}, "config": {}}) == ["module b"]
    assert changes(old, old | {"fingerprint": "2"}) == ["what its modules import from one another"]


@pytest.mark.parametrize("values", [([1, 2], [2, 1]), (1, 1.0), (1, True), (None, {}), ({}, {"y": None})])
def test_what_changes_the_fingerprint_is_named(values):
    old, new = (depends([], {"x": value}) for value in values)
    assert old["fingerprint"] != new["fingerprint"]
    assert changes(old, new) in (["key x"], ["key x.y"])


def test_the_order_of_keys_does_not_count():
    assert digest({"a": 1, "b": [1, 2]}) == digest({"b": [1, 2], "a": 1})
    assert digest({"a": 1, "b": [1, 2]}) != digest({"a": 1, "b": [2, 1]})


def test_targets_are_found_at_any_depth():
    node = {"_target_": "a.b.C", "x": {"y": {"_target_": "a.d.f", "z": 1}}, "l": 3}
    assert targets({"searcher": node}) == ["a.b", "a.d"]


def test_a_target_in_a_list_counts(edited):
    config = {"parts": [{"_target_": "bayes_hpo.surrogates.gp.priors.Uniform"}]}
    assert targets(config) == ["bayes_hpo.surrogates.gp.priors"]
    source = edited("surrogates/gp/priors.py", "\n@dataclass", "\nADDED = 1\n\n\n@dataclass")
    assert changes(depends([], config), depends([], config, source)) == ["module bayes_hpo.surrogates.gp.priors"]


def test_a_stage_says_which_modules_do_its_work():
    assert run_by("search") == [BLOCK]
    assert run_by("report", "page") == ["bayes_hpo.report.page.page"]
    with pytest.raises(LookupError, match="main of the stage search imports nothing of bayes_hpo for: run_blocks"):
        run_by("search", "run_blocks")


def test_the_page_and_the_ledger_depend_on_what_they_say():
    for of in (page_depends, ledger_depends):
        assert of(["a"])["fingerprint"] != of(["b"])["fingerprint"]


def test_every_module_of_a_closure_exists():
    for name, path in closure("bayes_hpo.stages.search", "bayes_hpo.stages.score").items():
        assert Path(path).is_file(), name


def test_two_artifacts_of_a_document_differ_in_their_rows_there_alone(grid_of):
    grid = grid_of()
    table, algorithm = (artifact_depends("thesis", name, grid.cfg, grid.rows) for name in ("T3_1", "A2_1"))
    assert table["fingerprint"] != algorithm["fingerprint"]
    assert algorithm["config"] | {"artifact": table["config"]["artifact"]} == table["config"]


@pytest.mark.parametrize("key", [*DESCRIBED, "setting", *SHOWN])
def test_an_artifact_depends_on_all_that_it_says_of_its_study(grid_of, key):
    grid = grid_of()
    cfg = {"study": dict(grid.cfg["study"]), "scale": {"gp": {"name": "fast"}}}
    rows = dict(grid.rows)
    before = artifact_depends("thesis", "T3_1", cfg, rows)
    if key in SHOWN:
        name = next(iter(rows))
        rows[name] = replace(rows[name], **{key: "another"})
    elif key == "setting":
        cfg["scale"] = {"gp": {"name": "published"}}
    elif key == "document":
        cfg["study"][key] = "uai2016"  # whose tables the study is compared with
    elif key == "methods":
        cfg["study"][key] = cfg["study"][key][::-1]
    else:
        cfg["study"][key] = ["another"]
    assert artifact_depends("thesis", "T3_1", cfg, rows)["fingerprint"] != before["fingerprint"]


SEARCHES = {"gp": ("overfitting", "holdout"), "cma": ("overfitting", "kfold_sel_r"), "smac": ("conditional", "holdout")}


def _renamed(node, moves):
    """A configuration whose targets follow the moved modules."""
    if not isinstance(node, dict):
        return node
    found = {key: _renamed(value, moves) for key, value in node.items()}
    if "_target_" in node:
        module, _, name = node["_target_"].rpartition(".")
        found["_target_"] = f"{moves.get(module, module)}.{name}"
    return found


def _fingerprints(grid_of, source, moves=()):
    jobs = {name: grid_of(study).job(protocol, name) for name, (study, protocol) in SEARCHES.items()}
    moves = dict(moves)
    return {name: search_depends(_renamed(job, moves), source)["fingerprint"] for name, job in jobs.items()}


@pytest.mark.parametrize("every", [1, 2, 3])
def test_moving_and_renaming_files_changes_no_fingerprint(grid_of, moved, every):
    jobs = [grid_of(study).job(protocol, name) for name, (study, protocol) in SEARCHES.items()]
    names = sorted({name for job in jobs for name in search_depends(job)["modules"]})
    files = [name for name in names if module_file(name).stem != "__init__"]
    moves = {name: f"bayes_hpo.{'zyx'[n % 3]}.new_{99 - n}" for n, name in enumerate(files) if n % every == 0}
    assert len(moves) >= 14
    source = moved(moves)
    assert not any((source / "bayes_hpo" / name.replace(".", "/")).exists() for name in moves)
    assert _fingerprints(grid_of, source, moves) == _fingerprints(grid_of, SOURCE)


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("surrogates/gp/slice_sampling.py", "samples: PositiveInt", "samples: NonNegativeInt", {"gp"}),
        ("search/cmaes.py", "= 1 - k", "= 2 - k", {"cma"}),
        ("surrogates/forest.py", "Range(ge=2)", "Range(ge=3)", {"smac"}),
        ("acquisition/evaluated.py", "DECIMALS = 9", "DECIMALS = 8", {"gp", "smac"}),
        ("search/supervision.py", "USED = 0.9", "USED = 0.8", {"gp", "cma", "smac"}),
    ],
)
def test_a_changed_constant_changes_the_searches_that_use_it(grid_of, edited, file, old, new, changed):
    before, after = _fingerprints(grid_of, SOURCE), _fingerprints(grid_of, edited(file, old, new))
    assert {name for name in SEARCHES if before[name] != after[name]} == changed

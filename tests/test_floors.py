"""The house rules that can be read from the source: floors, imports, sizes, empty packages."""

import ast
import re
from pathlib import Path

import pytest

from bayes_hpo.campaign.modules import code

PACKAGE = "bayes_hpo"
SOURCE = Path(__file__).parents[1] / "src" / PACKAGE
FLOORS = [  # from the ground up; what stands on one floor does not import its neighbours
    {"errors", "seeds"},
    {"outcomes", "pool"},
    {"storage", "configuration"},
    {"ensembles", "spaces", "data", "stats", "documents"},
    {"contracts"},
    {"learners", "splits", "surrogates"},
    {"acquisition", "scores", "repetition"},
    {"selection", "evaluation"},
    {"search", "scoring", "report"},
    {"measures", "claims", "library"},
    {"campaign"},
    {"stages"},
    {"__main__"},
]
NEVER = {  # although the floors would allow it
    "selection": {"data", "learners", "configuration.build", "configuration.compose", "storage"},
    "search": {"data.sources", "splits", "selection", "scoring"},
    "surrogates": {"pool", "data"},
    "acquisition": {"pool", "data", "learners"},
    "report": {
        *("pool", "spaces", "data", "surrogates", "acquisition"),
        *("splits", "learners", "ensembles", "selection", "evaluation"),
    },
    "claims": {"pool", "surrogates", "acquisition", "search", "scoring"},
}
ONLY = {  # heavy or foreign packages, and where they may be imported
    "openml": {"data.sources.openml_child"},
    "requests": {"data.sources.openml_child"},
    "matplotlib": {"report"},
    "seaborn": {"report"},
    "sklearn": {"learners", "data.sources.bundled", "surrogates.forest"},
    "lightgbm": {"learners", "surrogates.boosting"},
    "hydra": {"configuration.compose", "stages.entry"},
    "omegaconf": {"configuration", "stages.entry"},
    "pandas": {"report", "stats", "measures", "claims", "documents", "scores", "library"},
    "pyarrow": {"scoring", "storage", "scores"},
    "scipy": {"surrogates", "acquisition", "search", "learners", "stats", "campaign.costs"},
    "tqdm": {"library.minimize"},
    "snakemake": set(),
    "deap": set(),
    "pickle": set(),
}
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def _name(path):
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__").removesuffix("__init__")


def _is_in(module, places):
    return any(module == place or module.startswith(f"{place}.") for place in places)


def _imports(tree, inside):
    """Dotted names that a syntax tree imports, those of the package without its name; inside: names of its modules."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "a relative import"
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            names.update(submodules & {f"{PACKAGE}.{name}" for name in inside} or {node.module})
    return {name.removeprefix(f"{PACKAGE}.") for name in names}


def offences(module, text, inside):
    """What is wrong (list of str) with the imports of the source `text` of a module."""
    room, wrong = module.split(".")[0], []
    if room not in FLOOR:
        return [f"{module} stands on no floor"]
    for name in sorted(_imports(ast.parse(text), inside)):
        top = name.split(".")[0]
        if top in FLOOR:
            if FLOOR[top] >= FLOOR[room] and top != room:
                wrong.append(f"{module} imports {name}, which is not below it")
            if _is_in(name, NEVER.get(room, ())):
                wrong.append(f"{module} must never import {name}")
        elif top in ONLY and not _is_in(module, ONLY[top]):
            wrong.append(f"{module} must not import {top}")
    return wrong


MODULES = {_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
each_module = pytest.mark.parametrize("module", [name for name in MODULES if name])


@each_module
def test_imports_only_go_down(module):
    assert offences(module, MODULES[module].read_text(encoding="utf-8"), set(MODULES)) == []


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("selection.new", "from bayes_hpo.search.loop import run_search"),
        ("selection.new", "from bayes_hpo.data.prepared import Data"),
        ("selection.new", "from bayes_hpo import evaluation"),
        ("search.new", "import bayes_hpo.scoring.score as score"),
        ("search.new", "from bayes_hpo.selection.argmin import argmin"),
        ("surrogates.new", "def f():\n    from bayes_hpo.pool import Pool"),
        ("surrogates.new", "from bayes_hpo.learners.rbf_svm import RbfSvm"),
        ("report.new", "from bayes_hpo.acquisition import criteria"),
        ("surrogates.new", "from bayes_hpo.acquisition.criteria import Integrated"),
        ("report.new", "from bayes_hpo.pool import Pool"),
        ("errors", "from bayes_hpo.storage.files import atomic"),
        ("measures.new", "from bayes_hpo.campaign.progress import states"),
        ("splits", "if 1:\n    import bayes_hpo.stages.entry"),
        ("evaluation", "from sklearn.svm import SVC"),
        ("stages.new", "import matplotlib.pyplot as plt"),
        ("data.sources.bundled", "import openml"),
        ("pool", "import pickle"),
        ("helpers", ""),
    ],
)
def test_an_offender_is_caught(module, text):
    assert len(offences(module, text, set(MODULES))) >= 1


def test_what_is_allowed_is_not_an_offence():
    text = "import numpy as np\nfrom bayes_hpo.pool import Pool\nfrom bayes_hpo.selection.argmin import argmin"
    assert offences("selection.new", text, set(MODULES)) == []


def named(text, inside):
    """Strings (list of str) of the source `text` that name a module of the package; a command may name its stage."""
    strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    words = [word for string in strings if isinstance(string, str) for word in re.findall(rf"{PACKAGE}[.\w]*", string)]
    modules = {f"{PACKAGE}.{module}" for module in inside if module and not _is_in(module, ["stages"])}
    return [word for word in words if any(word == module or word.startswith(f"{module}.") for module in modules)]


@each_module
def test_no_module_names_another_one_by_a_string(module):
    assert named(MODULES[module].read_text(encoding="utf-8"), set(MODULES)) == []


@pytest.mark.parametrize("name", ["pool", "search.loop", "pool.Pool", "report.{x}"])
def test_a_string_that_names_a_module_is_caught(name):
    assert named(f"import_module(f'{PACKAGE}.{name}')", set(MODULES)) != []
    assert named("COMMAND = 'python -m bayes_hpo.stages.search study=x'", set(MODULES)) == []


def test_no_modules_import_each_other_in_a_circle():
    assert all(code(f"{PACKAGE}.{module}".rstrip(".")).content for module in MODULES)  # RecursionError in a circle


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("__init__.py")), ids=_name)
def test_a_package_file_is_empty(path):
    if path.parent != SOURCE:
        assert path.read_bytes() == b""


@each_module
def test_a_file_opens_with_a_sentence_and_stays_below_250_lines(module):
    text = MODULES[module].read_text(encoding="utf-8")
    assert text.count("\n") <= 250
    if text:
        docstring = ast.get_docstring(ast.parse(text))
        assert docstring
        assert docstring.splitlines()[0].rstrip(")]").endswith((".", "?")), docstring


@each_module
def test_a_function_stays_below_40_lines(module):
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < 40, node.name


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("stages.")])
def test_a_stage_is_thin(module):
    text = MODULES[module].read_text(encoding="utf-8")
    assert "numpy" not in {name.split(".")[0] for name in _imports(ast.parse(text), set(MODULES))}
    assert text.count("\n") < (120 if module == "stages.entry" else 60)


def test_only_stages_have_a_main():
    mains = {
        module
        for module, path in MODULES.items()
        if any(
            isinstance(node, ast.FunctionDef) and node.name == "main"
            for node in ast.parse(path.read_text(encoding="utf-8")).body
        )
    }
    assert mains == {module for module in MODULES if module.startswith("stages.")} - {"stages.entry"}

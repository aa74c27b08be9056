"""Laws of a module's digest, on a package of a few lines: what it names counts, not where that stands."""

import pytest

from bayes_hpo.campaign.modules import closure, code
from bayes_hpo.errors import UserError

FILES = {
    "errors": "class RunError(Exception): pass",
    "a": "def f(x): return x",
    "b": "def f(x): return -x",
    "user": """
from bayes_hpo import a
from bayes_hpo.a import f
from bayes_hpo.errors import RunError

def use():
    if f(1): raise RunError
    return a.f(2)
""",
}
IN_ROOM = (
    FILES["user"].replace("bayes_hpo import a", "bayes_hpo.room import a").replace("bayes_hpo.a", "bayes_hpo.room.a")
)


@pytest.fixture
def content(tmp_path_factory):
    """Function: digest of the module `user` of a package of FILES, with other files or other text."""

    def of(text=None, name="user", **files):
        source = tmp_path_factory.mktemp("package")
        for module, body in ({"__init__": ""} | FILES | ({} if text is None else {"user": text}) | files).items():
            path = source.joinpath("bayes_hpo", *module.split("__of__")[::-1]).with_suffix(".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(body)
        return code(f"bayes_hpo.{name}", source).content

    return of


def test_what_is_imported_stands_as_its_digest_whatever_its_module_is_called(content):
    text = FILES["user"].replace("import a\n", "import z\n").replace("bayes_hpo.a", "bayes_hpo.z").replace("a.f", "z.f")
    assert content(text, z=FILES["a"]) == content()


def test_a_module_in_a_room_is_the_same_module(content):
    assert content(IN_ROOM, a__of__room=FILES["a"], __init____of__room="") == content()


def test_what_a_package_runs_counts_for_the_modules_in_it(content):
    assert content(IN_ROOM, a__of__room=FILES["a"], __init____of__room="STARTED = True") != content()
    assert content(__init__="STARTED = True") != content()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from bayes_hpo.a import f", "from bayes_hpo.a import f as g"),
        ("from bayes_hpo import a\nfrom bayes_hpo.a import f", "from bayes_hpo.a import f\nfrom bayes_hpo import a"),
        ("from bayes_hpo import a", "import bayes_hpo.a as a"),
        ("def use():", "def use():\n    'A docstring.'"),
        ("def use():", "# a comment\ndef use():"),
    ],
    ids=["another name", "another order", "another form", "docstring", "comment"],
)
def test_what_runs_alike_has_the_same_digest(content, old, new):
    text = FILES["user"].replace(old, new)
    assert content(text.replace("f(1)", "g(1)") if " as g" in new else text) == content()


@pytest.mark.parametrize(
    "text",
    [
        FILES["user"].replace("f(1)", "f(2)"),
        FILES["user"].replace("from bayes_hpo.a import", "from bayes_hpo.b import"),
        FILES["user"].replace("from bayes_hpo import a", "from bayes_hpo import b as a"),
        FILES["user"].replace("raise RunError", "raise f"),
        FILES["user"] + "from bayes_hpo.b import f as unused",
    ],
    ids=["value", "another function of the same name", "another module", "another name", "an import more"],
)
def test_what_runs_otherwise_has_another_digest(content, text):
    assert content(text) != content()


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"user", "b"}))
def test_a_module_counts_for_all_that_import_it(content, name):
    assert content(**{name: FILES[name] + "\nADDED = 1"}) != content()
    assert content(b=FILES["b"] + "\nADDED = 1") == content()


def test_two_functions_that_import_the_same_name_from_two_modules_are_told_apart(content):
    function = "def {}():\n    from bayes_hpo.{} import f\n    return f(1)\n"
    text = function.format("{}", "a") + function.format("{}", "b")
    assert content(text.format("g", "h")) != content(text.format("h", "g"))


def test_an_import_below_an_import_of_another_package_counts(content):
    text = "try:\n    import numpy\nexcept ImportError:\n    from bayes_hpo.{} import f"
    assert content(text.format("a")) != content(text.format("b"))


def test_a_relative_import_is_refused(content):
    with pytest.raises(UserError, match=r"user\.py: write imports in full \(from bayes_hpo\.\.\.\)"):
        content("from .a import f")


def test_an_unknown_module_is_named():
    with pytest.raises(UserError, match=r"no module bayes_hpo\.search\.nothing"):
        closure("bayes_hpo.search.nothing")

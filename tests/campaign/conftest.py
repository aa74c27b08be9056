"""Copies of the sources that are edited, or whose files are moved."""

import ast
import shutil

import pytest

from bayes_hpo.campaign.modules import SOURCE


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


@pytest.fixture
def moved(edited):
    """Function: a copy of the sources in which files have other names and folders; returns its folder.

    moves: dict, module -> its new name. The imports of all files follow.
    """

    def move(moves):
        source = edited()
        for path in source.rglob("*.py"):
            path.write_text(_rewritten(path.read_text(encoding="utf-8"), moves), encoding="utf-8")
        for old, new in moves.items():
            path = source.joinpath(*new.split(".")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name("__init__.py").touch()
            source.joinpath(*old.split(".")).with_suffix(".py").rename(path)
        return source

    return move


def _rewritten(text, moves):
    """The text of a file with an import line for each name that it imports, from where that stands now."""
    lines = text.splitlines()
    for node in sorted(ast.walk(ast.parse(text)), key=lambda node: -getattr(node, "lineno", 0)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("bayes_hpo"):
            indent = " " * node.col_offset
            lines[node.lineno - 1 : node.end_lineno] = [indent + _line(node.module, one, moves) for one in node.names]
    return "\n".join([*lines, ""])


def _line(module, alias, moves):
    folder, _, name = moves.get(f"{module}.{alias.name}", f"{moves.get(module, module)}.{alias.name}").rpartition(".")
    return f"from {folder} import {name} as {alias.asname or alias.name}"

"""Content digests of modules, which cover their code and all that they import, independent of file locations.

A syntax tree enters without docstrings, and every name imported from the package is replaced in it by the digest of
what it names. Thus comments, and moving or renaming a file, change nothing, while a changed value changes the module
and all that import it. A module's `__getattr__` is ignored: it exposes the library's names to other programs, while the
package imports them from where they are defined.
"""

import ast
import hashlib
import json
from collections import deque
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import bayes_hpo
from bayes_hpo.errors import UserError

PACKAGE = bayes_hpo.__name__
SOURCE = Path(bayes_hpo.__file__).resolve().parents[1]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
HOLDERS = (ast.stmt, ast.excepthandler, ast.match_case)  # nodes that may contain statements
BLOCKS = ("body", "orelse", "finalbody")
LENT = "__getattr__"


def digest(value: Any) -> str:
    """Digest (16 hex digits) of a value that json can encode, independent of the order of keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Code:
    """The code of a module.

    content: digest of its code, of the modules it imports and of the packages it lies in.
    spelling: digest of its code alone, independent of what the imported names stand for.
    imports: imports from the package: tuple of (name there, (module, name in that module)), with an empty second name
        if it is the module itself.
    """

    content: str
    spelling: str
    imports: tuple


@cache
def code(module: str, source: Path = SOURCE) -> Code:
    """The Code of a module in the folder `source`. Raises: UserError for an unknown module or a relative import."""
    tree = _parsed(module_file(module, source))
    blocks = _without_imports(tree, source)
    imports = tuple(pair for _, pairs in blocks for pair in pairs)
    spelling = digest(ast.dump(tree))
    for place, pairs in blocks:  # sorted, as their order in the file depends on the names of modules
        place.value = sorted(digest_of(module, name, source) for _, (module, name) in pairs)
    digests: dict[str, set[str]] = {}
    for name, (imported, attribute) in imports:
        digests[name] = digests.get(name, set()) | {digest_of(imported, attribute, source)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in digests:
            node.id = " ".join(sorted(digests[node.id]))
    packages = {code(name, source).content for name in _parents(module) if _has_code(name, source)}
    return Code(digest([ast.dump(tree), sorted(packages)]), spelling, imports)


def digest_of(module: str, name: str, source: Path = SOURCE) -> str:
    """Digest of `name` in a module, or of the module itself if the name is empty."""
    return f"{code(module, source).content}.{name}".rstrip(".")


def closure(*modules: str, source: Path = SOURCE) -> dict[str, Path]:
    """Modules of the package that `modules` import, directly or not, including themselves and the packages they lie in.

    Returns dict, name -> path. Raises: UserError as `code`.
    """
    paths, todo = {}, list(modules)
    while todo:
        module = todo.pop()
        if module not in paths:
            paths[module] = module_file(module, source)
            todo += [*_parents(module), *(name for _, (name, _) in code(module, source).imports)]
    return paths


@cache
def imports_of(function: str, module: str, source: Path = SOURCE) -> list[tuple]:
    """The imports inside the body of a function in a module (`Code.imports`)."""
    nodes = _parsed(module_file(module, source)).body
    bodies = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == function]
    return [pair for _, pairs in _without_imports(ast.Module([*bodies], []), source) for pair in pairs]


def module_file(module: str, source: Path = SOURCE) -> Path:
    """Path of a module. Raises: UserError when it does not exist."""
    if path := _file(module, source):
        return path
    raise UserError(f"there is no module {module} below {source}; correct the _target_ that names it")


@cache
def _file(module, source):
    base = Path(source, *module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _parents(module):
    """Names of the packages that contain a module, the innermost first."""
    parent = module.rpartition(".")[0]
    return [parent, *_parents(parent)] if parent else []


def _has_code(package, source):
    return module_file(package, source).stat().st_size > 0


def _parsed(path):
    """The syntax tree of a file without docstrings and LENT. Raises: UserError for a relative import."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    tree.body = [node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name == LENT)]
    for node in _with_blocks(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.ImportFrom) and node.level:
            raise UserError(f"{path}: write imports in full (from {PACKAGE}...), a relative one is not followed")
    return tree


def _without_imports(tree, source):
    """Remove the imports of the package from a tree.

    Returns list of (the constant that replaces them at the head of their block, list of what they import).
    """
    blocks = []
    for node in list(_with_blocks(tree)):
        for field in BLOCKS:
            block = getattr(node, field, None)
            imports = [_imported(statement, source) for statement in block] if isinstance(block, list) else []
            if any(imports):
                place = ast.Constant([])
                rest = [statement for statement, pairs in zip(block, imports, strict=True) if not pairs]
                setattr(node, field, [ast.Expr(place), *rest])
                blocks.append((place, [pair for pairs in imports for pair in pairs]))
    return blocks


def _with_blocks(tree):
    """The statements of a tree, and nodes that contain statements, in the order of `ast.walk`, without expressions."""
    todo = deque([tree])
    while todo:
        node = todo.popleft()
        todo.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, HOLDERS))
        yield node


def _imported(statement, source):
    """The imports of a statement from the package (as `Code.imports`)."""
    if isinstance(statement, ast.Import):
        pairs = [(alias.asname or alias.name, (alias.name, "")) for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom):
        module = statement.module
        pairs = [(alias.asname or alias.name, _named(module, alias.name, source)) for alias in statement.names]
    else:
        return []
    return [(name, what) for name, what in pairs if what[0].split(".")[0] == PACKAGE]


def _named(module, name, source):
    """(module, name in it) that `from module import name` imports; the name is empty if it is a module itself."""
    inner = f"{module}.{name}"
    return (inner, "") if module.split(".")[0] == PACKAGE and _file(inner, source) else (module, name)

"""What a job depends on: the code that can change its result, and its configuration."""

import ast
import hashlib
import json
import subprocess
from functools import cache
from pathlib import Path

from bayes_hpo.errors import UserError

SOURCE = Path(__file__).resolve().parents[1]
PACKAGE = __package__
DESCRIBED = ("document", "tables", "labels", "not_comparable", "doubtful", "choice", "methods", "curves")
SHOWN = ("name", "published_name", "abbreviation", "source", "rest")  # of a data set


def digest(value):
    """Digest (16 hex digits) of what json can hold, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def depends(modules, config, source=SOURCE):
    """What a job depends on: {"modules": name -> digest of code, "config": config}; `digest` makes a fingerprint of it.

    The digest of a module is that of its syntax tree without docstrings, so a comment changes nothing. modules: dotted
    names, of which all of the package that they import counts. Raises: UserError when there is no such module.
    """
    found = closure(*modules, source=source)
    return {"modules": {name: _code(path) for name, path in sorted(found.items())}, "config": config}


def search_depends(job):
    """What a search depends on beside its data: its code and its configuration (`job_config`)."""
    return depends(["bayes_hpo.search.block", *targets(job)], job)


def refit_depends(job, refit_cap):
    """What a refit depends on beside its data: everything but how its configuration was found."""
    keys = ("owner", "preparation", "learner", "test_percent", "training_cap")
    own = {key: job[key] for key in keys} | {"refit_cap": refit_cap}
    return depends(["bayes_hpo.scoring.refit", "bayes_hpo.repetition", *targets(own)], own)


def score_depends(job, scoring):
    """What a score job depends on beside its pools."""
    return depends(["bayes_hpo.scoring.job", *targets(scoring), *targets(job)], {"job": job, "scoring": scoring})


def measure_depends(owner, measure):
    """What a measure (its node of the configuration) depends on beside the files it reads; owner: of its draws."""
    return depends(["bayes_hpo.measures.job", *targets(measure)], {"owner": owner, "measure": measure})


def artifact_depends(artifact, cfg, rows):
    """What the look of an artifact depends on beside the scores: its code, `description`, names, published numbers.

    cfg: the configuration of its study at a scale. rows: the registry's rows of its data sets, dict by name.
    """
    own = f"bayes_hpo.report.artifacts.{cfg['study']['document']}.{artifact.lower()}"
    published = {path.name: digest(path.read_text(encoding="utf-8")) for path in Path("published").glob("*.csv")}
    datasets = [[getattr(row, name) for name in SHOWN] for row in rows.values()]
    said = {"description": description(cfg), "datasets": datasets, "published": published}
    return depends(["bayes_hpo.report.artifact", own], said)


def description(cfg):
    """What products say of a study beside its results (dict): its order, names and doubts, the setting of the GP.

    cfg: its configuration at a scale.
    """
    return {key: cfg["study"][key] for key in DESCRIBED} | {"setting": cfg["scale"]["gp"]["name"]}


def changes(old, new):
    """What differs between two `depends` (list of str), such as "module bayes_hpo.gp.kernel", "key budget"."""
    modules = _differing(old.get("modules", {}), new["modules"])
    keys = _differing(old.get("config", {}), new["config"])
    return [f"module {name}" for name in modules] + [f"key {key}" for key in keys]


def revision():
    """The code's revision as git tells it, "-dirty" when files differ from it; "unknown" outside a checkout.

    What lies in released/ is no code: a campaign adds to it while it runs.
    """
    try:
        commit = _git("describe", "--always", "--exclude=*")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)released")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit


def _git(*words):
    """What git prints of the checkout. Raises: OSError, CalledProcessError."""
    command = ["git", "-C", str(SOURCE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def closure(*modules, source=SOURCE):
    """Modules of the package that `modules` run, directly or not, themselves and the packages they lie in included.

    Returns dict, name -> path.
    """
    found, todo = {}, list(modules)
    while todo:
        module = todo.pop()
        if module in found:
            continue
        found[module] = module_file(module, source)
        parent = module.rpartition(".")[0]
        todo += [name for name in [parent, *imports(found[module])] if module_file(name, source, missing_ok=True)]
    return found


@cache
def imports(path):
    """Dotted names that the file `path` may import from the package: modules, and names that might be modules."""
    names = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise UserError(f"{path}: write imports in full (from {PACKAGE}...), a relative one is not followed")
        elif isinstance(node, ast.ImportFrom):
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return sorted(name for name in names if name.split(".")[0] == PACKAGE)


def module_file(module, source=SOURCE, missing_ok=False):
    """Path of a module, None when there is none and `missing_ok`. Raises: UserError."""
    base = Path(source, *module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    if missing_ok:
        return None
    raise UserError(f"there is no module {module} below {source}; correct the _target_ that names it")


def targets(node):
    """Modules that a configuration names by `_target_`, at any depth, sorted."""
    if not isinstance(node, dict):
        return []
    own = [node["_target_"].rpartition(".")[0]] if "_target_" in node else []
    return sorted({*own, *(module for child in node.values() for module in targets(child))})


@cache
def _tree(path):
    """The syntax tree of a file, docstrings dropped."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


@cache
def _code(path):
    return digest(ast.dump(_tree(path)))


def _differing(old, new, path=""):
    """Dotted keys at which two nested dicts differ."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return [] if digest(old) == digest(new) else [path]
    found = []
    for key in sorted({*old, *new}):
        name = f"{path}.{key}".lstrip(".")
        found += _differing(old[key], new[key], name) if key in old and key in new else [name]
    return found

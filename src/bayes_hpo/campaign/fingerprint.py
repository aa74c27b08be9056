"""What a job depends on: its configuration, and the code that can change its result."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bayes_hpo.campaign.modules import PACKAGE, SOURCE, closure, code, digest, digest_of, imports_of
from bayes_hpo.data.registry import Row
from bayes_hpo.documents import catalog

DESCRIBED = ("document", "tables", "labels", "not_comparable", "flagged", "root_choice", "methods", "curves")
SHOWN = ("name", "published_name", "abbreviation", "source", "rest")  # fields of a data set


def depends(modules: Iterable[str], config: Any, source: Path = SOURCE) -> dict:
    """What a job depends on (dict): its fingerprint and, to report what has changed, its modules and configuration.

    fingerprint (str): digest of the content of the modules and of the configuration, in which each `_target_` is
        replaced by the digest of what it names, so that names of modules do not matter.
    modules: dict, name -> digest of its code alone, for all modules of the package that `modules` (dotted names) and
        the targets import.
    config: as given.
    Raises: UserError when a module does not exist.
    """
    contents = sorted(code(name, source).content for name in modules)
    run = sorted(closure(*modules, *targets(config), source=source))
    return {
        "fingerprint": digest([contents, _by_content(config, source)]),
        "modules": {name: code(name, source).spelling for name in run},
        "config": config,
    }


def run_by(stage: str, *names: str, source: Path = SOURCE) -> list[str]:
    """The modules that do the work of a stage: those that its main imports, all or only those that provide some names.

    Raises: LookupError when there are none, so that a fingerprint cannot be empty.
    """
    imported = imports_of("main", f"{PACKAGE}.stages.{stage}", source)
    if modules := [module for name, (module, _) in imported if name in names or not names]:
        return modules
    raise LookupError(f"main of the stage {stage} imports nothing of {PACKAGE} for: {' or '.join(names) or 'its work'}")


def search_depends(job: dict, source: Path = SOURCE) -> dict:
    """What a search depends on besides its data: its code and its configuration (`job_config`)."""
    return depends(run_by("search", source=source), job, source)


def refit_depends(job: dict, refit_cap: int) -> dict:
    """What a refit depends on besides its data: everything except how its configuration was found."""
    from bayes_hpo.repetition import Repetition  # callers refit, and so have loaded these already
    from bayes_hpo.scoring.refit import Refit

    keys = ("owner", "task", "preparation", "learner", "test_draw", "test_percent", "training_cap")
    config = {key: job[key] for key in keys} | {"refit_cap": refit_cap}
    return depends([Refit.__module__, Repetition.__module__], config)


def score_depends(job: dict, scoring: dict) -> dict:
    """What a score job depends on besides its pools."""
    return depends(run_by("score"), {"job": job, "scoring": scoring})


def measure_depends(owner: str, measure: dict) -> dict:
    """What a measure (its configuration) depends on besides the files it reads. owner: that of its draws."""
    return depends(run_by("measure"), {"owner": owner, "measure": measure})


def artifact_depends(document: str, artifact: str, cfg: dict, rows: dict[str, Row]) -> dict:
    """What an artifact depends on besides scores: its row in the catalog, `description`, names and published numbers.

    document, artifact: names.
    cfg: configuration of its study at a scale.
    rows: dict, data set -> row of the registry.
    """
    printed = catalog.document(document)
    shown = {
        "artifact": printed["artifacts"][artifact],
        "tables": [printed["tables"], catalog.document(cfg["study"]["document"])["tables"]],
        "description": description(cfg),
        "datasets": [[getattr(row, name) for name in SHOWN] for row in rows.values()],
        "published": {path.name: digest(path.read_text(encoding="utf-8")) for path in Path("published").glob("*.csv")},
    }
    return depends(run_by("report", "artifact"), shown)


def description(cfg: dict) -> dict:
    """What products say about a study besides its results (dict): order, names, flags, Gaussian process setting.

    cfg: its configuration at a scale.
    """
    return {key: cfg["study"][key] for key in DESCRIBED} | {"setting": cfg["scale"]["gp"]["name"]}


def page_depends(texts: list[str]) -> dict:
    """What the page of a scale depends on besides its artifacts. texts: those that it is filled with."""
    return depends(run_by("report", "page"), texts)


def ledger_depends(texts: list) -> dict:
    """What the ledger of a scale depends on besides scores and measures. texts: those on studies and claims."""
    return depends(run_by("statistics"), texts)


def changes(old: dict, new: dict) -> list[str]:
    """The differences between two `depends` (list of str): "module NAME", "key NAME"; empty for equal fingerprints.

    A module that was only renamed or moved is not listed.
    """
    if old.get("fingerprint") == new["fingerprint"]:
        return []
    modules, config = ([depends_on.get(key, {}) for depends_on in (old, new)] for key in ("modules", "config"))
    differences = [f"module {name}" for name in _changed(*modules)] + [f"key {key}" for key in _differing(*config)]
    return differences or ["what its modules import from one another"]


def targets(node: Any) -> list[str]:
    """Modules that a configuration names by `_target_` at any depth, sorted."""
    named = [_target(node)[0]] if isinstance(node, dict) and "_target_" in node else []
    return sorted({*named, *(module for child in _children(node) for module in targets(child))})


def _target(node):
    """(module, name in it) of the `_target_` of a node."""
    return str(node["_target_"]).rpartition(".")[::2]


def _children(node):
    return node.values() if isinstance(node, dict) else node if isinstance(node, (list, tuple)) else ()


def _by_content(node, source):
    """A configuration in which each `_target_` is replaced by the digest of what it names."""
    if isinstance(node, (list, tuple)):
        return [_by_content(child, source) for child in node]
    if not isinstance(node, dict):
        return node
    target = {"_target_": digest_of(*_target(node), source)} if "_target_" in node else {}
    return {key: _by_content(child, source) for key, child in node.items()} | target


def _changed(old, new):
    """Names of the modules whose code differs, was removed or is new, given two dicts, name -> digest."""
    removed, added = (
        {name: here[name] for name in here if name not in there} for here, there in ((old, new), (new, old))
    )
    moved = {*removed.values()} & {*added.values()}
    different = [name for name in old if name in new and old[name] != new[name]]
    return sorted([*different, *(name for name, code in (removed | added).items() if code not in moved)])


def _differing(old, new, path=""):
    """Dotted keys at which two nested dicts differ."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return [] if digest(old) == digest(new) else [path]
    differing = []
    for key in sorted({*old, *new}):
        name = f"{path}.{key}".lstrip(".")
        differing += _differing(old[key], new[key], name) if key in old and key in new else [name]
    return differing

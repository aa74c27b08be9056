"""Synthetic scores of the study conditional whose errors are the printed ones, under names of data sets of our own."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
from omegaconf import OmegaConf

from bayes_hpo.claims.sample import LEARNERS
from bayes_hpo.configuration.build import build
from bayes_hpo.documents import published
from bayes_hpo.documents.printed import Printed
from bayes_hpo.scores.choices import Choices

CONF = Path(__file__).parents[1] / "conf"
STUDY = OmegaConf.to_container(OmegaConf.load(CONF / "study/conditional.yaml"))
STUDY["task"] = OmegaConf.to_container(OmegaConf.load(CONF / "task/classification.yaml"))
METHODS = tuple(STUDY["methods"])
CELLS = published.cells("thesis", "T5_2", STUDY["labels"])[0]  # (24 data sets, 11 methods), percent
EVEN = dict.fromkeys(METHODS, 0.01)
REGISTRY = {
    f"our-{name}": SimpleNamespace(folder=f"our-{name}", abbreviation=name, family=name, rest=99)
    for name in CELLS.index
}
FOREST = '[{"learner": "rf"}]'
COMMON = {"study": "conditional", "scale": "toy", "schema": 1, "protocol": "kfold", "validation": "kfold"}


def scores(printed=CELLS.index, methods=METHODS, repetitions=10, iterations=(50, 200), noise=0.0, seed=0, early=EVEN):
    """Score rows as a frame: the printed mean error over repetitions, whatever the noise.

    printed: names of data sets as printed. noise: sd over repetitions, a share of the error. early: dict, method -> by
    how much its error is higher before the end.
    """
    rng, parts = np.random.default_rng(seed), []
    for name in printed:
        for method in methods:
            drawn = rng.standard_normal(repetitions)
            errors = CELLS.loc[name, method] / 100 * (1 + noise * (drawn - drawn.mean()))
            for t in iterations:
                more = early[method] * (t < max(iterations))
                rows = {"repetition": range(repetitions), "iteration": t, "final": t == max(iterations)}
                losses = {"test_error": errors + more, "validation_loss": 0.99 * (errors + more)}
                rows["configuration"] = FOREST
                parts.append(pd.DataFrame({**COMMON, "dataset": f"our-{name}", "method": method, **rows, **losses}))
    return pd.concat(parts, ignore_index=True)


def cash(**changes):
    """The learners of conf/setting/cash.yaml, with changes: dict, learner -> {key: value}, of its node."""
    node = OmegaConf.load(CONF / "setting/cash.yaml")["learner"]
    return build(OmegaConf.to_container(OmegaConf.merge(node, {"learners": changes})), "study.learner")


def flat(node, place=""):
    """A composed node as one dict, dotted place -> value."""
    if not isinstance(node, dict):
        return {place[1:]: node}
    return {key: value for name, part in node.items() for key, value in flat(part, f"{place}.{name}").items()}


def unprinted(name):
    """What the Results of a data set that the document lacks have of their own."""
    return {"datasets": {name: ""}, "printed": replace(fields()["printed"], names={name: ""})}


def fields(printed=CELLS.index):
    """What the Results of the study have of their own."""
    rows = {f"our-{name}": REGISTRY[f"our-{name}"] for name in printed}
    own = {"study": "conditional", "methods": METHODS, "choice": Choices("learner", LEARNERS)}
    return own | {"printed": Printed.of(STUDY, rows)}

"""Synthetic scores: parquet files such as score jobs leave, with errors that the test chooses."""

from types import SimpleNamespace

import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.documents.printed import Printed

METHODS = (*published.methods("T3_1"), "gp_pm", "gp_pm_r")
DATASETS = {"sklearn-iris": "iris", "wine": "wine", "ecoli": "ecoli", "glass": "glass", "pima": "pima"}
PRINTED = {validation: published.errors(validation)[0].to_dict() for validation in ("holdout", "kfold")}
CHAPTER_3 = {"document": "thesis", "tables": published.CHAPTER_3, "labels": {}, "methods": METHODS}  # of the study's
CHAPTER_3 |= {"flagged": [], "not_comparable": []}  # configuration
COMMON = {"study": "overfitting", "scale": "toy", "schema": 1, "members": 1, "seconds": 1.0, "revision": "abc"}


def rows(
    error, datasets=DATASETS, methods=METHODS, repetitions=(0, 1), iterations=(6, 12), validations=("holdout", "kfold")
):
    """Score rows as a frame; error(validation, published name, method, repetition, iteration) is a fraction."""
    return pd.DataFrame(
        {
            **COMMON,
            "dataset": dataset,
            "repetition": repetition,
            "protocol": validation,
            "validation": validation,
            "method": method,
            "iteration": iteration,
            "final": iteration == max(iterations),
            "validation_loss": 0.1,
            "test_error": error(validation, name, method, repetition, iteration),
            "configuration": "[{}]",
        }
        for dataset, name in datasets.items()
        for validation in validations
        for method in methods
        for repetition in repetitions
        for iteration in iterations
    )


def printed(datasets):
    """What tables B.1 and B.2 print of data sets (dict, name -> published name), as of the study overfitting."""
    return Printed.of(CHAPTER_3, {one: SimpleNamespace(published_name=name) for one, name in datasets.items()})


def write(folder, frame):
    """One file per data set and protocol below `folder`; returns the folder."""
    for (dataset, protocol), part in frame.groupby(["dataset", "protocol"]):
        path = folder / dataset / protocol / "searcher.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        part.to_parquet(path, index=False)
    return folder


def as_printed(validation, name, method, repetition, iteration):
    """The error that table B.1 or B.2 prints, later in the search; gp's for the posterior mean."""
    return min(1.0, PRINTED[validation][method.replace("_pm", "")][name] / 100 + (0.05 if iteration == 6 else 0))

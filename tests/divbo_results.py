"""Made-up measures and scores of Shen et al. 2022, for tests of what is drawn of them."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from score_rows import rows

from bayes_hpo.documents import catalog
from bayes_hpo.documents.printed import Printed
from bayes_hpo.storage import measured

LABELS = {"rs": "RS", "divbo_bo": "BO", "rb": "RB", "divbo_eo": "EO", "nes": "NES", "rs_es": "RS-ES",
          "bo_es": "BO-ES", "rb_es": "RB-ES", "divbo": "DivBO", "divbo_minus": "DivBO-"}  # fmt: skip
THREE = ["bo_es", "rb_es", "divbo"]
DATASETS = ["quake", "wind"]
TRIALS, REPETITIONS = range(1, 11), range(2)


def arguments(name):
    """The arguments of an artifact's function."""
    draw = catalog.document("divbo2022")["artifacts"][name]["draw"]
    return {key: value for key, value in draw.items() if key != "_target_"}


def results_of(given, tmp_path):
    """Function: (methods, data sets, measures as name -> list of dict) -> the Results of study divbo with them."""

    def of(methods=tuple(LABELS), datasets=DATASETS, study="divbo", **measures):
        folder = tmp_path / study
        folder.mkdir()
        for name, frame in measures.items():
            measured.write(pd.DataFrame(frame), folder / f"{name}.parquet", {}, study=study, scale="toy")
        frame = rows(error_of, dict.fromkeys(datasets, ""), methods, REPETITIONS, TRIALS, ["holdout"])
        registered = {
            name: SimpleNamespace(rest=10 - i, n=10 - i, source="openml", published_name=name.removeprefix("openml-"))
            for i, name in enumerate(datasets)
        }
        made = given(frame.assign(study=study), dict.fromkeys(datasets, ""), methods=tuple(methods), study=study)
        changes = {
            "datasets": registered,
            "printed": Printed(labels=LABELS, names={name: name for name in datasets}),
            "measures_dir": folder,
            "measure_settings": dict.fromkeys(measures, ""),
        }
        return type(made)(**{**made.__dict__, **changes})

    return of


def error_of(validation, name, method, repetition, iteration):
    """Test error: better methods further down the list."""
    return 0.5 - list(LABELS).index(method) / 100


def suggested(methods=THREE, trials=TRIALS, error=lambda method, r, t: 0.1 * t):
    """Rows of the measure suggestions."""
    return [
        {"dataset": "quake", "repetition": r, "validation": "holdout", "method": method, "iteration": t}
        | {"error": error(method, r, t), "diversity": 0.1 * (THREE.index(method) + 1) + r / 10}
        | {"reference_diversity": 0.2 if t > 8 else np.nan, "reference": 8, "constant_error": 0.445}
        | {"member_error": 0.4 + r / 100, "updated": t == 9}
        | {"top_tie": np.nan if t < 6 or method == "rb_es" else 5000.0 - 10 * t + r * 4}
        for method in methods
        for r in REPETITIONS
        for t in trials
    ]

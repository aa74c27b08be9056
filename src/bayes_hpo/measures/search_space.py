"""The hyperparameters of a study as a frame, in the terms of the documents' tables of search spaces."""

from dataclasses import asdict, dataclass

import pandas as pd

from bayes_hpo.measures.searches import Grid
from bayes_hpo.spaces.parameters import Category, Integer, LogInteger
from bayes_hpo.spaces.space import Space

TYPES = {Integer: "int", LogInteger: "int", Category: "cat"}  # all others are real


@dataclass(frozen=True, kw_only=True)
class SearchSpace:
    """space: the study's."""

    space: Space

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame, one row per hyperparameter that is searched, columns as in published/search_spaces.csv.

        hyperparameter, type (int, cat or real), low_or_values (choices joined by |), high and scale (linear or log,
        empty for choices): texts, empty where there is none.
        """
        return pd.DataFrame([_row(name, parameter) for name, parameter in self.space.parameters.items()])


def _row(name, parameter):
    settings = asdict(parameter)
    if "choices" in settings:
        values = {"low_or_values": "|".join(map(str, settings["choices"])), "high": "", "scale": ""}
    else:
        scale = "log" if settings.get("log") else "linear"
        values = {"low_or_values": f"{settings['low']:g}", "high": f"{settings['high']:g}", "scale": scale}
    return {"hyperparameter": name, "type": TYPES.get(type(parameter), "real")} | values

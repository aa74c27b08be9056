"""The hyperparameters of a study as a frame, in the notation of the documents' tables of search spaces."""

from dataclasses import asdict, dataclass

import pandas as pd

from bayes_hpo.measures.searches import Grid
from bayes_hpo.spaces.parameters import Category, Integer, LogInteger
from bayes_hpo.spaces.space import Space

TYPES = {Integer: "int", LogInteger: "int", Category: "cat"}  # all other parameters are real


@dataclass(frozen=True, kw_only=True)
class SearchSpace:
    """The table of the study's space."""

    space: Space

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame of texts, one row per searched hyperparameter, with columns as in published/search_spaces.csv.

        Columns: hyperparameter, type (int, cat or real), low_or_values (choices joined by |), high (empty for choices)
        and scale (linear or log, empty for choices).
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

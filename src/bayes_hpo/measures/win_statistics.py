"""Win frequencies of one method against another by stage of the search, for claims (Lacoste et al. 2014, 6.2)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Annotated

import pandas as pd

from bayes_hpo.configuration.limits import Range
from bayes_hpo.measures.searches import Grid
from bayes_hpo.scores import frames
from bayes_hpo.stats.ranks import per_highest, ranks
from bayes_hpo.stats.win_frequency import win_frequencies
from bayes_hpo.storage.layout import score_folder

COLUMNS = ["dataset", "repetition", "validation", "method", "quantity", "value"]  # of `claims.study`
KEYS = ["dataset", "repetition", "validation"]


@dataclass(frozen=True, kw_only=True)
class WinStatistics:
    """Wins of methods over reference methods, and ranks of the reference methods.

    methods: methods compared with each of `against`, where they have scores.
    against: reference methods, which are ranked together.
    stages: name -> [first, last] trial, both included.
    last: share of the trials, the last ones, that form the stage `late`.
    """

    methods: list[str]
    against: list[str]
    stages: dict[str, list[int]]
    last: Annotated[float, Range(gt=0, le=1)]

    def __call__(self, grid: Grid) -> pd.DataFrame:
        """Frame of COLUMNS, one row per search and quantity, for the data sets with scores of all of `against`.

        <stage>_wins_over_<other>: share of the stage's trials at which the method has the lower test loss, with ties
            counted as one half, minus one half.
        late_rank: mean rank at the trials of the stage `late`, ties averaged.
        Raises: RunError as `frames.read`.
        """
        folder = score_folder(grid.scale, grid.study, grid.results)
        scores = frames.read(folder, study=grid.study, scale=grid.scale, datasets=grid.datasets, worst_loss=math.inf)
        scores = scores[scores["method"].isin({*self.methods, *self.against})]
        searches = ((dict(zip(KEYS, key, strict=True)), part) for key, part in scores.groupby(KEYS))
        return pd.DataFrame([row for key, part in searches for row in self._of_search(part, key)], columns=COLUMNS)

    def _of_search(self, scores: pd.DataFrame, key: dict) -> Iterator[dict]:
        scored = set(scores["method"])
        methods = [name for name in self.methods if name in scored]
        errors = scores.pivot(index="iteration", columns="method", values="test_error")
        errors = errors.reindex(columns=list(dict.fromkeys(methods + self.against))).dropna()
        if errors.empty:
            return
        end = errors.index.max()
        stages = {"late": [end - max(1, round(self.last * end)) + 1, end], **self.stages}
        for stage, (first, last) in stages.items():
            rows = errors.loc[first:last]
            for name, other in product(methods, self.against) if len(rows) else ():
                if name != other:
                    wins = win_frequencies(rows[[name, other]]).loc[name, other] - 0.5
                    yield key | {"method": name, "quantity": f"{stage}_wins_over_{other}", "value": wins}
        late = ranks(per_highest(errors.loc[stages["late"][0] :, self.against])).mean()
        for name in self.against:
            yield key | {"method": name, "quantity": "late_rank", "value": late[name]}

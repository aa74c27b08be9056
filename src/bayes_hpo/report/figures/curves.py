"""Mean test errors or validation losses by function evaluation, of methods that are paired at every step."""

from dataclasses import dataclass

import pandas as pd

from bayes_hpo.report.comparison import PERCENT, shared

STEP = ["iteration", "dataset"]


@dataclass(frozen=True)
class Curves:
    """mean: frame of errors in percent, index (iteration, dataset), one column per method.

    repetitions: how many each row of it rests on. absent: pairs (iteration, dataset) without a common repetition.
    """

    mean: pd.DataFrame
    repetitions: pd.Series
    absent: tuple


def curves(scores, validation, methods, datasets, value="test_error"):
    """The Curves of `datasets`, of which each has a repetition that all methods have finished.

    value: the column of the scores that is averaged.

    A step before the first finished trial has no score, so a step rests on those repetitions in which every method has
    one there. An iteration is drawn when every data set has such a repetition, because a mean over fewer data sets does
    not belong to the same curve; `absent` has what is absent elsewhere.
    """
    rows = shared(scores, validation, methods)
    rows = rows[rows["dataset"].isin(datasets)]
    steps = pd.MultiIndex.from_product([sorted(rows["iteration"].unique()), datasets], names=STEP)
    paired = rows[rows.groupby([*STEP, "repetition"])["method"].transform("size") == len(methods)]
    absent = steps.difference(pd.MultiIndex.from_frame(paired[STEP]))
    drawn = paired[~paired["iteration"].isin(absent.get_level_values("iteration"))]
    return Curves(
        mean=PERCENT * drawn.groupby([*STEP, "method"])[value].mean().unstack()[methods],
        repetitions=drawn.groupby(STEP)["repetition"].nunique(),
        absent=tuple(absent),
    )

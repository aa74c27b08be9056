"""The learners with which the searches of one method end, for chapter 5's figures of them."""

import pandas as pd

from bayes_hpo.choices import PREFIX
from bayes_hpo.report.cells import PERCENT

METHOD = "gp_cond_ls"


def choices(given):
    """Which learner each search of METHOD chose: frame of 0 and 1, index (data set, repetition), learners in order.

    Data sets have their printed names and order. Raises: Fault without scores.
    """
    rows = given.choices()
    rows = rows[rows["method"] == METHOD]
    learners = rows["quantity"].str.removeprefix(PREFIX)
    wide = rows.assign(quantity=learners).pivot(index=["dataset", "repetition"], columns="quantity", values="value")
    names = {name: label or name for name, label in given.published_names.items() if name in wide.index}
    return wide.loc[list(names), list(learners.unique())].rename(index=names, level=0)


def shares(chosen):
    """Percent of the repetitions of each data set that end with each learner: frame (n_datasets, n_learners)."""
    return PERCENT * chosen.groupby(level=0, sort=False).mean()


def coverage(given, chosen):
    """Sentences on the method and the searches that are counted."""
    counts = chosen.groupby(level=0).size()
    repetitions = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    return [
        f"{given.label(METHOD)}: {len(chosen)} searches, {len(counts)} data sets with {repetitions} repetitions each; "
        "final: the learner of the first trial with the lowest validation loss."
    ]


def always(chosen, dataset, learner, printed):
    """The sentence (list) on a data set of which the document says that it always ends with one learner."""
    if dataset not in chosen.index:
        return []
    count = pd.Series(chosen.loc[dataset][learner])
    return [f"{printed}: {int(count.sum())} of {len(count)} here."]

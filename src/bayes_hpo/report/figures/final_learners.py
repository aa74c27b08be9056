"""The learners with which the searches of one method end, for chapter 5's figures of them."""

import pandas as pd

from bayes_hpo.errors import Fault
from bayes_hpo.report import face
from bayes_hpo.report.cells import PERCENT
from bayes_hpo.report.comparison import VALIDATION
from bayes_hpo.scores import frames
from bayes_hpo.scores.choices import PREFIX

METHOD = "gp_cond_ls"


def final_learners(given):
    """Which learner each search of METHOD chose: frame of 0 and 1, index (data set, repetition), learners in order.

    Data sets have their printed names and order. Raises: Fault without scores of METHOD.
    """
    rows = given.choices()
    rows = rows[(rows["method"] == METHOD) & (rows["validation"] == VALIDATION)]
    if rows.empty:
        remedy = frames.remake(given.study, given.scale)
        raise Fault(f"no data set has scores of {given.label(METHOD)}, whose final learners this shows; {remedy}")
    learners = rows["quantity"].str.removeprefix(PREFIX)
    wide = rows.assign(quantity=learners).pivot(index=["dataset", "repetition"], columns="quantity", values="value")
    names = {name: label or name for name, label in given.published_names.items() if name in wide.index}
    return wide.loc[list(names), list(learners.unique())].rename(index=names, level=0)


def shares(chosen):
    """Percent of the repetitions of each data set that end with each learner: frame (n_datasets, n_learners)."""
    return PERCENT * chosen.groupby(level=0, sort=False).mean()


def coverage(given, chosen):
    """Sentences on the method, the searches that are counted and the data sets that they lack."""
    counts = chosen.groupby(level=0).size()
    repetitions = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    lacking = [label or name for name, label in given.published_names.items() if (label or name) not in counts]
    return [
        f"{given.label(METHOD)}: {face.counted(len(chosen), 'search', 'searches')}, "
        f"{face.counted(len(counts), 'data set')} with {face.counted(repetitions, 'repetition')} each; "
        "final: the learner of the first trial with the lowest validation loss.",
        *([f"Left out: {face.few(lacking)}; no scores there."] if lacking else []),
        *face.not_comparable([name for name in given.not_comparable if name in counts]),
    ]


def always(chosen, dataset, learner, printed):
    """The sentence (list) on a data set of which the document says that it always ends with one learner."""
    if dataset not in chosen.index:
        return []
    count = pd.Series(chosen.loc[dataset][learner])
    return [f"{printed}: {int(count.sum())} of {len(count)} here."]

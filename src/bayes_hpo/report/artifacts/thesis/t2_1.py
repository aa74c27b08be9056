"""Thesis, table 2.1: the hyperparameters of the random forest, as our configuration has them and as printed."""

from bayes_hpo.report.tables.space import printed_space, space_table

TITLE = "Table 2.1: hyperparameters of the random forest"
MEASURE = "search_space"  # what it rests on instead of scores
PRINTED = {"num_estimators": "n_estimators"}  # printed name -> ours, scikit-learn's
NOTE = "Names are scikit-learn's; ours: the space that the searches of this scale have, uniform on the scale named."


def table(given):
    """A row per hyperparameter: ours, which is what is searched, beside the printed one."""
    theirs = printed_space("2.1").replace({"hyperparameter": PRINTED})
    return space_table(given.measure(MEASURE), theirs, [NOTE])

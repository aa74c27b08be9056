"""Thesis, table 5.1: the learners of the conditional space and their hyperparameters, ours beside the printed ones."""

from bayes_hpo.report.tables.space import printed_space, space_table

TITLE = "Table 5.1: learners and hyperparameters of the conditional space"
MEASURE = "search_space"  # what it rests on instead of scores
LEARNERS = {  # printed learner -> ours
    "rbf svm": "svm",
    "linear svm": "linsvm",
    "decision tree": "dt",
    "random forest": "rf",
    "adaboost": "adab",
}
PRINTED = {"_classifier choice": "learner"}  # learner_hyperparameter as printed -> ours
NOTES = [
    "Names but the first are a learner and a hyperparameter of scikit-learn, which is active where that learner is "
    "chosen; gnb and lda have none. tau: scikit-learn's gamma.",
    "Ours: the space that the searches of this scale have, uniform on the scale named; the choice of the learner is "
    "coded as an integer in this order, as in the document.",
]


def table(given):
    """A row per hyperparameter: ours, which is what is searched, beside the printed one."""
    theirs = printed_space("5.1").replace({"learner": LEARNERS | {"(root)": ""}})
    names = (theirs["learner"] + "_" + theirs["hyperparameter"]).replace(PRINTED)
    return space_table(given.measure(MEASURE), theirs.assign(hyperparameter=names), NOTES)

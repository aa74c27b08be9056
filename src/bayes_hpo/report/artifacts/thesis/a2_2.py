"""Thesis, algorithm 2.2: Bayesian optimization of a learning algorithm's hyperparameters."""

from bayes_hpo.report.tables import algorithm

TITLE = "Algorithm 2.2: Bayesian optimization of a learning algorithm's hyperparameters"
MEASURE = None  # it rests on no run
STEPS = [
    (1, "Begin with an empty history.", "pool.History"),
    (2, "Until B trials are made:", "search.loop.run_search"),
    (3, "- condition the Gaussian process on the history", "search.bayesian.Bayesian.fitted"),
    (4, "- choose the configuration where the acquisition is highest", "search.bayesian.Bayesian.propose"),
    (5, "- train a model with it on the training rows", "repetition.Repetition.fit"),
    (6, "- compute its mean loss on the validation rows", "evaluation.Evaluation"),
    (7, "- add configuration and loss to the history", "pool.History.__add__"),
    (9, "Return the model with the lowest validation loss.", "selection.argmin.argmin"),
]


def table(given):
    """The steps, each with where the code does it."""
    return algorithm.table(STEPS)

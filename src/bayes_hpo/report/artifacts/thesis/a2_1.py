"""Thesis, algorithm 2.1: Bayesian optimization of an unknown function with Gaussian processes."""

from bayes_hpo.report.tables import algorithm

TITLE = "Algorithm 2.1: Bayesian optimization of an unknown function"
MEASURE = None  # it rests on no run
STEPS = [
    (1, "Begin with an empty history.", "pool.History"),
    (2, "Until B trials are made:", "search.loop.run_search"),
    (3, "- condition the Gaussian process on the history", "surrogates.gp.process.GaussianProcess.fit"),
    (4, "- choose the point where the acquisition is highest", "search.bayesian.Bayesian.propose"),
    (5, "- observe the function there, with its noise", "evaluation.Evaluation"),
    (6, "- add point and value to the history", "pool.History.__add__"),
    (8, "Return the point with the lowest value observed.", "selection.argmin.argmin"),
]


def table(given):
    """The steps, each with where the code does it."""
    return algorithm.table(STEPS)

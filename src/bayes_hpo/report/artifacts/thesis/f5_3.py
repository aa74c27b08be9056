"""Thesis, figure 5.3: covariance of the conditional kernel on the sample of figure 5.2."""

from bayes_hpo.report.figures import covariance_panels

TITLE = "Figure 5.3: covariance of the conditional kernel in a conditional space"
MEASURE = covariance_panels.MEASURE  # what it rests on instead of scores


def figure(given):
    """(matplotlib figure, notes): the matrix of the conditional kernel around the squared exponential one."""
    rows = given.measure(MEASURE)
    found, roots = covariance_panels.matrices(rows)["conditional"], covariance_panels.choices(rows)
    between = abs(found[roots[:, None] != roots]).max()
    return covariance_panels.draw_panels(rows, {"conditional": "conditional kernel"}), [
        covariance_panels.sample(rows),
        "The squared exponential kernel of figure 5.2 with imputation if two points have the same choice, else zero.",
        f"Largest covariance between choices: {between:g}; on the diagonal: {found.diagonal().min():g}.",
    ]

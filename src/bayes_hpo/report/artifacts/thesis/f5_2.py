"""Thesis, figure 5.2: covariance in a conditional space, inactive hyperparameters at random and at the middle."""

from bayes_hpo.report.figures import covariance_panels

TITLE = "Figure 5.2: covariance in a conditional space without and with imputation"
MEASURE = covariance_panels.MEASURE  # what it rests on instead of scores
PANELS = {"random": "inactive values left random", "imputed": "inactive values at the middle"}
LENGTH = 0.5  # printed in 5.4
PAIRS = ["aa", "bb", "cc", "ab", "bc", "ac"]


def figure(given):
    """(matplotlib figure, notes): both matrices of the squared exponential kernel."""
    rows = given.measure(MEASURE)
    found, roots = covariance_panels.matrices(rows), covariance_panels.choices(rows)
    length, told = covariance_panels.setting(rows, "imputed", "length"), []
    for one, other in PAIRS:
        means = [covariance_panels.mean_between(found[kernel], roots, one, other) for kernel in PANELS]
        told.append(f"{one}-{other} {means[0]:.2f} and {means[1]:.2f}")
    return covariance_panels.draw_panels(rows, PANELS), [
        covariance_panels.sample(rows),
        f"Squared exponential kernel exp(-|x - x'|²/l), {covariance_panels.as_printed(length, LENGTH)}: neither "
        "halved nor squared.",
        f"Mean covariance of two points without and with imputation: {', '.join(told)}. The document: imputation "
        "raises it within a choice, and a-b and b-c are still confused.",
    ]

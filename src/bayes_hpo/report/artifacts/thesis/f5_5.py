"""Thesis, figure 5.5: covariance of the Mondrian and of the Laplace kernel on the sample of figure 5.2."""

import numpy as np

from bayes_hpo.report.figures import covariance_panels

TITLE = "Figure 5.5: covariance of the Mondrian and the Laplace kernel in a conditional space"
MEASURE = covariance_panels.MEASURE  # what it rests on instead of scores
LENGTH = 0.75  # printed in 5.5.3


def figure(given):
    """(matplotlib figure, notes): both matrices."""
    rows = given.measure(MEASURE)
    found = covariance_panels.matrices(rows)
    length, of_5_2 = (covariance_panels.setting(rows, kernel, "length") for kernel in ("laplace", "imputed"))
    partitions = covariance_panels.setting(rows, "mondrian", "partitions")
    gap = abs(found["mondrian"] - found["laplace"])
    expected = np.sqrt(found["laplace"] * (1 - found["laplace"]) / partitions)
    titles = {"mondrian": f"Mondrian kernel, {partitions} partitions", "laplace": "Laplace kernel"}
    return covariance_panels.draw_panels(rows, titles), [
        f"{covariance_panels.sample(rows)} Inactive values at the middle, no conditional kernel.",
        f"Laplace: exp(-|x - x'|₁/l), {covariance_panels.as_printed(length, LENGTH)} (the text calls it the length of "
        f"figure 5.2, which is {of_5_2:g}); lifetime of the partitions 1/l.",
        f"They differ by {gap.mean():.3f} on average and by {gap.max():.2f} at most; standard error of the Mondrian "
        f"kernel: {expected.mean():.3f} on average. The caption in the document is that of figure 5.3.",
    ]

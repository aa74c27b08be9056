"""Thesis, figure 2.1: a Gaussian process on a few noisy observations of a simulated function."""

from matplotlib.figure import Figure

from bayes_hpo.report.cells import PERCENT
from bayes_hpo.report.figures import model_panels, style

TITLE = "Figure 2.1: a Gaussian process on noisy observations of a simulated function"
MEASURE = "gp_toy"  # what it rests on instead of scores


def figure(given):
    """(matplotlib figure, notes): truth, observations, posterior."""
    rows = in_percent(given.measure(MEASURE))
    drawing = Figure(figsize=(4.8, 2.8), layout="constrained")
    axis = drawing.subplots()
    model_panels.draw_model(axis, rows)
    axis.set(xlim=(0, 1), xlabel="hyperparameter x", ylabel="error (%)")
    style.legend_above(drawing, axis)
    return drawing, notes(rows)


def in_percent(rows):
    """The measure's frame, errors in percent."""
    return rows.assign(y=PERCENT * rows["y"], noise=PERCENT * rows["noise"])


def notes(rows):
    """Sentences for the face: the function, its observations, the posterior."""
    return [
        "True function: 15 + (6x - 2)² sin(12x - 4) percent, that of Forrester et al. (2008) as an error. One draw of "
        f"{(rows['kind'] == 'observation').sum()} observations at uniform x, with Gaussian noise of standard deviation "
        f"{rows['noise'].iloc[0]:.1f} points.",
        "Posterior: averaged over slice samples of the hyperparameters; band: one standard deviation of the function.",
        "An illustration: the printed figure's function is lost (docs/decisions.md, D34).",
    ]

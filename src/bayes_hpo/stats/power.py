"""Experiments of our size in which the published cells are the truth: their share that concludes is the power."""

import numpy as np

CORRELATION = 0.5  # of the noise of two methods on one data set: they share test parts and splits


def simulated(mean, sd, *, repetitions, datasets, rng):
    """Mean errors (draws, n, n_columns) of experiments in which the published cells are the truth.

    mean, sd (n_datasets, n_columns): of the errors over repetitions. repetitions (n_datasets,): of our experiment.
    datasets (draws, n): positions of the data sets of each experiment.
    The cells hold the noise of their own repetitions and get ours on top, so that what counts wins or takes ranks is
    drawn to zero: such power is rather too low.
    """
    deviation = sd / np.sqrt(repetitions)[:, None]  # of a mean
    common = rng.standard_normal((*datasets.shape, 1))
    own = rng.standard_normal((*datasets.shape, mean.shape[1]))
    noise = np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * own
    return mean[datasets] + deviation[datasets] * noise

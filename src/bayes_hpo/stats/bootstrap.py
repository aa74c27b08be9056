"""Resamples of an experiment: data sets drawn by family, repetitions drawn inside; the width of an interval."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit  # scipy.stats costs every job a second

DRAWS, SEED = 1000, 2018


def draw_datasets(families, draws, rng):
    """Positions (draws, n_datasets) of data sets drawn with replacement, whole families at a time.

    families (n_datasets,): label of each. Families are strung together until there are n_datasets; the last one is cut
    short there, so that every draw has the size of the experiment.
    """
    members = [np.flatnonzero(families == label) for label in np.unique(families)]
    picks = rng.integers(len(members), size=(draws, len(families)))
    return np.stack([np.concatenate([members[pick] for pick in row])[: len(families)] for row in picks])


@dataclass(frozen=True)
class Resamples:
    """datasets (draws, n_datasets): positions of the data sets that were drawn.

    slots: for each data set, the flat positions (times drawn,) in `datasets` where it stands; weights: the shares
    (times drawn, its repetitions) of its repetitions there. They are the same for every method and validation, so that
    what is paired stays paired.
    """

    datasets: np.ndarray
    slots: list
    weights: list

    @classmethod
    def draw(cls, families, repetitions, draws=DRAWS):
        """Resamples of data sets of these families (n_datasets,) with these numbers of repetitions (n_datasets,)."""
        rng = np.random.default_rng(SEED)
        datasets = draw_datasets(np.asarray(families), draws, rng)
        slots = [np.flatnonzero(datasets == position) for position in range(len(families))]
        weights = [
            rng.multinomial(number, np.full(number, 1 / number), size=len(places)) / number
            for number, places in zip(repetitions, slots, strict=True)
        ]
        return cls(datasets, slots, weights)

    def means(self, values):
        """Mean over the drawn repetitions: (n_datasets, most repetitions, n_columns) -> (draws, n_datasets, n_columns).

        values: a data set's own repetitions stand first.
        """
        means = np.empty((self.datasets.size, values.shape[-1]))
        for runs, places, weights in zip(values, self.slots, self.weights, strict=True):
            means[places] = weights @ runs[: weights.shape[1]]
        return means.reshape(*self.datasets.shape, -1)


def half_width(estimates, level, families):
    """Half the width of the interval around an estimate: Student's quantile times the sd of its resamples (draws,).

    families: how many there are; with one of them there is no interval, NaN. The repetitions' noise is in the spread of
    the data sets' means already and enters once more with the drawn repetitions, so the interval is conservative. It
    is centred on the estimate because what counts wins or takes ranks is drawn to zero by noise, in resamples twice.
    """
    if families < 2:
        return np.nan
    return float(stdtrit(families - 1, (1 + level) / 2) * np.std(estimates, ddof=1))

"""Ensembles of votes by loops that can be read: histories of given labels, votes, losses, and a toy pool."""

from collections import Counter
from math import exp

import numpy as np

from bayes_hpo.ensembles.margins import sigmoid_slope
from bayes_hpo.pool import FAILED, FINISHED, Pool, Proposal, Trial, Truth


def pool_of(labels, truth, folds=None, failed=()):
    """The pool whose trial t predicts labels[t] (n,) for rows with these true labels (n,) and folds (n,)."""
    truth, folds = np.asarray(truth, dtype=np.uint8), np.zeros(len(truth), int) if folds is None else np.asarray(folds)
    trials = []
    for t, own in enumerate(np.asarray(labels, dtype=np.uint8)):
        losses = np.array([(own != truth)[folds == fold].mean() for fold in np.unique(folds)])
        done = {"losses": losses, "predictions": own}
        lost = {"losses": np.ones(len(losses)), "status": FAILED}
        trials.append(Trial(Proposal({"C": float(t)}, t), **(lost if t in failed else done)))
    assert {trial.status for trial in trials} <= {FAILED, FINISHED}
    return Pool(tuple(trials), truth=Truth(truth, folds.astype(np.uint8)))


def random_pool(seed, trials=10, n=40, n_classes=3, n_folds=3, failed=()):
    """A pool of models of all qualities on folds of unequal sizes."""
    rng = np.random.default_rng(seed)
    truth = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    folds = np.sort(np.append(np.arange(n_folds), rng.integers(0, n_folds, n - n_folds)))
    labels = [np.where(rng.random(n) < rng.random(), truth, rng.integers(0, n_classes, n)) for _ in range(trials)]
    return pool_of(labels, truth, folds, failed)


def history_of(*args, **kwargs):
    return pool_of(*args, **kwargs).history


def winner(votes, priority):
    """The label with the most of the votes (list); of those tied, the one of the highest priority (n_classes,)."""
    tally = Counter(votes)
    most = max(tally.values())
    return max((label for label, count in tally.items() if count == most), key=lambda label: priority[label])


def loss_by_hand(name, members, truth, folds, priority):
    """The loss of an ensemble whose members (list) predict labels (n,), row by row and fold by fold."""
    size, of_folds = len(members), []
    for fold in sorted(set(folds.tolist())):
        margins, losses = [], []
        for row in np.flatnonzero(folds == fold):
            votes, y = [int(labels[row]) for labels in members], int(truth[row])
            M = sum(1 if vote == y else -1 for vote in votes) / size
            margins.append(M)
            if name == "zero_one":
                losses.append(winner(votes, priority[:, row]) != y)
            elif name == "sigmoid":
                others = Counter(vote for vote in votes if vote != y)
                lead = (votes.count(y) - max(others.values(), default=0)) / size
                losses.append(1 - 1 / (1 + exp(-sigmoid_slope(max(size, 3)) * lead)))
            else:
                losses.append({"margin": (1 - M) / 2, "squared_margin": (1 - M) ** 2 / 4}.get(name, 0))
        of_folds.append(_c_bound(margins) if name == "c_bound" else np.mean(losses))
    return np.mean(of_folds)


def _c_bound(margins):
    mu1, mu2 = np.mean(margins), np.mean(np.square(margins))
    if mu2 == 0:
        return 1 / 2
    return (1 - mu1**2 / mu2) / 2 if mu1 >= 0 else (1 + mu1**2 / mu2) / 2

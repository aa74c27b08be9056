"""Pools of class probabilities, and a study made of nothing but them: models whose probabilities follow their point."""

import numpy as np

from bayes_hpo.pool import FAILED, History, Pool, Proposal, Trial, Truth
from bayes_hpo.spaces.space import Space

# a root with choices, conditions, a number and an integer of its own, a forbidden clause, defaults
SPACE = Space(
    {
        "kind": {"choices": ["a", "b", "c"]},
        "x": {"low": 0.0, "high": 1.0},
        "depth": {"low": 1, "high": 8, "integer": True, "default": 2, "when": {"kind": "a"}},
        "shape": {"choices": ["flat", "round"], "default": "flat", "when": {"kind": ["b", "c"]}},
        "y": {"low": 1.0e-3, "high": 1.0e3, "log": True, "default": 1.0, "when": {"shape": "round"}},
    },
    forbidden=[{"kind": "c", "shape": "flat"}],
)


def probable_pool(probabilities, truth, folds=None, failed=()):
    """The pool whose trial t has the probabilities (n, n_classes) for rows with these true labels (n,)."""
    truth = np.asarray(truth, dtype=np.uint8)
    folds = np.zeros(len(truth), np.uint8) if folds is None else np.asarray(folds, dtype=np.uint8)
    trials = []
    for t, values in enumerate(np.asarray(probabilities, dtype=np.float32)):
        losses = np.array([(values.argmax(axis=1) != truth)[folds == fold].mean() for fold in np.unique(folds)])
        done = {"losses": losses, "predictions": values}
        lost = {"losses": np.ones(len(losses)), "status": FAILED}
        trials.append(Trial(Proposal({"C": float(t)}, t), **(lost if t in failed else done)))
    return Pool(tuple(trials), truth=Truth(truth, folds))


def random_probabilities(seed, trials=8, n=30, n_classes=3, n_folds=1, failed=(), steps=8):
    """A pool of models of all qualities; probabilities are multiples of 1 / steps, so that many are equal."""
    rng = np.random.default_rng(seed)
    truth = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    folds = np.sort(np.append(np.arange(n_folds), rng.integers(0, n_folds, n - n_folds)))
    skill = rng.random(trials) * 0.6
    right = np.eye(n_classes)[truth]
    chances = skill[:, None, None] * right + (1 - skill)[:, None, None] * rng.dirichlet(np.ones(n_classes), (trials, n))
    counts = np.array([[rng.multinomial(steps, row / row.sum()) for row in model] for model in chances])
    return probable_pool(counts / steps, truth, folds, failed)


class Study:
    """An evaluation of points of SPACE: a logistic model of n rows whose weights are its coordinates."""

    def __init__(self, n=40, failing=(), space=SPACE):
        rng = np.random.default_rng(5)
        self.space, self.failing = space, set(failing)
        self.inputs = rng.standard_normal((n, 6))
        truth = (self.inputs[:, 0] + 0.5 * rng.standard_normal(n) > 0).astype(np.uint8)
        self.truth = Truth(truth, np.zeros(n, np.uint8))

    def __call__(self, proposal):
        if proposal.round in self.failing:
            return Trial(proposal, np.ones(1), FAILED)
        x = proposal.configuration
        kind = "abc".index(x["kind"])
        depth, shape = x.get("depth", 2) / 8, np.log10(x.get("y", 1.0)) / 3
        weights = np.array([2 * x["x"], kind - 1.0, depth, shape, 1 - kind / 2, x["x"] * shape])
        p = 1 / (1 + np.exp(-self.inputs @ weights))
        probabilities = np.column_stack([1 - p, p]).astype(np.float32)
        return Trial(proposal, np.array([(probabilities.argmax(1) != self.truth.y).mean()]), predictions=probabilities)

    def run(self, searcher, trials, seeds, done=()):
        """The trials (list) of a search that goes on from those that are done."""
        done = list(done)
        while len(done) < trials:
            done.append(self(searcher.propose(self.history(done), seeds)))
        return done

    def history(self, trials):
        return History(trials, self.truth)


def configurations(trials):
    return [trial.proposal.configuration for trial in trials]

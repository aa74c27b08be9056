"""What a suggestion of DivBO costs at its last trial, beside one of BO, and a selection from all trials.

    python -m benchmarks.divbo [SPACE]

CPU seconds, the least of TURNS, with TRIALS random models of ROWS validation rows. SPACE: an option of conf/space.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse

import numpy as np

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import options, written
from bayes_hpo.pool import History, Pool, Proposal, Trial, Truth
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from benchmarks.clock import cpu_seconds

TRIALS, ROWS, TURNS = 250, 4000, 3
SEEDS = Seeds("benchmarks", "divbo", 0)


def main():
    """Measure every act and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.divbo", description=__doc__.splitlines()[0])
    parser.add_argument("space", nargs="?", default="divbo", choices=options("space"))
    space = build(written("space", parser.parse_args().space), "space")
    for name, seconds in measure(space, history(space)).items():
        print(f"{name}: {seconds:.2f} s")


def history(space):
    """The history of TRIALS random configurations, whose probabilities of two classes follow their points."""
    rng, search = SEEDS("models"), RandomSearch(space)
    truth = rng.integers(0, 2, ROWS).astype(np.uint8)
    shared, slopes = rng.standard_normal(ROWS) + 1.6 * truth - 0.8, rng.standard_normal((len(space), ROWS))
    trials = []
    for t in range(TRIALS):
        proposal = search.propose(range(t), SEEDS)
        (point,) = space.encode([proposal.configuration])
        p = 1 / (1 + np.exp(-shared - (point - 0.5) @ slopes))
        probabilities = np.column_stack([1 - p, p]).astype(np.float32)
        memory, loss = {"point": point}, np.mean((p > 0.5) != truth)
        trials.append(Trial(Proposal(proposal.configuration, t, memory), np.array([loss]), predictions=probabilities))
    return History(trials, Truth(truth, np.zeros(ROWS, np.uint8)))


def measure(space, past):
    """CPU seconds of every act, by name."""
    pool = Pool(tuple(past[t] for t in range(len(past))), truth=past.truth)
    acts = {name: proposing(searcher(name, space), past) for name in ("divbo_bo", "divbo")}
    acts |= {name: (lambda name=name: selector(name)(pool, SEEDS)) for name in ("es", "es_100", "nes")}
    return {name: min(cpu_seconds(act) for _ in range(TURNS)) for name, act in acts.items()}


def proposing(search, past):
    """What a searcher does at its last trial, after it has proposed the one before."""
    search.propose(past[: len(past) - 1], SEEDS)
    return lambda: search.propose(past, SEEDS)


def searcher(name, space):
    """A searcher of conf/."""
    return build(written("searcher", name), "searcher", space=space, budget=TRIALS)


def selector(name):
    """A selector of conf/."""
    return build(written("selector", name), "selector")


if __name__ == "__main__":
    main()

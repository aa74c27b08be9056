"""What a suggestion of DivBO costs at its last trial, beside one of BO, and a selection from all trials.

    python -m benchmarks.divbo [SPACE]
    python -m benchmarks.divbo --searches rb divbo_eo     (rows of conf/costs.csv)

CPU seconds, the least of TURNS, with TRIALS random models of ROWS validation rows. SPACE: an option of conf/space. Of a
search with such models: the mean of all its suggestions.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import time

import numpy as np

from bayes_hpo.campaign.grid import Grid
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
    parser.add_argument("--searches", nargs="+", choices=options("searcher"), default=[])
    chosen = parser.parse_args()
    space = build(written("space", chosen.space), "space")
    for name in chosen.searches:
        print(f"suggestion,pipeline,{name},,,,4950,1,{suggesting(name, space):.3g}")
    for name, seconds in measure(space, history(space)).items() if not chosen.searches else ():
        print(f"{name}: {seconds:.2f} s")


def history(space):
    """The history of TRIALS random configurations, each with its point."""
    search, (trial_of, truth) = RandomSearch(space), models(space)
    drawn = [search.propose(range(t), SEEDS).configuration for t in range(TRIALS)]
    proposals = [Proposal(c, t, {"point": space.encode([c])[0]}) for t, c in enumerate(drawn)]
    return History([trial_of(proposal) for proposal in proposals], truth)


def models(space):
    """(Function from a proposal to its trial, Truth): probabilities of two classes that follow from encoded points."""
    rng = SEEDS("models")
    truth = rng.integers(0, 2, ROWS).astype(np.uint8)
    shared, slopes = rng.standard_normal(ROWS) + 1.6 * truth - 0.8, rng.standard_normal((len(space), ROWS))

    def trial_of(proposal):
        (point,) = space.encode([proposal.configuration])
        p = 1 / (1 + np.exp(-shared - (point - 0.5) @ slopes))
        probabilities = np.column_stack([1 - p, p]).astype(np.float32)
        return Trial(proposal, np.array([np.mean((p > 0.5) != truth)]), predictions=probabilities)

    return trial_of, Truth(truth, np.zeros(ROWS, np.uint8))


def suggesting(name, space):
    """CPU seconds of a suggestion, mean over a search of TRIALS trials; name: of a searcher, as at scale small."""
    node = Grid.of("divbo", "small").job("holdout", name)["searcher"]
    search, (trial_of, truth) = build(node, "searcher", space=space, budget=TRIALS), models(space)
    past, seconds = History((), truth), 0.0
    for _ in range(TRIALS):
        begin = time.process_time()
        proposal = search.propose(past, SEEDS)
        seconds += time.process_time() - begin
        past += trial_of(proposal)
    return seconds / TRIALS


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

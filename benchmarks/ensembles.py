"""What the mathematics of ensembles costs: losses of all candidates of a slot, a turn of the slots, a selection.

    python -m benchmarks.ensembles

CPU milliseconds, the least and the median of TURNS, with 200 models, 5,000 validation rows in five folds, 12 members.
Times hang on how often models are wrong: their errors lie between 5 % and what a column says. Then what a proposal
costs after 200 random trials with the labels of seven classes, and which part of it are EO's observations: searches of
scale small, whose chain begins with 20 sweeps in EO, and with the 100 of paper. Puts the tables into README.md.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
from dataclasses import replace

import numpy as np
import pandas as pd

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.ensembles import losses
from bayes_hpo.ensembles.agnostic_bayes import Resampled, shares
from bayes_hpo.ensembles.bootstraps import BayesianBootstraps, Bootstraps
from bayes_hpo.ensembles.greedy import Greedy
from bayes_hpo.ensembles.row_losses import row_losses
from bayes_hpo.ensembles.slots import Replay, Slots
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.pool import History, Proposal, Trial, Truth
from bayes_hpo.report.tables.markdown import markdown, put
from bayes_hpo.seeds import Seeds
from benchmarks.clock import cpu_seconds
from benchmarks.page import PAGE

TRIALS, ROWS, FOLDS, MEMBERS, TURNS = 200, 5000, 5, 12, 15
SEEDS = Seeds("benchmarks", "ensembles", 0)
TASK = build(written("task", "classification"), "task")
LOSSES = ("zero_one", "margin", "squared_margin", "sigmoid", "c_bound")
PROBLEMS = {  # column -> classes, the largest error of a model
    "2 classes, to 50 %": (2, 0.5),
    "7 classes, to 50 %": (7, 0.5),
    "26 classes, to 50 %": (26, 0.5),
    "26 classes, to 96 %": (26, 0.96),
}


SEARCHES = {  # row -> study, scale, searcher
    "BO, uai2016's learners": ("ensembles_sklearn_uai", "small", "bo"),
    "EO, uai2016's learners": ("ensembles_sklearn_uai", "small", "eo"),
    "EO, uai2016's learners, 100 sweeps": ("ensembles_chain", "small", "eo_burn_in_100"),
    "BO, table 4.6": ("conditional", "small", "gp_matern_ls"),
    "EO, table 4.6": ("ensembles_sklearn", "small", "eo_sqm"),
}


def main():
    """Measure every problem and show them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ensembles", description=__doc__.splitlines()[0])
    parser.parse_args()
    columns = {name: measure(history(*problem)) for name, problem in PROBLEMS.items()}
    put("ensembles", markdown("CPU milliseconds, least / median", pd.DataFrame(columns)), PAGE)
    acts = pd.DataFrame({name: proposals(*search) for name, search in SEARCHES.items()}).T
    put("proposals of ensembles", markdown("CPU seconds, least / median", acts), PAGE)


def history(n_classes, largest_error):
    """The history of TRIALS models of all qualities, the poor ones rarer, as in a search."""
    rng = SEEDS("models", n_classes)
    truth = rng.integers(0, n_classes, ROWS).astype(np.uint8)
    folds = np.repeat(np.arange(FOLDS), ROWS // FOLDS).astype(np.uint8)
    trials = []
    for t in range(TRIALS):
        error = 0.05 + (largest_error - 0.05) * rng.beta(1, 2)
        wrong = (truth + rng.integers(1, n_classes, ROWS)) % n_classes
        labels = np.where(rng.random(ROWS) < error, wrong, truth).astype(np.uint8)
        fold_losses = (labels != truth).reshape(FOLDS, -1).mean(axis=1)
        trials.append(Trial(Proposal({"C": float(t)}, t), fold_losses, predictions=labels))
    return History(trials, Truth(truth, folds))


def measure(past):
    """Milliseconds of every act, name -> "least / median"."""
    votes, every = StoredVotes.of(past, SEEDS), np.arange(TRIALS)
    rest, slots = list(range(MEMBERS - 1)), Slots(m=MEMBERS, loss=losses.squared_margin, pick=losses.zero_one)
    greedy, before = Greedy(size=MEMBERS, first=3), past[: TRIALS - 1]
    acts = {
        f"all candidates of a slot: {name}": lambda name=name: getattr(losses, name)(votes.extended(rest, every))
        for name in LOSSES
    }
    acts |= {
        "votes of a history, and their errors": lambda: StoredVotes.of(past, SEEDS).errors,
        "what a searcher needs at its last trial": proposing(slots, before, past),
        "selection of 12 from 200": lambda: greedy.path(StoredVotes.of(past, SEEDS), SEEDS),
        "replay of 200 trials": lambda: slots.filled(StoredVotes.of(past, SEEDS)),
        "agnostic Bayes of 150, 75 bootstraps": lambda: weights(past[:150], Bootstraps(75)),
        "agnostic Bayes of 150, 1,000 bootstraps": lambda: weights(past[:150], Bootstraps(1000)),
        "agnostic Bayes of 150, 1,000 Dirichlet draws": lambda: weights(past[:150], BayesianBootstraps(1000)),
    }
    return {name: "{:.1f} / {:.1f}".format(*timed(act)) for name, act in acts.items()}


def weights(past, resampling):
    """The weights of all trials, from their stored predictions on."""
    losses = row_losses(past, TASK)
    return shares(Resampled(resampling).samples(losses, SEEDS), np.ones(len(past), dtype=bool))


def proposing(slots, before, past):
    """Function: from a history that is one trial longer to its votes, the slot's new member and the observations."""
    replay = Replay(slots)
    replay(StoredVotes.of(before, SEEDS))
    known = replay._latest

    def act():
        replay._latest = known  # so that every turn is the first one
        votes = StoredVotes.of(past, SEEDS)
        slots.observations(replay(votes), votes)

    return act


def proposals(study, scale, name):
    """The cost of the proposal after TRIALS random trials, and of its observations: dict, what -> text."""
    job = Grid.of(study, scale).job("kfold", name)
    space = build(job["space"], "space")
    search = build(job["searcher"], "searcher", space=space, budget=TRIALS + 1)
    past = history(*PROBLEMS["7 classes, to 50 %"])
    trials = [replace(past[t], proposal=Proposal(space.sample(SEEDS("configuration", t)), t)) for t in range(TRIALS)]
    before = History(trials[:-1], past.truth)
    trials[-1] = replace(trials[-1], proposal=search.propose(before, SEEDS))  # with the state of its chain
    whole = timed(lambda: search.propose(History(trials, past.truth), SEEDS))
    search.propose(before, SEEDS)  # EO then knows the slots after all trials but the last
    seen = timed(lambda: search.observations(History(trials, past.truth), SEEDS))
    texts = {"proposal": whole, "observations": seen}
    return {what: "{:.3f} / {:.3f}".format(*(part / 1e3 for part in times)) for what, times in texts.items()}


def timed(act):
    """The least and the median of TURNS, CPU milliseconds; three where one takes longer than half a second."""
    seconds = [cpu_seconds(act)]
    while len(seconds) < (TURNS if seconds[0] < 0.5 else 3):
        seconds.append(cpu_seconds(act))
    return 1e3 * min(seconds), 1e3 * float(np.median(seconds))


if __name__ == "__main__":
    main()

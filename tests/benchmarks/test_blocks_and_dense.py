"""The comparison of blocks with the dense kernel measures the same suggestion twice."""

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.pool import History, Pool, Trial
from bayes_hpo.seeds import Seeds
from benchmarks import blocks

pytestmark = pytest.mark.slow  # whole suggestions are timed


@pytest.fixture(scope="module")
def pool():
    """Twelve trials of gp_cond_ls on the space of table 5.1, with a loss for each learner."""
    cfg = configure("plan", ["study=conditional", "scale=toy"], groups=("searcher",))
    job = {"searcher": cfg["searchers"]["gp_cond_ls"], "space": cfg["study"]["space"]}
    searcher = build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=13)
    trials, seeds = [], Seeds("study", "toy", 0)
    while len(trials) < 12:
        proposal = searcher.propose(History(trials), seeds)
        trials.append(Trial(proposal, np.array([len(proposal.configuration) / 10])))
    return Pool(tuple(trials), provenance={"job": job})


def test_every_part_has_both_times_and_the_blocks_hold_all_trials(pool, monkeypatch):
    monkeypatch.setattr(blocks, "TURNS", 1)
    row = blocks.measure(pool)
    assert list(row) == ["block sizes", "fit: ten sweeps", "posterior", "1,000 samples", "local search", "a suggestion"]
    sizes = [int(size) for size in row.pop("block sizes").split(", ")]
    assert sum(sizes) == 12
    assert sizes == sorted(sizes, reverse=True)
    for both in row.values():
        assert all(float(value) > 0 for value in both.split(" / "))

"""Searches made of nothing but probabilities."""

from pathlib import Path

from bayes_hpo.measures.searches import Search
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
KEY = {"dataset": "toy", "repetition": 0, "validation": "holdout", "method": "bo_es"}


def search_of(pool):
    """The search that left a pool; nothing proposes its trials again."""
    return Search(KEY, Path("rep_000.npz"), pool, None, SEEDS)

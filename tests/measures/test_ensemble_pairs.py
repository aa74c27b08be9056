"""Pairs of members: symmetric squares, and their means by a loop."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from probable_pools import random_probabilities

from bayes_hpo.claims.sample import MEASURED, QUANTITIES
from bayes_hpo.ensembles.greedy import RandomTies
from bayes_hpo.ensembles.probabilities import zero_one
from bayes_hpo.measures.ensemble_pairs import EnsemblePairs, PairStatistics, squares
from bayes_hpo.selection.ensemble_selection import EnsembleSelection
from tests.measures.made_up import SEEDS, search_of

ES = RandomTies(size=9, loss=zero_one)


@pytest.fixture
def search():
    return search_of(random_probabilities(3, trials=20, n=50, failed={2}))


def test_squares_are_symmetric_and_zero_on_the_diagonal(search):
    members, *both = squares(search, ES)
    assert len(members) > 2
    for square in both:
        np.testing.assert_array_equal(square, square.T)
        np.testing.assert_array_equal(np.diag(square), 0)
        assert square.max() > 0


def test_the_members_are_those_of_the_method_in_order_of_observation(search):
    ensemble = EnsembleSelection(greedy=ES)(search.pool, SEEDS)
    assert squares(search, ES)[0].tolist() == sorted(member.trial for member in ensemble.members)


def test_rows_have_every_ordered_pair_once_and_count_trials_from_one(search):
    members, diversity, disagreement = squares(search, ES)
    rows = list(EnsemblePairs(methods=["bo_es"], ensemble=ES)._rows(search))
    assert len({(row["first"], row["second"]) for row in rows}) == len(rows) == len(members) ** 2
    for row in rows:
        i, j = (members.tolist().index(row[name] - 1) for name in ("first", "second"))
        assert (row["diversity"], row["disagreement"]) == (diversity[i, j], disagreement[i, j])


def test_statistics_are_means_over_unordered_pairs(search):
    found = PairStatistics(methods=["bo_es"], ensemble=ES).statistics(search)
    members = squares(search, ES)[0]
    models = [search.pool[t].predictions.astype(float) for t in members]
    pairs = list(combinations(models, 2))
    distances = [np.sqrt(2) / 2 * np.linalg.norm(a - b, axis=1).mean() for a, b in pairs]
    differs = [(a.argmax(axis=1) != b.argmax(axis=1)).mean() for a, b in pairs]
    assert found == {
        "pair_diversity": pytest.approx(np.mean(distances)),
        "pair_disagreement": pytest.approx(np.mean(differs)),
    }
    assert set(found) & set(QUANTITIES) == set(MEASURED["pair_statistics"])


def test_a_single_member_differs_from_no_other(search):
    alone = search_of(replace(search.pool, trials=search.pool.trials[:1]))
    assert PairStatistics(methods=["bo_es"], ensemble=ES).statistics(alone) == {
        "pair_diversity": 0.0,
        "pair_disagreement": 0.0,
    }

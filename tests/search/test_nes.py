"""Laws of neural ensemble search: its population, its parents, its mutations."""

import json
from dataclasses import replace

import numpy as np
import pytest
from probable_pools import SPACE, Study, configurations

from bayes_hpo.configuration.build import build
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
STUDY = Study()


@pytest.fixture(scope="module")
def searcher(grid_of):
    """Function: the searcher nes of conf/ on SPACE, with another population."""

    def make(population=8, size=3):
        built = build(grid_of().cfg["searchers"]["nes"], "searcher", space=SPACE, budget=40)
        return replace(built, population=population, ensemble=replace(built.ensemble, size=size))

    return make


@pytest.fixture(scope="module")
def trials(searcher):
    return STUDY.run(searcher(), 30, SEEDS)


def _one_choice_apart(child, parent):
    """Whether two configurations differ in one choice, and else only in what it activates."""
    both = {name for name in child if name in parent and child[name] != parent[name]}
    appeared = set(child) ^ set(parent)
    roots = both - {"shape", "y"} if "kind" in both else both
    return len(roots) == 1 and (not appeared or bool(roots & {"kind", "shape"}))


def test_the_configured_one_has_the_numbers_of_the_protocol(grid_of):  # D25
    built = build(grid_of().cfg["searchers"]["nes"], "searcher", space=SPACE, budget=40)
    assert (built.population, built.ensemble.size, built.ensemble.loss.func.__name__) == (30, 10, "cross_entropy")


def test_it_begins_with_random_trials(trials):
    random = configurations(STUDY.run(RandomSearch(SPACE), 9, SEEDS))
    assert configurations(trials)[:8] == random[:8]
    assert configurations(trials)[8] != random[8]


def test_a_child_is_one_exchange_away_from_a_member_of_the_populations_ensemble(searcher, trials):
    for t in range(8, 30):
        parents = searcher().parents(STUDY.history(trials[:t]), SEEDS)
        assert len(set(parents)) == 3
        assert set(parents) <= set(range(t - 8, t))
        child = trials[t].proposal.configuration
        assert any(_one_choice_apart(child, trials[parent].proposal.configuration) for parent in parents)


def test_any_member_of_the_ensemble_may_be_the_parent(searcher, trials):
    children = [
        searcher().propose(STUDY.history(trials), replace(SEEDS, repetition=r)).configuration for r in range(60)
    ]
    parents = searcher().parents(STUDY.history(trials), SEEDS)
    near = [[_one_choice_apart(child, trials[p].proposal.configuration) for child in children] for p in parents]
    assert np.array(near).any(axis=1).all()


def test_every_trial_draws_its_mutation_anew(searcher, trials):
    """Of a population of nothing but equal models, whose parent is always the same."""
    same = [trials[0]] * 40
    children = {str(searcher().propose(STUDY.history(same[:t]), SEEDS).configuration) for t in range(8, 40)}
    assert len(children) > 16  # of 32, of which a choice that is resampled gives some twice


@pytest.mark.parametrize("size", [3, 8])
def test_failed_trials_age_but_are_no_parents(searcher, size):
    """The population is the latest eight trials, not the latest eight that have finished."""
    failing = {4, 9, 10, 11}
    trials = Study(failing=failing).run(RandomSearch(SPACE), 20, SEEDS)
    for t in range(8, 21):
        population = set(range(t - 8, t)) - failing
        parents = searcher(size=size).parents(STUDY.history(trials[:t]), SEEDS)
        assert set(parents) <= population
        assert len(set(parents)) == min(size, len(population))


def test_after_a_population_of_failures_it_goes_on_at_random(searcher):
    trials = Study(failing=range(10)).run(searcher(), 12, SEEDS)
    random = configurations(STUDY.run(RandomSearch(SPACE), 12, SEEDS))
    assert configurations(trials)[:11] == random[:11]
    assert configurations(trials)[11] != random[11]


def test_a_search_resumed_at_every_trial_equals_the_uninterrupted_one(searcher, trials):
    for cut in range(20):
        journal = json.loads(json.dumps([to_record(trial) for trial in trials[:cut]]))
        resumed = STUDY.run(searcher(), cut + 1, SEEDS, [from_record(record) for record in journal])
        assert configurations(resumed) == configurations(trials[: cut + 1])

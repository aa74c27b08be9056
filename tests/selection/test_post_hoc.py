"""Laws of the ensembles selected from a finished search."""

from dataclasses import replace

import numpy as np
import pytest
from votes_by_hand import pool_of, random_pool

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.combine import Vote, vote
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.ensembles.greedy import Bagged, Greedy, WithoutReplacement
from bayes_hpo.ensembles.losses import squared_margin, zero_one
from bayes_hpo.ensembles.ties import smallest_label
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.pool import Pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.selection.post_hoc import PostHoc, PostHocOfBestSize

SEEDS = Seeds("study", "toy", 0)
TWELVE = PostHoc(greedy=Greedy(size=12, first=3))


@pytest.fixture
def configured(grid_of):
    """The selector of conf/selector/post_hoc.yaml."""
    return build(grid_of(scale="small").cfg["selectors"]["post_hoc"], "selector")


def _times(ensemble):
    return {member.trial: member.weight for member in ensemble.members}


def test_the_configured_one_has_12_votes_the_three_best_first_with_replacement(configured):
    for seed in range(5):
        pool = random_pool(seed, trials=20, n=60)
        assert configured(pool, SEEDS) == TWELVE(pool, SEEDS)
        times = _times(configured(pool, SEEDS))
        assert sum(times.values()) == 12
        assert set(pool.history.losses.argsort(kind="stable")[:3].tolist()) <= set(times)
    assert any(max(_times(TWELVE(random_pool(seed, trials=20, n=60), SEEDS)).values()) > 1 for seed in range(5))


def test_its_members_are_those_of_the_path_and_their_weights_how_often_it_took_them():
    pool = random_pool(0, trials=15)
    path = TWELVE.greedy.path(StoredVotes.of(pool.history, SEEDS), SEEDS).trials.tolist()
    ensemble = TWELVE(pool, SEEDS)
    assert _times(ensemble) == {trial: path.count(trial) for trial in path}
    assert [member.trial for member in ensemble.members] == list(dict.fromkeys(path))
    for member in ensemble.members:
        assert member.configuration == pool[member.trial].proposal.configuration


def test_of_one_member_it_is_argmin():
    for seed in range(30):
        pool = random_pool(seed, n=12, failed={seed % 10})
        ensemble = PostHoc(greedy=Greedy(size=1))(pool, SEEDS)
        assert ensemble.members == argmin(pool, SEEDS).members
        assert ensemble.combine == vote


def test_the_rule_for_ties_reaches_selection_and_ensemble():
    """A weighted vote of distinct members by the rule of the final ensemble has the loss of the path."""
    select, differ = PostHoc(greedy=TWELVE.greedy, ties=smallest_label), 0
    for seed in range(10):
        pool = random_pool(seed, trials=15, n_classes=4, n_folds=1)
        ensemble = select(pool, SEEDS)
        assert ensemble.combine == Vote(smallest_label)
        predicted = ensemble.combined(np.array([pool[member.trial].predictions for member in ensemble.members]), None)
        path = select.greedy.path(StoredVotes.of(pool.history, SEEDS, smallest_label), SEEDS)
        np.testing.assert_allclose((predicted != pool.truth.y).mean(), path.losses[-1])
        differ += _times(ensemble) != _times(TWELVE(pool, SEEDS))
    assert differ


def test_the_drawn_order_of_labels_is_the_one_of_the_final_vote_too():
    """On rows whose orders are drawn by one name, the selection's vote and the ensemble's are the same."""
    pool = random_pool(1, trials=15, n_classes=4, n_folds=1)
    ensemble = TWELVE(pool, SEEDS)
    labels = np.array([pool[member.trial].predictions for member in ensemble.members])
    votes = StoredVotes.of(pool.history, SEEDS)
    predicted = ensemble.combined(labels, SEEDS("validation_vote"))
    path = TWELVE.greedy.path(votes, SEEDS)
    np.testing.assert_allclose((predicted != pool.truth.y).mean(), path.losses[-1])


def test_the_best_size_is_the_shortest_of_the_lowest_loss():
    for seed in range(10):
        pool = random_pool(seed, trials=15)
        path = TWELVE.greedy.path(StoredVotes.of(pool.history, SEEDS), SEEDS)
        size = int(np.flatnonzero(path.losses == path.losses.min())[0]) + 1
        times = _times(PostHocOfBestSize(greedy=TWELVE.greedy)(pool, SEEDS))
        assert sum(times.values()) == size
        assert times == {trial: path.trials[:size].tolist().count(trial) for trial in path.trials[:size].tolist()}


def test_it_reads_nothing_but_what_the_search_has_seen():
    """NaN in the selection losses and in the test predictions changes no bit (blindness)."""
    pool = random_pool(2, trials=15)
    nan = {"selection_losses": np.full(3, np.nan), "test_predictions": np.full(9, np.nan)}
    blinded = replace(pool, trials=tuple(replace(trial, **nan) for trial in pool))
    for select in (TWELVE, PostHoc(greedy=Bagged(size=5, first=2))):
        assert select(blinded, SEEDS) == select(pool, SEEDS)


def test_at_t_it_reads_the_first_t_trials():
    one, two = random_pool(0, trials=15), random_pool(1, trials=15)
    two = pool_of([trial.predictions for trial in two], one.truth.y, one.truth.folds)
    mixed = replace(one, trials=one.trials[:8] + two.trials[8:])
    for t in range(1, 9):
        assert TWELVE(mixed[:t], SEEDS) == TWELVE(one[:t], SEEDS)


def test_another_loss_may_choose_the_members():
    pools = [random_pool(seed, trials=15) for seed in range(5)]
    other = PostHoc(greedy=Greedy(size=12, first=3, loss=squared_margin))
    assert any(_times(other(pool, SEEDS)) != _times(TWELVE(pool, SEEDS)) for pool in pools)


def test_bad_pools_are_refused_in_one_sentence():
    with pytest.raises(EmptyPoolError, match="none of the 10 trials of this pool has finished"):
        TWELVE(random_pool(0, failed=set(range(10))), SEEDS)
    with pytest.raises(RunError, match="stores no predictions; give its study evaluation: predictions"):
        TWELVE(Pool(random_pool(0).trials), SEEDS)
    with pytest.raises(RunError, match=r"size=12 members without replacement need as many .* has 10; lower size"):
        PostHoc(greedy=WithoutReplacement(size=12))(random_pool(0), SEEDS)


def test_an_ensemble_of_trials_counts_a_trial_as_often_as_it_stands():
    configurations = [{"C": float(t)} for t in range(4)]
    ensemble = Ensemble.of_trials(configurations, np.array([3, 0, 3]))
    assert ensemble == Ensemble((Member({"C": 3.0}, 2.0, 3), Member({"C": 0.0}, 1.0, 0)))
    assert zero_one is PostHoc(greedy=Greedy(size=1)).greedy.loss

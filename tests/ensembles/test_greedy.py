"""Laws of forward selection."""

from collections import Counter

import numpy as np
import pytest
from votes_by_hand import history_of, loss_by_hand, random_pool

from bayes_hpo.ensembles.greedy import Bagged, Bags, Greedy, WithoutReplacement, drawn
from bayes_hpo.ensembles.losses import c_bound, margin, sigmoid, squared_margin, zero_one
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.errors import EmptyPoolError, RunError, UserError
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
LOSSES = [zero_one, margin, squared_margin, sigmoid, c_bound]


def _votes(seed=0, **given):
    return StoredVotes.of(random_pool(seed, **given).history, SEEDS)


def _by_hand(votes, size, first, loss, repeated=True):
    """Members step by step, every candidate's ensemble evaluated row by row (D22, D24)."""
    own, rows = votes.losses.tolist(), (votes.truth, votes.folds, votes.priority)
    pool = np.flatnonzero(votes.finished).tolist()
    members = sorted(pool, key=lambda t: (own[t], t))[: min(first, size)]
    while len(members) < size:
        left = [t for t in pool if repeated or t not in members]
        keys = [(round(loss_by_hand(loss.__name__, votes.labels[[*members, t]], *rows), 11), own[t], t) for t in left]
        members.append(min(keys)[2])
    return members


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("first", [1, 3])
def test_a_path_is_that_of_the_slow_loop(loss, first):
    for seed, n_classes in enumerate([2, 2, 4, 4]):
        votes = _votes(seed, n=16, n_classes=n_classes, failed={1, 4})
        found = Greedy(size=7, first=first, loss=loss).path(votes, SEEDS).trials.tolist()
        assert found == _by_hand(votes, 7, first, loss)
        found = WithoutReplacement(size=7, first=first, loss=loss).path(votes, SEEDS).trials.tolist()
        assert found == _by_hand(votes, 7, first, loss, repeated=False)
        assert len(set(found)) == 7


def test_of_size_one_it_is_the_trial_of_the_lowest_loss():
    for seed in range(50):
        votes = _votes(seed, n=12)
        for loss in (zero_one, margin, squared_margin):
            assert Greedy(size=1, loss=loss).path(votes, SEEDS).trials.tolist() == [votes.losses.argmin()]
            assert votes.best([], np.arange(10), loss) == votes.losses.argmin()  # the step from the empty ensemble too


def test_the_last_step_is_the_best_of_all():
    """Of all ensembles that one more model can make of the others, none has a lower loss."""
    for seed in range(10):
        votes = _votes(seed)
        path = Greedy(size=4, first=2).path(votes, SEEDS)
        rows = votes.truth, votes.folds, votes.priority
        every = [loss_by_hand("zero_one", votes.labels[[*path.trials[:3], t]], *rows) for t in range(10)]
        np.testing.assert_allclose(path.losses[3], min(every))


def test_a_selection_of_two_is_the_best_pair_with_the_best_single_model():
    for seed in range(20):
        votes = _votes(seed, trials=5)
        path = Greedy(size=2, loss=squared_margin).path(votes, SEEDS)
        best = votes.losses.argmin()
        pairs = [votes.loss(squared_margin, [best, other]) for other in range(5)]
        np.testing.assert_allclose(path.losses[1], min(pairs))


def test_a_shorter_path_is_the_beginning_of_a_longer_one():
    votes = _votes()
    for kind in (Greedy, WithoutReplacement, Bagged):
        paths = [kind(size=size, first=3).path(votes, SEEDS) for size in range(1, 9)]
        for path in paths[:-1]:
            np.testing.assert_array_equal(paths[-1].trials[: len(path.trials)], path.trials)
            np.testing.assert_array_equal(paths[-1].losses[: len(path.trials)], path.losses)


def test_the_losses_of_a_path_are_those_of_its_ensembles():
    votes = _votes()
    path = Greedy(size=8, first=3).path(votes, SEEDS)
    rows = votes.truth, votes.folds, votes.priority
    expected = [loss_by_hand("zero_one", votes.labels[path.trials[: step + 1]], *rows) for step in range(8)]
    np.testing.assert_allclose(path.losses, expected)


def test_a_failed_trial_is_never_chosen():
    votes = _votes(failed={0, 3, 4, 9})
    for kind in (Greedy, Bagged, Bags):
        assert not {0, 3, 4, 9} & set(kind(size=12, first=3).path(votes, SEEDS).trials.tolist())


def test_of_fewer_finished_trials_than_are_taken_first_all_are_taken():
    votes = _votes(trials=4, failed={1, 2})
    path = Greedy(size=5, first=3).path(votes, SEEDS)
    assert set(path.trials[:2].tolist()) == {0, 3}
    assert len(path.trials) == 5


@pytest.mark.parametrize("kind", [Greedy, WithoutReplacement, Bagged])
@pytest.mark.parametrize("size", [1, 2])
def test_a_selection_of_fewer_than_are_taken_first_is_the_best_of_them(kind, size):
    votes = _votes()
    path = kind(size=size, first=3).path(votes, SEEDS)
    assert path.trials.tolist() == votes.losses.argsort(kind="stable")[:size].tolist()
    assert len(path.losses) == size
    assert len(Bags(size=size, first=3, bags=4).path(votes, SEEDS).trials) == 4 * size


def test_three_best_are_three_trials_of_one_configuration_too():
    labels = [[0, 0, 0, 1], [0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1]]
    votes = StoredVotes.of(history_of(labels, np.zeros(4)), SEEDS)
    assert Greedy(size=3, first=3).path(votes, SEEDS).trials.tolist() == [0, 2, 3]


def test_a_bagged_step_chooses_the_best_of_its_share_of_the_pool():
    votes, greedy = _votes(trials=20), Bagged(size=9, first=5, share=0.66)
    path, pool, shares = greedy.path(votes, SEEDS).trials.tolist(), np.arange(20), []
    for step in range(5, 9):
        shares.append(greedy.candidates(path[:step], pool, SEEDS))
        assert len(shares[-1]) == len(set(shares[-1])) == 13
        assert path[step] == votes.best(path[:step], shares[-1], zero_one)
    assert len({tuple(share) for share in shares}) == 4  # drawn anew for every step
    assert greedy.path(votes, SEEDS).trials.tolist() == path
    assert (
        Bagged(size=9, first=5, share=1.0).path(votes, SEEDS).trials.tolist()
        == Greedy(size=9, first=5).path(votes, SEEDS).trials.tolist()
    )


def test_bags_are_selections_of_their_own_one_after_the_other():
    votes = _votes(trials=12)
    path = Bags(size=4, first=2, bags=3, share=0.5).path(votes, SEEDS)
    assert len(path.trials) == len(path.losses) == 12
    for bag in range(3):
        members = drawn(np.arange(12), 0.5, SEEDS("bag", bag))
        assert len(members) == 6
        assert path.trials[4 * bag : 4 * bag + 4].tolist() == Greedy(size=4, first=2).grown(votes, members, SEEDS)


@pytest.mark.parametrize(("share", "size"), [(0.66, 13), (0.01, 1), (1.0, 20)])
def test_a_share_is_drawn_without_replacement_and_evenly(share, size):
    draws = [drawn(np.arange(20), share, SEEDS("bag", number)).tolist() for number in range(400)]
    assert {len(set(draw)) for draw in draws} == {size}
    times = Counter(trial for draw in draws for trial in draw)
    assert all(abs(times[t] - 20 * size) < 5 * np.sqrt(400 * size / 20) for t in range(20))


def test_more_members_than_the_pool_has_are_refused_where_none_may_repeat():
    votes = _votes(failed={3})
    with pytest.raises(
        RunError, match=r"size=10 members .* need as many finished trials, and this pool has 9; lower size"
    ):
        WithoutReplacement(size=10).path(votes, SEEDS)
    assert set(WithoutReplacement(size=9).path(votes, SEEDS).trials.tolist()) == set(range(10)) - {3}
    assert len(Greedy(size=30).path(votes, SEEDS).trials) == 30


def test_a_pool_of_failed_trials_has_nothing_to_select():
    with pytest.raises(EmptyPoolError, match="none of the 10 trials of this pool has finished"):
        Greedy(size=2).path(_votes(failed=set(range(10))), SEEDS)


@pytest.mark.parametrize(
    ("kind", "settings", "sentence"),
    [
        (Greedy, {"size": 0}, "greedy.size=0 must be at least 1"),
        (Greedy, {"size": 3, "first": 0}, "greedy.first=0 must be at least 1"),
        (Greedy, {"size": 1.5}, "greedy.size: 1.5 is not of type int"),
        (Greedy, {"size": 3, "loss": "zero_one"}, "greedy.loss: 'zero_one' is not of type EnsembleLoss"),
        (Bagged, {"size": 3, "share": 1.5}, "greedy.share=1.5 must be above 0 and at most 1"),
        (Bags, {"size": 3, "bags": 0}, "greedy.bags=0 must be at least 1"),
    ],
)
def test_wrong_settings_are_refused_in_one_sentence(built, kind, settings, sentence):
    with pytest.raises(UserError) as caught:
        built(kind, "greedy", **settings)
    assert str(caught.value) == sentence

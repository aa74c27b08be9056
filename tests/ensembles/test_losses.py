"""Every loss of an ensemble with one more member against a slow loop, and the laws of section 4.4."""

from itertools import product

import numpy as np
import pytest
from votes_by_hand import loss_by_hand, pool_of, random_pool

from bayes_hpo.ensembles import losses
from bayes_hpo.ensembles.losses import EnsembleLoss, Sigmoid, moments, squared_margin
from bayes_hpo.ensembles.margins import disagreement, sigmoid_slope
from bayes_hpo.ensembles.ties import smallest_label
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
NAMES = ["zero_one", "margin", "squared_margin", "sigmoid", "c_bound"]
each_loss = pytest.mark.parametrize("name", NAMES)


def _votes(seed=0, ties=None, **given):
    history = random_pool(seed, **given).history
    return StoredVotes.of(history, SEEDS, ties) if ties else StoredVotes.of(history, SEEDS)


def _losses(name, votes, members, candidates=None):
    candidates = np.arange(len(votes)) if candidates is None else candidates
    return getattr(losses, name)(votes.extended(members, candidates))


def _by_hand(name, votes, members, candidates=None):
    candidates = range(len(votes)) if candidates is None else candidates
    rows = votes.truth, votes.folds, votes.priority
    return [loss_by_hand(name, votes.labels[[*members, h]], *rows) for h in candidates]


@each_loss
@pytest.mark.parametrize(("n_classes", "n_folds"), list(product([1, 2, 3, 9], [1, 4])))
@pytest.mark.parametrize("members", [[], [3], [0, 1], [5, 5, 5], [0, 1, 2, 3, 4, 5, 6], [*range(8), *range(4)]])
def test_a_loss_is_that_of_the_slow_loop(name, n_classes, n_folds, members):
    assert isinstance(getattr(losses, name), EnsembleLoss)
    votes = _votes(len(members), n_classes=n_classes, n_folds=n_folds)
    np.testing.assert_allclose(_losses(name, votes, members), _by_hand(name, votes, members), rtol=0, atol=1e-13)


@each_loss
def test_labels_may_be_large_and_unknown_to_the_truth(name):
    """255 is the largest that uint8 holds; no row's true label is 4 or 255."""
    labels = np.random.default_rng(0).choice([0, 1, 4, 255], (10, 30))
    votes = StoredVotes.of(pool_of(labels, labels[0] % 4 % 3, np.repeat([0, 1], [9, 21])).history, SEEDS)
    assert len(votes.priority) == 256
    for members in ([], [1, 2, 3], [4, 4, 5, 6]):
        np.testing.assert_allclose(_losses(name, votes, members), _by_hand(name, votes, members), rtol=0, atol=1e-13)


@each_loss
def test_candidates_may_come_in_any_number_and_order(name):
    votes = _votes()
    for candidates in ([], [7], [9, 0, 4], [2, 2]):
        found = _losses(name, votes, [1, 5], np.array(candidates, dtype=int))
        np.testing.assert_allclose(found, _by_hand(name, votes, [1, 5], candidates), rtol=0, atol=1e-13)


@each_loss
def test_the_loss_of_a_whole_ensemble_does_not_depend_on_who_joins_last(name):
    votes, loss = _votes(), getattr(losses, name)
    orders = [votes.loss(loss, order) for order in ([1, 5, 8, 8], [8, 8, 5, 1], [5, 8, 1, 8])]
    np.testing.assert_allclose(orders, _by_hand(name, votes, [1, 5, 8], [8])[0])


@each_loss
def test_a_loss_is_the_plain_mean_of_folds_of_any_size(name):
    """Two folds of 2 and 30 rows (D23): their mean is not that of all rows."""
    rng = np.random.default_rng(0)
    truth, folds = rng.integers(0, 2, 32), np.repeat([0, 1], [2, 30])
    labels = np.where(rng.random((4, 32)) < 0.3, 1 - truth, truth)
    labels[:, :2] = 1 - truth[:2]
    both = StoredVotes.of(pool_of(labels, truth, folds).history, SEEDS, smallest_label)
    parts = [
        StoredVotes.of(pool_of(labels[:, folds == fold], truth[folds == fold]).history, SEEDS, smallest_label)
        for fold in (0, 1)
    ]
    found = _losses(name, both, [0, 1])
    np.testing.assert_allclose(found, np.mean([_losses(name, part, [0, 1]) for part in parts], axis=0))
    together = StoredVotes.of(pool_of(labels, truth).history, SEEDS, smallest_label)
    assert (np.abs(found - _losses(name, together, [0, 1])) > 0.1).all()


@each_loss
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_permutation_of_the_labels_changes_nothing_but_ties(name, n_classes):
    pool = random_pool(3, n_classes=n_classes)
    other = np.arange(n_classes)[::-1]
    truth, folds = other[pool.truth.y], pool.truth.folds
    permuted = pool_of([other[trial.predictions] for trial in pool], truth, folds)
    votes, again = (StoredVotes.of(one.history, SEEDS, smallest_label) for one in (pool, permuted))
    members = [0, 1, 2]
    if name == "zero_one":
        assert (_losses(name, votes, members) != _losses(name, again, members)).any()  # ties, by the smallest label
        object.__setattr__(again, "priority", votes.priority[np.argsort(other)])  # the order is permuted too
    np.testing.assert_allclose(_losses(name, again, members), _losses(name, votes, members), atol=1e-13)


@pytest.mark.parametrize("name", ["zero_one", "squared_margin"])
def test_of_one_member_a_loss_is_its_validation_loss_to_the_last_bit(name):
    for seed in range(20):
        votes = _votes(seed, n=400, n_folds=5)
        np.testing.assert_array_equal(_losses(name, votes, []), votes.losses)


def test_of_one_member_every_loss_but_the_c_bound_orders_as_its_own_error():
    for name in ("zero_one", "margin", "squared_margin", "sigmoid"):
        for seed in range(20):
            votes = _votes(seed, n_classes=2)
            np.testing.assert_array_equal(
                _losses(name, votes, []).round(12).argsort(kind="stable"), votes.losses.round(12).argsort(kind="stable")
            )


def test_the_margin_loss_orders_candidates_by_their_own_error_whatever_the_ensemble():
    for seed in range(20):
        votes = _votes(seed)
        members = np.random.default_rng(seed).integers(0, 10, seed)
        rest = _losses("margin", votes, members) * (seed + 1) - votes.losses  # = the sum over the others' errors
        np.testing.assert_allclose(rest, votes.losses[members].sum(), atol=1e-12)


def test_the_moments_give_disagreement_squared_margin_and_c_bound_of_each_fold():
    votes, members = _votes(n_folds=1), [0, 3, 4, 4, 7]
    extended = votes.extended(members, np.arange(10))
    mu1, mu2 = moments(extended)
    for h in range(10):
        right = votes.labels[[*members, h]] == votes.truth
        differ = np.mean([(one != other).mean() for one in right for other in right])
        np.testing.assert_allclose(disagreement(mu2[h, 0]), differ)
    # eq. 4.20
    np.testing.assert_allclose(squared_margin(extended), ((1 - mu1 - disagreement(mu2)) / 2)[:, 0])


def test_the_zero_one_loss_of_two_classes_is_below_twice_the_margin_loss():
    votes = _votes(n_classes=2)
    assert (_losses("zero_one", votes, [0, 1, 2]) <= 2 * _losses("margin", votes, [0, 1, 2]) + 1e-12).all()


def test_the_sigmoid_takes_the_slope_of_the_extended_ensemble():
    votes = _votes(n_classes=2)
    for size in (1, 2, 3, 4, 8):
        extended = votes.extended(list(range(size - 1)), np.arange(10))
        np.testing.assert_array_equal(losses.sigmoid(extended), Sigmoid(sigmoid_slope(max(size, 3)))(extended))
        other = Sigmoid(sigmoid_slope(max(size, 3) + 1))(extended)
        assert (losses.sigmoid(extended) != other).all()


def test_a_slope_below_zero_is_refused_in_one_sentence(built):
    with pytest.raises(Exception, match=r"loss.slope=-1 must be above 0"):
        built(Sigmoid, "loss", slope=-1.0)

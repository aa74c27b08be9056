"""Laws of the splits: disjoint, covering, stratified, drawn by name, the same for every method."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.errors import UserError
from bayes_hpo.seeds import Seeds
from bayes_hpo.splits import Fixed, HoldOut, KFold, Last, Protocol, Reshuffled, cap, draw_parts, stratified, test_rows

test_rows.__test__ = False  # it is no test
SEEDS = Seeds("study", "toy", 0)
COUNTS = [[50, 50], [40, 33, 27], [143, 77, 52, 35, 20, 5, 2, 2], [900, *range(10, 20)], [100, 5, 5, 5, 3], [9, 13, 10]]
PROTOCOLS = {
    f"{type(validation).__name__}-{type(splits).__name__}-{share}": Protocol(validation, splits, share)
    for validation in (HoldOut(0.2), KFold(5))
    for splits in (Fixed(), Reshuffled())
    for share in (0.0, 0.2)
}
each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
each_counts = pytest.mark.parametrize("counts", COUNTS, ids=str)


def _data(counts, given_test=(), seed=0):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    return Data(np.zeros((len(y), 1)), y, np.array(given_test, dtype=int), False, {"name": "toy"})


def _parts(data, protocol, seeds=SEEDS, cap=5000):
    given = {"given_test": data.given_test, "test_percent": 34, "training_cap": cap}
    return draw_parts(data.y, protocol, seeds, **given)


def _folds(data, protocol, round_=0, seeds=SEEDS, cap=5000):
    parts = _parts(data, protocol, seeds, cap)
    return protocol.folds(parts, data.y, protocol.splits.draw(round_), seeds, training_cap=cap)


def _counts(y, rows, k):
    return np.bincount(y[rows], minlength=k)


def _off(counts, size, of):
    """How far class counts are from their share of a draw of `size` rows."""
    of = np.asarray(of)
    return np.abs(counts - size * of / of.sum()).max()


@pytest.mark.parametrize("splits", ["Fixed", "Reshuffled"])
def test_every_protocol_with_these_splits_asks_the_seeds_for_the_same_names(splits):
    drawn, data = set(), _data([40, 60])  # D36: what a repetition draws is shared by all methods
    for protocol in [one for name, one in PROTOCOLS.items() if splits in name]:
        asked = []

        def seeds(*key, asked=asked):
            asked.append(key)
            return SEEDS(*key)

        _folds(data, protocol, round_=1, seeds=seeds)
        drawn |= {tuple(asked)}
    assert len(drawn) == 1


@each_protocol
@each_counts
@pytest.mark.parametrize("cap", [5000, 40])
def test_parts_and_folds_are_disjoint_and_cover(protocol, counts, cap):
    data = _data(counts)
    for repetition in range(3):
        seeds = Seeds("study", "toy", repetition)
        parts = _parts(data, protocol, seeds, cap)
        everything = np.concatenate([parts.rest, parts.selection, parts.test])
        assert sorted(everything) == list(range(len(data.y)))
        np.testing.assert_array_equal(np.union1d(parts.rest, parts.selection), parts.visible)
        for fold in _folds(data, protocol, 3, seeds, cap):
            assert len(fold.train) <= cap
            assert sorted([*fold.train, *fold.validation]) == list(parts.rest)


@pytest.mark.parametrize(
    ("counts", "size"),
    [
        ((88, 12), 35),  # fertility
        ((130, 52), 63),  # planning
        ((64, 24, 2), 32),  # post-operative
        ((53, 53), 38),  # promoter
        ((9, 13, 10), 13),  # lung-cancer
    ],
)
def test_drawn_test_parts_have_the_sizes_behind_the_print(counts, size):
    data = _data(counts)
    test = test_rows(data.y, 34, SEEDS("test"))
    assert len(test) == size
    assert _counts(data.y, test, len(counts)).tolist() == [n - 66 * n // 100 for n in counts]


def test_the_test_size_is_rounded_in_integers():
    for n in range(1, 3000):  # in floating point .34 * 50 and .07 * 100 are above 17 and 7
        assert len(test_rows(np.zeros(n, dtype=int), 34, SEEDS("test"))) == (34 * n + 99) // 100
    assert len(test_rows(np.zeros(100, dtype=int), 7, SEEDS("test"))) == 7


@each_counts
def test_a_fifth_of_every_class_rounded_up_is_drawn_for_the_test(counts):
    data = _data(counts)
    given = {"given_test": data.given_test, "test_percent": 20, "training_cap": 10**9}
    test = draw_parts(data.y, PROTOCOLS["KFold-Fixed-0.0"], SEEDS, **given).test
    assert _counts(data.y, test, len(counts)).tolist() == [math.ceil(n / 5) for n in counts]


@each_counts
def test_every_class_has_its_share_of_a_draw_within_one_row(counts):
    y = _data(counts).y
    for size in (0, 1, 7, len(y) // 5, len(y) // 3, len(y) - 1, len(y)):
        for repetition in range(20):
            rows = stratified(y, size, Seeds("study", "toy", repetition)("selection"))
            assert len(set(rows)) == size
            assert _off(_counts(y, rows, len(counts)), size, counts) < 1


@each_counts
@each_protocol
def test_every_class_has_its_share_of_validation_and_selection_within_one_row(protocol, counts):
    data = _data(counts)
    for repetition in range(10):
        seeds = Seeds("study", "toy", repetition)
        parts = _parts(data, protocol, seeds)
        visible = _counts(data.y, parts.visible, len(counts))
        assert _off(_counts(data.y, parts.selection, len(counts)), len(parts.selection), visible) < 1
        rest = _counts(data.y, parts.rest, len(counts))
        for fold in _folds(data, protocol, 0, seeds):
            exact = len(fold.validation) / len(parts.rest) if protocol.validation.folds == 1 else 1 / 5
            assert np.abs(_counts(data.y, fold.validation, len(counts)) - rest * exact).max() < 1


@each_counts
def test_folds_hold_every_class_as_evenly_as_its_rows_allow(counts):
    data, protocol = _data(counts), PROTOCOLS["KFold-Reshuffled-0.0"]
    rest = _counts(data.y, _parts(data, protocol).rest, len(counts))
    for round_ in range(20):
        dealt = np.array([_counts(data.y, f.validation, len(counts)) for f in _folds(data, protocol, round_)])
        np.testing.assert_array_equal(dealt.sum(axis=0), rest)
        assert (dealt.max(axis=0) - dealt.min(axis=0) <= 1).all()  # so a class below 5 rows never has two in a fold
        sizes = dealt.sum(axis=1)
        assert sizes.max() - sizes.min() <= 1


def test_every_row_is_drawn_as_often_as_another():
    y = np.repeat([0, 1, 2], [30, 8, 2])
    times = np.zeros(40)
    for repetition in range(4000):
        times[stratified(y, 8, Seeds("study", "toy", repetition)("selection"))] += 1
    assert np.abs(times / 4000 - 0.2).max() < 5 * np.sqrt(0.2 * 0.8 / 4000)


@pytest.mark.parametrize("validation", [HoldOut(0.2), KFold(5)])
@pytest.mark.parametrize(("share", "sizes"), [(0.0, (800, 200, 0)), (0.2, (640, 160, 200))])
def test_shares_without_and_with_a_selection_split(validation, share, sizes):
    data = _data([758, 758])  # 1000 rows beside the test part
    protocol = Protocol(validation, Fixed(), share)
    for fold in _folds(data, protocol):
        assert (len(fold.train), len(fold.validation), len(_parts(data, protocol).selection)) == sizes


@pytest.mark.parametrize("validation", [HoldOut(0.2), KFold(5)])
def test_rows_above_the_cap_go_to_validation_and_selection(validation):
    data = _data([12000, 8000])
    n = 13200  # beside the test part
    (fold, *_) = _folds(data, Protocol(validation, Fixed(), 0.0))
    assert (len(fold.train), len(fold.validation)) == (5000, n - 5000)
    with_selection = Protocol(validation, Fixed(), 0.2)
    (fold, *_) = _folds(data, with_selection)
    excess = 0.64 * n - 5000  # D11: split 16 : 20
    assert len(fold.train) == 5000
    assert abs(len(fold.validation) - (0.16 * n + excess * 16 / 36)) <= 1
    assert abs(len(_parts(data, with_selection).selection) - (0.20 * n + excess * 20 / 36)) <= 1
    assert _off(_counts(data.y, fold.train, 2), 5000, _counts(data.y, _parts(data, with_selection).rest, 2)) <= 2


def test_a_draw_below_the_cap_is_all_rows_in_their_order():
    rows = np.array([5, 3, 9])
    assert cap(rows, np.zeros(10, dtype=int), 3, SEEDS("refit")) is rows
    assert list(cap(rows, np.zeros(10, dtype=int), 2, SEEDS("refit"))) in ([5, 3], [5, 9], [3, 9])


@each_protocol
def test_fixed_splits_ignore_the_round_and_reshuffled_ones_do_not(protocol):
    data = _data([40, 60])
    rounds = [[fold.train.tolist() for fold in _folds(data, protocol, round_)] for round_ in (0, 1, 2)]
    assert all((one == rounds[0]) == isinstance(protocol.splits, Fixed) for one in rounds[1:])
    again = [fold.train.tolist() for fold in _folds(data, protocol, 1)]
    assert again == rounds[1]


@each_protocol
def test_parts_are_the_same_whatever_is_drawn_from_them(protocol):
    data = _data([40, 60])
    other = replace(protocol, splits=Reshuffled())
    for name in ("rest", "selection", "test"):
        np.testing.assert_array_equal(getattr(_parts(data, protocol), name), getattr(_parts(data, other), name))
    assert not np.isin(
        np.concatenate([f.train for f in _folds(data, other, 7)]), _parts(data, protocol).selection
    ).any()


def test_a_test_part_is_the_same_for_every_protocol_and_new_in_every_repetition():
    data = _data([40, 60])
    drawn = [
        {tuple(_parts(data, protocol, Seeds("study", "toy", repetition)).test) for protocol in PROTOCOLS.values()}
        for repetition in range(9)
    ]
    assert [len(tests) for tests in drawn] == [1] * 9
    assert len(set.union(*drawn)) == 9


@each_protocol
def test_a_given_test_part_is_used_in_every_repetition(protocol):
    data = _data([40, 60], given_test=range(30, 45))
    for repetition in range(3):
        parts = _parts(data, protocol, Seeds("study", "toy", repetition))
        assert parts.test.tolist() == list(range(30, 45))
        assert len(parts.visible) == 85


def test_labels_of_a_given_test_part_do_not_move_the_other_rows():
    data = _data([40, 60], given_test=range(30, 45))
    y = data.y.copy()
    y[30:45] = 7
    for protocol in PROTOCOLS.values():
        np.testing.assert_array_equal(_parts(data, protocol).selection, _parts(replace(data, y=y), protocol).selection)
        for one, other in zip(_folds(data, protocol, 2), _folds(replace(data, y=y), protocol, 2), strict=True):
            np.testing.assert_array_equal(one.train, other.train)


def test_the_files_of_the_protocols_are_what_their_names_say(grid_of):
    nodes = grid_of().cfg["protocols"]
    assert len(nodes) == 8
    for name, node in nodes.items():
        validation, *rest = name.split("_")
        expected = Protocol(
            {"holdout": HoldOut(0.2), "kfold": KFold(5)}[validation],
            Reshuffled() if "r" in rest else Fixed(),
            0.2 if "sel" in rest else 0.0,
        )
        assert build(node, "protocol") == expected


def test_more_folds_than_rows_are_told():
    with pytest.raises(UserError, match=r"validation\.folds=7 must be at most 6, the rows that they divide"):
        KFold(7).cut(np.zeros(6, int), np.random.default_rng(0))


@each_counts
@pytest.mark.parametrize("share", [0.2, 0.5])
def test_the_last_rows_validate_in_every_round_and_repetition(counts, share):
    data, splits = _data(counts, given_test=[0, 3]), (Fixed(), Reshuffled())
    others = np.setdiff1d(np.arange(len(data.y)), [0, 3])
    size = round(share * len(others))
    for way, repetition, round_ in [(way, r, t) for way in splits for r in (0, 1) for t in (0, 7)]:
        protocol = Protocol(Last(share), way, 0.0)
        (fold,) = _folds(data, protocol, round_, Seeds("study", "toy", repetition))
        np.testing.assert_array_equal(fold.validation, others[len(others) - size :])
        np.testing.assert_array_equal(fold.train, others[: len(others) - size])

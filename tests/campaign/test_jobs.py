"""Laws of the blocks into which the repetitions of a search are cut."""

import itertools

import pytest

from bayes_hpo.campaign.jobs import blocks

NUMBERS = [list(range(20)), [3], [], [0, 1, 5, 6, 7, 12], [7, 9, 11]]


@pytest.mark.parametrize("size", [1, 2, 7, 100])
@pytest.mark.parametrize("numbers", NUMBERS)
def test_blocks_hold_every_number_once_and_no_other(numbers, size):
    found = blocks(numbers, size)
    assert list(itertools.chain(*(range(first, last + 1) for first, last in found))) == numbers
    assert all(last - first < size for first, last in found)


def test_no_more_blocks_than_needed():
    assert blocks(list(range(20)), 20) == [(0, 19)]
    assert blocks([0, 1, 2, 3, 4, 8, 9], 4) == [(0, 3), (4, 4), (8, 9)]

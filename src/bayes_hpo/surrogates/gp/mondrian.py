"""Mondrian partitions of the unit cube, and the kernel that counts in how many of them two points share a cell.

Source: thesis, 5.4.2, eq. 5.12 to 5.14; Roy and Teh (2009); Balog et al. (2016).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


@dataclass(frozen=True)
class Mondrian:
    """One partition. low, high (n_cells, d): the corners of its cells, which hold their lower faces and those at 1."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def draw(cls, d: int, lifetime: float, rng: Generator) -> "Mondrian":
        """Draw a partition of the unit cube in d dimensions.

        After an exponential time, whose rate is the sum of its sides, a cell is cut at a uniform point of a side drawn
        by length, and its parts continue from that time; no cell is cut after the lifetime.
        """
        cells, waiting = [], [(0.0, np.zeros(d), np.ones(d))]
        while waiting:
            time, low, high = waiting.pop()
            sides = high - low
            # Roy and Teh 2009: wait for Exp(sum of the sides), cut a side drawn by length at a uniform point
            time += rng.exponential(1 / sides.sum())
            if time > lifetime:
                cells.append((low, high))
                continue
            side = rng.choice(d, p=sides / sides.sum())
            below, above = high.copy(), low.copy()
            below[side] = above[side] = rng.uniform(low[side], high[side])
            waiting += [(time, above, high), (time, low, below)]
        return cls(*map(np.array, zip(*cells, strict=True)))

    def features(self, points: NDArray) -> NDArray:
        """Which cell each point is in: bool (n, n_cells), one true in a row. points (n, d), in the unit cube."""
        x = points[:, None, :]
        return ((x >= self.low) & ((x < self.high) | (self.high == 1))).all(axis=-1)


def mondrian_kernel(points: NDArray, partitions: list) -> NDArray:
    """Share of the partitions (list) in which two points share a cell: (n, n).  # thesis, eq. 5.14

    Its expectation is exp(-lifetime |x - x'|_1), the Laplace kernel of length 1 / lifetime. points (n, d).
    """
    shared = np.zeros((len(points), len(points)))
    for partition in partitions:
        features = partition.features(points).astype(float)
        shared += features @ features.T
    return shared / len(partitions)

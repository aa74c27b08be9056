"""Mondrian partitions of the unit cube, and the kernel that averages over them whether two points share a cell.

Source: thesis, 5.4.2, eq. 5.12 to 5.14; Roy and Teh (2009); Balog et al. (2016).
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray


@dataclass(frozen=True)
class Mondrian:
    """One partition.

    low, high (n_cells, d): corners of the cells; a cell includes its lower faces, and upper faces on the boundary at 1.
    """

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def draw(cls, d: int, lifetime: float, rng: Generator) -> "Mondrian":
        """Draw a partition of the unit cube in d dimensions.

        A cell is cut after an exponential waiting time, whose rate is the sum of its side lengths. The cut is at a
        uniform point of a side chosen with probability proportional to its length; both parts continue from that time.
        No cell is cut after the lifetime.
        """
        cells, waiting = [], [(0.0, np.zeros(d), np.ones(d))]
        while waiting:
            time, low, high = waiting.pop()
            sides = high - low
            # Roy and Teh 2009: wait Exp(sum_k side_k), cut side k with probability side_k / sum_k side_k, uniformly
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
        """Indicators (n, n_cells), bool, of the one cell that contains each of the points (n, d) of the unit cube."""
        x = points[:, None, :]
        return ((x >= self.low) & ((x < self.high) | (self.high == 1))).all(axis=-1)


def mondrian_kernel(points: NDArray, partitions: list) -> NDArray:
    """Fraction of the partitions (list) in which two of the points (n, d) share a cell: (n, n).

    Its expectation is exp(-lifetime |x - x'|_1), the Laplace kernel with length 1 / lifetime.
    """
    shared = np.zeros((len(points), len(points)))
    # k_M(x, x') = 1/M sum_m phi_m(x)'phi_m(x')  (thesis, eq. 5.14)
    for partition in partitions:
        features = partition.features(points).astype(float)
        shared += features @ features.T
    return shared / len(partitions)

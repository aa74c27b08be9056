"""Random generators by name: no two consumers share a generator, and no draw depends on the order of jobs."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

EVERY = -1  # stands for all repetitions


@dataclass(frozen=True)
class Seeds:
    """Generators bound to one repetition of one data set of the study that owns the draws.

    The same name gives the same draws for every method, searcher, selector, scale, block and job order.
    """

    owner: str
    dataset: str
    repetition: int

    @property
    def of_dataset(self) -> "Seeds":
        """The seeds shared by all repetitions of the data set."""
        return replace(self, repetition=EVERY)

    def __call__(self, name: str, *numbers: int) -> Generator:
        """The generator called `name`, for example ``seeds("mcmc", t)``.

        name: what is drawn.
        numbers: indices of the draw, such as a trial or a round.
        Raises: TypeError if a number is not an integer: a float would silently name a different generator.
        """
        if not all(isinstance(number, (int, np.integer)) for number in numbers):
            raise TypeError(f"seeds({name!r}, ...) takes whole numbers, not {numbers}")
        key = "\0".join([self.owner, self.dataset, str(self.repetition), name, *map(str, numbers)])
        entropy = int.from_bytes(hashlib.sha256(key.encode()).digest()[:16], "little")
        return np.random.Generator(np.random.PCG64(entropy))

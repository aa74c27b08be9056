"""What the jobs of a grid depend on, computed once: their fingerprints, modules and configurations."""

from functools import cached_property
from typing import Any

from bayes_hpo.campaign.fingerprint import measure_depends, score_depends, search_depends


class Digests:
    """What the jobs of one grid depend on."""

    def __init__(self, grid: Any) -> None:
        self.grid = grid

    @cached_property
    def search_depends(self) -> dict[tuple[str, str], dict]:
        """What a search depends on beside its data: dict, (protocol, searcher) -> `depends`."""
        return {pool: search_depends(self.grid.job(*pool)) for pool in self.grid.pools}

    @cached_property
    def score_depends(self) -> dict[tuple[str, str], dict]:
        """What a score job depends on beside its pools: dict, (protocol, searcher) -> `depends`."""
        return {pool: score_depends(self.grid.job(*pool), self.grid.scoring(*pool)) for pool in self.grid.pools}

    @cached_property
    def measure_depends(self) -> dict[str, dict]:
        """What a measure depends on beside the files it reads: dict, name -> `depends`."""
        return {name: measure_depends(self.grid.owner, node) for name, node in self.grid.measures.items()}

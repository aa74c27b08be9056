"""What the jobs of a grid depend on: their fingerprints, modules and configurations, computed once."""

from functools import cached_property
from typing import Any

from bayes_hpo.campaign.fingerprint import measure_depends, score_depends, search_depends


class Digests:
    """What the jobs of one grid depend on."""

    def __init__(self, grid: Any) -> None:
        self.grid = grid

    @cached_property
    def search_depends(self) -> dict[tuple[str, str], dict]:
        """(protocol, searcher) -> what a search depends on besides its data (`fingerprint.depends`)."""
        return {pool: search_depends(self.grid.job(*pool)) for pool in self.grid.pools}

    @cached_property
    def score_depends(self) -> dict[tuple[str, str], dict]:
        """(protocol, searcher) -> what a score job depends on besides its pools."""
        return {pool: score_depends(self.grid.job(*pool), self.grid.scoring(*pool)) for pool in self.grid.pools}

    @cached_property
    def measure_depends(self) -> dict[str, dict]:
        """Name -> what a measure depends on besides the files that it reads."""
        return {name: measure_depends(self.grid.owner, node) for name, node in self.grid.measures.items()}

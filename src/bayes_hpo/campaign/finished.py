"""The grid of a study restricted to finished searches, for measures of a campaign that is still running."""

from pathlib import Path

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.storage.layout import manifest_file, pool_folder


class FinishedGrid(Grid):
    """The same study and scale, but a search that is not finished has no jobs."""

    def blocks(self, dataset: str, protocol: str, searcher: str) -> list[SearchJob]:
        """The search jobs, of any size, whose manifests exist."""
        names = (self.owner, self.scale, dataset, protocol, searcher)
        pattern = Path(manifest_file(pool_folder(self.scale, self.owner, *names[2:], self.results), "*", "*"))
        spans = [path.stem.split("_")[-1].split("-") for path in sorted(pattern.parent.glob(pattern.name))]
        return [SearchJob(*names, int(first), int(last), self.results) for first, last in spans]

"""The data that studies need in addition to those of every checkout: sources, and the commands that prepare them."""

from collections.abc import Sequence
from pathlib import Path

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.data.store import NEEDED, origin
from bayes_hpo.report.caption import stage_command
from bayes_hpo.storage.layout import data_file


def sources(grid: Grid) -> tuple[str, ...]:
    """The sources of a study's data, sorted, without those in every checkout."""
    return tuple(sorted({origin(row) for row in grid.rows.values()} - {"bundled"}))


def command(suite: str, sources: Sequence[str]) -> str:
    """The command that prepares a suite whose data come from the sources."""
    settings = [NEEDED[source] for source in sources if NEEDED[source]]
    return " ".join([stage_command("data", suite=suite), *settings])


def lines(grids: Sequence[Grid]) -> list[str]:
    """What must be fetched before studies can run: a command for each suite that is not contained in another one."""
    suites = {grid.scale_settings["suite"]: grid for grid in grids}
    absent = {suite: _absent(grid) for suite, grid in suites.items()}
    whole = [suite for suite, names in absent.items() if names and not any(names < more for more in absent.values())]
    if not whole:
        return ["data: nothing to fetch"]
    commands = {suite: command(suite, sources(suites[suite])) for suite in whole}
    sentences = [
        f"  {commands[suite]}  # {len(absent[suite])} to prepare, from: {', '.join(sources(suites[suite]))}"
        for suite in whole
    ]
    return ["data: fetch these first (docs/data.md says where FOLDER is from)", *sentences]


def _absent(grid):
    """The data sets of a study (names) that are neither bundled nor prepared."""
    fetched = {name for name, row in grid.rows.items() if row.source != "bundled"}
    return {name for name in fetched if not Path(data_file(name, grid.results)).is_file()}

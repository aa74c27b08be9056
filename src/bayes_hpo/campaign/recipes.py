"""Recipes for artifacts that are not made yet at a scale: the data, runs, core-hours and commands that they need."""

from collections.abc import Callable
from functools import cache

from bayes_hpo.campaign import fetching
from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import Listed, studies_of
from bayes_hpo.campaign.revision import date, revision
from bayes_hpo.documents import catalog
from bayes_hpo.report.caption import stage_command
from bayes_hpo.report.page.origin import Origin, Recipe
from bayes_hpo.storage.layout import RESULTS, product_file


def origin(scale: str, results: str = RESULTS, released: str | None = None) -> Origin:
    """The Origin of the page of a scale: the revision of this checkout, its scores, and recipes for what is missing."""
    return Origin(revision(), date(), released, recipes(scale, results, released))


def recipes(scale: str, results: str = RESULTS, released: str | None = None) -> Callable[[str, str], Recipe | None]:
    """Function, (document, artifact) -> its Recipe at a scale, or None if no study makes it there.

    released: folder of released scores, whose repetitions need not be run; None for the runs in `results`.
    """

    @cache
    def studied(study):
        """(grid, core-hours of all its runs) of a study."""
        grid = Grid.of(study, scale, results, skip=released)
        return grid, sum(row.hours for row in estimates(grid, costs()))

    def of(document, name):
        artifact = Listed(document, name)
        studies = [studied(study) for study in studies_of(artifact, scale)]
        return _recipe(artifact, [grid for grid, _ in studies], sum(hours for _, hours in studies)) if studies else None

    costs = cache(Costs.read)
    return of


def _recipe(artifact, grids, hours):
    """The Recipe of an artifact. hours: core-hours of all runs of its studies (grids)."""
    row, names = catalog.document(artifact.document)["artifacts"][artifact.name], "/".join(artifact)
    first, *_ = grids
    report = stage_command("report", study=first.study, scale=first.scale, artifact=names)
    measure = row["draw"].get("measure")
    if not row.get("scores", True) and measure is None:
        return Recipe((report,))
    if not row.get("scores", True) and not first.measures.get(measure, {}).get("methods"):  # it reads no pool
        return Recipe((stage_command("measure", study=first.study, scale=first.scale, measure=measure), report))
    sources = {grid.scale_settings["suite"]: fetching.sources(grid) for grid in grids}
    fetched = {suite: names for suite, names in sources.items() if names}
    data = tuple(fetching.command(suite, names) for suite, names in fetched.items())
    return Recipe((*data, *_runs(artifact, grids, report)), hours, tuple(fetched.items()))


def _runs(artifact, grids, report):
    """The commands that run what is missing and then make the artifact."""
    first, *_ = grids
    if not first.skip:
        return [f"snakemake --cores 2 {product_file(first.scale, *artifact)}"]
    targets = " ".join(f"{grid.scale}_{grid.study}" for grid in grids)
    release = [stage_command("release", study=grid.study, scale=grid.scale) for grid in grids]
    return [
        f"snakemake --cores 2 {targets} --config skip={first.skip}",
        *_measures(artifact, grids),
        *release,
        f"{report} scores={first.skip}",
    ]


def _measures(artifact, grids):
    """The commands for measures that read pools, which the workflow leaves out if scores are skipped."""
    named = list(catalog.document(artifact.document)["artifacts"][artifact.name]["draw"].values())
    return [
        stage_command("measure", given=["finished=true"], study=grid.study, scale=grid.scale, measure=name)
        for grid in grids
        for name, node in grid.measures.items()
        if name in named and "methods" in node
    ]

"""Targets of Snakemake: those with a name, and the validated jobs of single files in the results."""

import difflib
from collections import defaultdict

from bayes_hpo.campaign.grid import Grid, dataset_file
from bayes_hpo.campaign.jobs import MeasureJob, ScoreJob, SearchJob, parse_repetitions
from bayes_hpo.campaign.needs import lacking
from bayes_hpo.campaign.products import listed
from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.configuration.compose import unknown
from bayes_hpo.configuration.options import options, written
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import product_file


def of_studies() -> dict[str, list[str]]:
    """Targets that studies make: dict, name -> studies; a study at a scale, and tables and figures."""
    makers = defaultdict(list)
    for study in options("study"):
        artifacts = listed({"artifacts": {}} | written("study", study))
        for scale in scales_of(study):
            for target in (f"{scale}_{study}", *(product_file(scale, *artifact) for artifact in artifacts)):
                makers[target].append(study)
    return dict(makers)


def named() -> list[str]:
    """All named targets that can be made here: scales, and those of studies whose modules are installed."""
    lack = {study: bool(lacking(study)) for study in options("study")}
    study_targets = [target for target, studies in of_studies().items() if not all(lack[study] for study in studies)]
    return [*options("scale"), *study_targets]


def missing_target(target: str) -> str:
    """The sentence on a target that nothing makes: what its study lacks, or else the most similar target."""
    studies, every = of_studies().get(target, []), named()
    scale, _, study = target.partition("_")
    if studies and target not in every:
        return f"nothing makes {target}: {lacking(studies[0])}"
    if not studies and scale in options("scale") and study in options("study"):
        return f"nothing makes {target}: study {study} has no scale {scale}; allowed: {', '.join(scales_of(study))}"
    close = [] if studies else difflib.get_close_matches(target, every, n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return (
        f"nothing makes {target}{hint}; targets are a scale ({', '.join(options('scale'))}), one study of it, such as "
        "small_overfitting, and the files of tables/ and figures/"
    )


def search_job(grid: Grid, dataset: str, protocol: str, searcher: str, first: str, last: str) -> SearchJob:
    """The job of a requested manifest, given the grid of the owner of its pools and the names in its path.

    Raises: UserError for an unknown name, a study that owns no pools, or repetitions beyond the scale.
    """
    dataset_file(dataset, grid.results)
    if grid.owner != grid.study:
        raise UserError(f"study {grid.study} uses the pools of {grid.owner}; request those of {grid.owner}")
    grid.job(protocol, searcher)
    numbers = parse_repetitions(f"{first}-{last}", grid.repetitions(protocol))
    return SearchJob(grid.study, grid.scale, dataset, protocol, searcher, numbers[0], numbers[-1], grid.results)


def score_job(grid: Grid, dataset: str, protocol: str, searcher: str) -> ScoreJob:
    """The job of a requested score file, given the grid of its study and the names in its path.

    Raises: UserError for an unknown data set, and for a search of which the study has no method.
    """
    dataset_file(dataset, grid.results)
    if (protocol, searcher) not in grid.pools:
        pools = ["/".join(pool) for pool in grid.pools]
        raise UserError(f"study {grid.study}: {unknown('protocol/searcher', f'{protocol}/{searcher}', pools)}")
    return ScoreJob(grid.study, grid.scale, dataset, protocol, searcher, grid.results)


def measure_job(grid: Grid, measure: str) -> MeasureJob:
    """The job of a requested measure file. Raises: UserError for a measure that the study does not have."""
    if measure not in grid.measures:
        raise UserError(f"study {grid.study}: {unknown('measure', measure, grid.measures)}")
    return MeasureJob(grid.study, grid.scale, measure, grid.results)

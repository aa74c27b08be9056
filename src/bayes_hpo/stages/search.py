"""Search some repetitions of one data set, write a pool for each and their manifest, and print where."""

from pathlib import Path

from bayes_hpo.campaign.chosen import checked
from bayes_hpo.campaign.fingerprint import search_depends
from bayes_hpo.campaign.grid import Grid, dataset_file
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.jobs import SearchJob, parse_repetitions
from bayes_hpo.campaign.needs import lacking
from bayes_hpo.campaign.outdated import tell_outdated
from bayes_hpo.campaign.revision import revision
from bayes_hpo.campaign.scratch import placed
from bayes_hpo.data.registry import stated
from bayes_hpo.errors import UserError
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Run the blocks of the scale, or one block with the given repetitions."""
    data_path, blocks, grid = dataset_file(cfg["dataset"], cfg["results_dir"]), jobs(cfg), checked(cfg)
    job = job_config(cfg, grid.draws)
    from bayes_hpo.search.block import run_block  # loads scikit-learn, so only after validation

    depends, code_revision = search_depends(job), revision()
    for block in blocks:
        tell_outdated(grid, block, depends)
    for block in blocks:
        with placed(block, cfg["scratch_dir"]) as place:
            run_block(
                job,
                list(range(block.first, block.last + 1)),
                data_path=Path(data_path),
                folder=Path(place.folder),
                manifest=Path(place.output),
                depends=depends,
                fingerprint=depends["fingerprint"],
                revision=code_revision,
                stated=stated(cfg["dataset"]),
            )


def jobs(cfg: dict) -> list[SearchJob]:
    """The jobs (list) of a configuration, one per block.

    Raises: UserError for an unknown data set, a study with missing modules, and repetitions beyond the scale.
    """
    dataset_file(cfg["dataset"], cfg["results_dir"])
    if sentence := lacking(cfg["names"]["study"]):
        raise UserError(sentence)
    grid, pool = Grid(cfg), (cfg["dataset"], cfg["names"]["protocol"], cfg["names"]["searcher"])
    if cfg["repetitions"] is None:
        return grid.blocks(*pool)
    numbers = parse_repetitions(cfg["repetitions"], grid.repetitions(cfg["names"]["protocol"]))
    return [SearchJob(grid.owner, grid.scale, *pool, numbers[0], numbers[-1], cfg["results_dir"])]


if __name__ == "__main__":
    run("search", main, job_of=lambda cfg: jobs(cfg)[0])

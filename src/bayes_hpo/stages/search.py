"""Search some repetitions of one data set: pools and their manifest."""

from bayes_hpo.campaign.fingerprint import search_depends
from bayes_hpo.campaign.grid import Grid, dataset_file
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.jobs import SearchJob, parse_repetitions
from bayes_hpo.campaign.revision import revision
from bayes_hpo.data.registry import stated
from bayes_hpo.stages.entry import run


def main(cfg):
    """Run the blocks of the scale, or one block of the repetitions that are given."""
    data_path, blocks = dataset_file(cfg["dataset"], cfg["results_dir"]), jobs(cfg)
    job = job_config(cfg, Grid(cfg).draws)
    from bayes_hpo.search.block import run_block  # scikit-learn is loaded only once the command is known to be right

    depends = search_depends(job)
    made_by = {"depends": depends, "fingerprint": depends["fingerprint"], "revision": revision()}
    data = {"data_path": data_path, "stated": stated(cfg["dataset"])}
    for block in blocks:
        numbers = range(block.first, block.last + 1)
        run_block(job, numbers, **data, folder=block.folder, manifest=block.output, **made_by)


def jobs(cfg):
    """The jobs (list) of a configuration: one for each block. Raises: UserError for an unknown data set."""
    dataset_file(cfg["dataset"], cfg["results_dir"])
    grid, pool = Grid(cfg), (cfg["dataset"], cfg["names"]["protocol"], cfg["names"]["searcher"])
    if cfg["repetitions"] is None:
        return grid.blocks(*pool)
    numbers = parse_repetitions(cfg["repetitions"])
    return [SearchJob(grid.owner, grid.scale, *pool, numbers[0], numbers[-1], cfg["results_dir"])]


if __name__ == "__main__":
    run("search", main, job_of=lambda cfg: jobs(cfg)[0])

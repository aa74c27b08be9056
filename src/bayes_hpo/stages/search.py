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
    names, results = cfg["names"], cfg["results_dir"]
    grid, data_path = Grid(cfg), dataset_file(cfg["dataset"], results)
    job, pool = job_config(cfg, grid.draws), (cfg["dataset"], names["protocol"], names["searcher"])
    blocks = grid.blocks(*pool)
    if cfg["repetitions"] is not None:
        numbers = parse_repetitions(cfg["repetitions"])
        blocks = [SearchJob(grid.owner, grid.scale, *pool, numbers[0], numbers[-1], results)]
    from bayes_hpo.search.block import run_block  # scikit-learn is loaded only once the command is known to be right

    depends = search_depends(job)
    made_by = {"depends": depends, "fingerprint": depends["fingerprint"], "revision": revision()}
    data = {"data_path": data_path, "stated": stated(cfg["dataset"])}
    for block in blocks:
        numbers = range(block.first, block.last + 1)
        run_block(job, numbers, **data, folder=block.folder, manifest=block.output, **made_by)


if __name__ == "__main__":
    run("search", main)

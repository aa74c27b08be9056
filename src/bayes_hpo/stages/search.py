"""Search some repetitions of one data set: pools and their manifest."""

from bayes_hpo.fingerprint import digest, revision, search_depends
from bayes_hpo.grid import dataset_file, extent, job_config, parse_repetitions, repetitions
from bayes_hpo.jobs import SearchJob
from bayes_hpo.stages.entry import run


def main(cfg):
    """Run one block."""
    names, scale, results = cfg["names"], cfg["scale"]["name"], cfg["results_dir"]
    owner, data_path = cfg["study"]["pools"] or names["study"], dataset_file(cfg["dataset"], results)
    job = job_config(cfg, owner)
    available = repetitions(extent(cfg), names["protocol"])
    numbers = parse_repetitions(cfg["repetitions"], available)
    block = SearchJob(
        owner, scale, cfg["dataset"], names["protocol"], names["searcher"], numbers[0], numbers[-1], results
    )
    from bayes_hpo.search.block import run_block  # scikit-learn is loaded only once the command is known to be right

    depends = search_depends(job)
    paths = {"data_path": data_path, "folder": block.folder, "manifest": block.output}
    run_block(job, numbers, **paths, depends=depends, fingerprint=digest(depends), revision=revision())


if __name__ == "__main__":
    run("search", main)

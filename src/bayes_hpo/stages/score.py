"""Score all methods of a study that share the pools of a search, write one file, and print which pools were scored."""

from bayes_hpo.campaign.fingerprint import refit_depends, score_depends, search_depends
from bayes_hpo.campaign.grid import Grid, dataset_file
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.jobs import ScoreJob
from bayes_hpo.campaign.some_repetitions import manifests
from bayes_hpo.data.registry import stated
from bayes_hpo.errors import UserError
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Run one score job."""
    grid, scored = Grid(cfg, skip=cfg["skip"]), score_job(cfg)
    dataset, pool = scored.dataset, (scored.protocol, scored.searcher)
    job = job_config(cfg, grid.draws)
    if cfg["repetitions"] is None:
        blocks = [block.output for block in grid.blocks(dataset, *pool)]
    else:
        blocks = manifests(grid, scored, cfg["repetitions"], job)
    if not blocks:
        raise UserError(f"skip={cfg['skip']} holds every score of {dataset} {' '.join(pool)}; nothing is left to score")
    columns = {
        "study": grid.study,
        "scale": grid.scale,
        "dataset": dataset,
        "protocol": scored.protocol,
        "validation": grid.validation(scored.protocol),
    }
    from bayes_hpo.scoring.job import run_score  # loads scikit-learn, so only after validation

    run_score(
        job,
        grid.scoring(*pool),
        blocks=blocks,
        data_path=dataset_file(dataset, grid.results),
        stated=stated(dataset),
        output=scored.output,
        depends=score_depends(job, grid.scoring(*pool)),
        pool_fingerprint=search_depends(job)["fingerprint"],
        refit_fingerprint=refit_depends(job, cfg["study"]["refit_cap"])["fingerprint"],
        columns=columns,
    )


def score_job(cfg: dict) -> ScoreJob:
    """The job of a configuration. Raises: UserError for an unknown data set."""
    dataset_file(cfg["dataset"], cfg["results_dir"])
    names = cfg["names"]
    pool = cfg["dataset"], names["protocol"], names["searcher"]
    return ScoreJob(names["study"], cfg["scale"]["name"], *pool, cfg["results_dir"])


if __name__ == "__main__":
    run("score", main, groups=("method", "selector"), job_of=score_job)

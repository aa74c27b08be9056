"""The contract: every option on disk composes, is built and runs a few trials on tiny data; newcomers inherit this."""

import json
from dataclasses import replace

import numpy as np
import pytest
from configured import kind

from bayes_hpo.campaign.fingerprint import artifact_depends
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.needs import lacking
from bayes_hpo.campaign.products import listed
from bayes_hpo.campaign.protocols import protocol_name
from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import CONF, options
from bayes_hpo.configuration.predictions import reads_predictions
from bayes_hpo.ensembles.ensemble import Ensemble
from bayes_hpo.errors import EmptyPoolError
from bayes_hpo.evaluation import Evaluation, WithPredictions
from bayes_hpo.outcomes.kinds import REGRESSION
from bayes_hpo.pool import FAILED, FINISHED, Pool
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.job import run_score
from bayes_hpo.search.block import run_block
from bayes_hpo.search.loop import run_search
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.storage.files import Journal
from bayes_hpo.storage.pools import read_pool, write_pool

SEEDS = Seeds("contract", "tiny", 0)


def each(group):
    return pytest.mark.parametrize(group, options(group))


@pytest.fixture
def searched(tmp_path, iris):
    """Function: the pool and the space of a job on tiny data, its trials made by an Evaluation or another one."""

    def run(job, evaluation=Evaluation):
        repetition, space = Repetition.of(job, iris, 0), build(job["space"], "space")
        searcher, evaluate = (
            build(job["searcher"], "searcher", space=space, budget=job["budget"]),
            evaluation(repetition),
        )
        how = {"budget": job["budget"], "seeds": repetition.seeds, "truth": evaluate.truth}
        with Journal(tmp_path / "journal", "key") as journal:
            trials = run_search(searcher, evaluate, journal=journal, **how)
        return Pool(tuple(trials), truth=evaluate.truth), space

    return run


def _assert_in_the_cube(space, configurations):
    points = space.encode(configurations)
    assert points.min() >= -1e-12
    assert points.max() <= 1 + 1e-12


PARTS = {
    "kernel": "surrogate.model.kernel",
    "hyperparameters": "surrogate.hyperparameters",
    "targets": "targets",
    "acquisition": "acquisition",
    "maximizer": "maximizer",
}


@pytest.mark.parametrize(("group", "name"), [(group, name) for group in PARTS for name in options(group)])
def test_a_part_of_the_gaussian_process_is_a_choice(searched, group, name):
    names = ["study=overfitting", "dataset=sklearn-iris", "searcher=gp", "protocol=holdout", "scale=toy"]
    cfg = configure("search", [*names, f"{group}@searcher.{PARTS[group]}={name}"])
    pool, _ = searched(job_config(cfg | {"budget": 4}, "overfitting"))
    assert [trial.status for trial in pool] == [FINISHED] * 4


@each("searcher")
def test_a_searcher_proposes_points_of_its_space(searched, toy_job, tmp_path, searcher):
    fixed = reads_predictions(toy_job(searcher)["searcher"])  # fixed splits alone can store them
    how = ("holdout_sel", WithPredictions) if fixed else ("holdout_sel_r", Evaluation)
    pool, space = searched(toy_job(searcher, how[0]), how[1])
    assert [trial.status for trial in pool] == [FINISHED] * 9
    assert list(pool.rounds) == sorted(pool.rounds)
    assert pool.rounds[0] == 0
    _assert_in_the_cube(space, pool.history.configurations)
    assert json.loads(json.dumps(pool.history.configurations)) == pool.history.configurations
    assert len(np.unique(space.encode(pool.history.configurations), axis=0)) > 9 / 2  # most are new
    write_pool(pool, tmp_path / "pool.npz")
    assert read_pool(tmp_path / "pool.npz").history.configurations == pool.history.configurations


@each("selector")
def test_a_selector_makes_an_ensemble_of_the_pool(searched, toy_job, grid_of, selector):
    pool, space = searched(toy_job("cma", "holdout_sel"), WithPredictions)
    select = build(grid_of().cfg["selectors"][selector], "selector", space=space)
    for t in (1, 4, 9):
        ensemble = select(pool[:t], SEEDS)
        assert isinstance(ensemble, Ensemble)
        assert ensemble == select(pool[:t], SEEDS)
        for member in ensemble.members:
            assert member.weight > 0
            assert member.trial is None or member.configuration == pool[:t][member.trial].proposal.configuration
        _assert_in_the_cube(space, [member.configuration for member in ensemble.members])


@each("selector")
def test_a_selector_says_when_there_is_nothing_to_select(pool_from, toy_job, grid_of, selector):
    space = build(toy_job()["space"], "space")
    select = build(grid_of().cfg["selectors"][selector], "selector", space=space)
    with pytest.raises(EmptyPoolError):
        select(pool_from(losses=[1.0, 1.0], selection=[1.0, 1.0], failed={0, 1}), SEEDS)


@each("protocol")
def test_a_protocol_gives_folds_and_a_trial(searched, iris, toy_job, protocol):
    pool, _ = searched(toy_job(protocol=protocol, budget=3))
    repetition = Repetition.of(toy_job(protocol=protocol), iris, 0)
    folds = repetition.protocol.validation.folds
    assert pool.losses.shape == (3, folds)
    assert (pool[0].selection_losses is not None) == (len(repetition.parts.selection) > 0)


@each("space")
def test_a_space_is_searched(space):
    node = configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"][space]
    built, configurations = build(node, "space"), []
    for t in range(3):
        configurations.append(RandomSearch(built).propose(range(t), SEEDS).configuration)
    points = built.encode(configurations)
    assert points.shape == (3, len(built))
    _assert_in_the_cube(built, configurations)
    np.testing.assert_allclose(built.encode([built.decode(u) for u in points]), points, atol=1e-9)


@each("method")
def test_a_method_names_what_exists(grid_of, method):
    cfg = grid_of().cfg["methods"][method]
    assert cfg["searcher"] in options("searcher")
    assert cfg["selector"] in options("selector")
    for validation in ("holdout", "kfold"):
        assert protocol_name(validation, cfg) in options("protocol")


@each("study")
def test_a_study_has_its_methods_scales_and_artifacts(grid_of, study):
    text = (CONF / "study" / f"{study}.yaml").read_text(encoding="utf-8")
    assert text.startswith("# snakemake --cores ")
    grid = grid_of(study)
    cfg = grid.cfg["study"]
    assert {"toy", *(["smoke"] if cfg["artifacts"] else [])} <= set(cfg["scales"]) <= set(options("scale"))
    assert set(cfg["curves"]) <= set(cfg["methods"]) <= set(options("method"))
    for artifact in listed(cfg):
        assert artifact_depends(*artifact, grid.cfg, grid.rows)["modules"]


def pool_settings(grid, pool):
    """What the pools of one protocol share, whatever the searcher."""
    return {name: value for name, value in grid.job(*pool).items() if name != "searcher"}


@pytest.mark.slow
@each("study")
def test_a_study_that_uses_another_ones_pools_would_search_the_same(grid_of, study):
    if not (owner := grid_of(study).cfg["study"]["pools"]):
        pytest.skip("it has pools of its own")
    for scale in grid_of(study).cfg["study"]["scales"]:
        ours, theirs = grid_of(study, scale), grid_of(owner, scale)
        digests = ours.digests.search_depends, theirs.digests.search_depends
        shared, own = set(ours.pools) & set(theirs.pools), set(ours.pools) - set(theirs.pools)
        assert {pool: digests[0][pool] for pool in shared} == {pool: digests[1][pool] for pool in shared}
        settings = [pool_settings(theirs, pool) for pool in theirs.pools]
        assert all(pool_settings(ours, pool) in settings for pool in own)
        assert set(ours.datasets) <= set(theirs.datasets)


@pytest.mark.slow
@each("scale")
def test_a_scale_is_used_and_composes(grid_of, scale):
    studies = [study for study in options("study") if scale in scales_of(study)]
    grids = [grid_of(study, scale) for study in studies]
    assert grids
    for grid in grids:
        assert grid.scale == scale
        assert len(grid.search_jobs()) >= len(grid.pools)
        space = build(grid.cfg["study"]["space"], "space")
        for name in {searcher for _, searcher in grid.pools}:
            build(grid.cfg["searchers"][name], "searcher", space=space, budget=grid.scale_settings["budget"])


def pools_of_each_kind(grid):
    """Pools of a study, one for each protocol, kind of searcher and set of selectors."""
    found = {}
    for protocol, searcher in grid.pools:
        selectors = {grid.methods[name]["selector"] for name in grid.methods_on(protocol, searcher)}
        key = protocol, kind(grid.cfg["searchers"][searcher]), frozenset(selectors)
        found.setdefault(key, (protocol, searcher))
    return found.values()


@pytest.mark.slow
@each("study")
def test_every_kind_of_pool_of_a_study_is_searched_and_scored(tmp_path, iris, grid_of, study):
    if sentence := lacking(study):
        pytest.skip(sentence)
    grid, data_path = grid_of(study), tmp_path / "tiny.npz"
    lengths = replace(iris, X=iris.X[:, 1:], y=iris.X[:, 0])  # values to be predicted
    (lengths if grid.cfg["study"]["task"]["kind"] == REGRESSION else iris).save(data_path)
    for pool in pools_of_each_kind(grid):
        folder = tmp_path.joinpath(*pool)
        job, manifest, output = grid.job(*pool), folder / "block.json", folder / "scores.parquet"
        paths = {"data_path": data_path, "folder": folder, "manifest": manifest}
        run_block(job, [0], **paths, depends={}, fingerprint="code", revision="abc")
        loaded = read_pool(folder / "rep_000.npz")
        assert len(loaded) == grid.scale_settings["budget"]
        failed = [trial.reason for trial in loaded if trial.status == FAILED]
        assert not failed or grid.cfg["study"]["document"] == "divbo2022", failed  # whose operators may leave no column
        assert len(failed) < len(loaded) / 2
        assert all(failed)
        run_score(job, grid.scoring(*pool), blocks=[manifest], data_path=data_path, output=output, depends={},
                  pool_fingerprint="code", refit_fingerprint="code", columns={"study": study})  # fmt: skip
        assert output.is_file()

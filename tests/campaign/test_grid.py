"""Laws of the grid: its jobs cover a study once, and each depends on its own configuration only."""

from copy import deepcopy
from dataclasses import replace

import pytest

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import search_seconds
from bayes_hpo.campaign.fingerprint import changes, depends, refit_depends, score_depends, search_depends
from bayes_hpo.campaign.grid import Grid, dataset_file
from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.protocols import protocol_name
from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import options
from bayes_hpo.errors import UserError
from bayes_hpo.splits import Fixed, Reshuffled

pytestmark = pytest.mark.xdist_group("grids")  # composed once for all of them

STUDIES = options("study")
STUDY_SCALES = [
    pytest.param(study, scale, marks=[] if scale == "toy" else pytest.mark.slow)
    for study in STUDIES
    for scale in scales_of(study)
]


@pytest.fixture
def changed(grid_of):
    """Function: the toy grid of the study overfitting after `change(cfg)`."""

    def make(change=lambda cfg: None):
        cfg = deepcopy(grid_of().cfg)
        change(cfg)
        return Grid(cfg)

    return make


def _digests(found):
    return {pool: one["fingerprint"] for pool, one in found.items()}


def _different(one, other):
    return {pool for pool in one.keys() & other.keys() if one[pool] != other[pool]}


@pytest.mark.parametrize(("study", "scale"), STUDY_SCALES)
def test_blocks_cover_every_repetition_once(grid_of, study, scale):
    grid = grid_of(study, scale)
    covered = [
        (job.dataset, job.protocol, job.searcher, number)
        for job in grid.search_jobs()
        for number in range(job.first, job.last + 1)
    ]
    expected = {
        (dataset, protocol, searcher, number)
        for dataset in grid.datasets
        for protocol, searcher in grid.pools
        for number in range(grid.repetitions(protocol))
    }
    assert len(covered) == len(expected)
    assert set(covered) == expected
    outputs = [job.output for job in [*grid.search_jobs(), *grid.score_jobs()]]
    assert len(set(outputs)) == len(outputs)


@pytest.mark.parametrize("count", [1, 5, 6])
@pytest.mark.parametrize(("runs", "most"), [(1e-9, 1), (1.5, 1), (2.5, 2), (3.5, 3), (1e6, 1000)])
def test_blocks_of_any_length_cover_and_take_no_longer_unless_they_are_one_repetition(changed, count, runs, most):
    def change(cfg):
        cfg["study"]["scales"]["toy"]["repetitions"]["kfold"] = count

    grid = changed(change)
    (first, *_) = grid.blocks("sklearn-iris", "kfold_r", "cma")
    one = search_seconds(grid, Costs.read())(replace(first, last=first.first))
    grid.cfg["scale"]["block_seconds"] = runs * one
    jobs = grid.blocks("sklearn-iris", "kfold_r", "cma")
    assert [number for job in jobs for number in range(job.first, job.last + 1)] == list(range(count))
    assert [job.last - job.first + 1 for job in jobs[:-1]] == [most] * (len(jobs) - 1)
    assert jobs[-1].last - jobs[-1].first + 1 <= most


def test_a_data_set_that_is_not_registered_is_one_block(changed):
    def change(cfg):
        cfg["study"]["scales"]["toy"]["repetitions"]["kfold"] = 7
        cfg["scale"]["block_seconds"] = 1e-9

    assert [(job.first, job.last) for job in changed(change).blocks("my-own", "kfold", "cma")] == [(0, 6)]


@pytest.mark.parametrize("study", ["divbo", "overfitting"])
def test_at_paper_no_job_of_several_repetitions_takes_longer_than_a_block_may(grid_of, study):
    grid = grid_of(study, "paper")
    seconds, most = search_seconds(grid, Costs.read()), grid.cfg["scale"]["block_seconds"]
    assert all(seconds(job) <= most for job in grid.search_jobs() if job.first < job.last)


def test_every_method_finds_its_pool_and_one_pool_serves_many(grid_of):
    grid = grid_of()
    for validation in grid.cfg["study"]["validations"]:
        for name, method in grid.methods.items():
            assert name in grid.methods_on(protocol_name(validation, method), method["searcher"])
    assert set(grid.methods_on("kfold_sel_r", "cma")) >= {"cma_pv_r", "cma_bw_r", "cma_gv_r"}
    assert set(grid.methods_on("holdout", "gp")) >= {"gp", "gp_pm"}
    assert len(grid.pools) == len(set(grid.pools)) < 2 * len(grid.methods)


def test_the_methods_are_those_of_the_tables(grid_of):
    selecting = [f"cma_{rule}" for rule in ("pv", "bw", "gv")] + ["gp_sel"]
    t3_1 = {"grid", "rs", "gp", "gp_r", "cma", "cma_r", *selecting, *(f"{name}_r" for name in selecting)}
    t3_5 = {"grid", "rs", "gp", "gp_pm", "gp_r", "gp_pm_r"}
    assert (len(t3_1), len(t3_5)) == (14, 6)
    assert set(grid_of().methods) >= t3_1 | t3_5


def test_a_name_of_a_protocol_says_what_it_does(grid_of):
    grid = grid_of()
    for validation in ("holdout", "kfold"):
        for method in grid.methods.values():
            name = protocol_name(validation, method)
            node = grid.cfg["protocols"][name]
            assert grid.validation(name) == validation
            assert node["validation"]["_target_"].endswith({"holdout": ".HoldOut", "kfold": ".KFold"}[validation])
            expected = {"fixed": Fixed, "reshuffled": Reshuffled}[method["splits"]]
            assert node["splits"]["_target_"].endswith(f".{expected.__name__}")
            assert node["selection_share"] == (0.2 if method["selection_split"] else 0.0)


def _composed_by_the_stage(study, scale, protocol, searcher):
    names = [f"study={study}", f"scale={scale}", f"protocol={protocol}", f"searcher={searcher}", "dataset=any"]
    return configure("search", names)


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["toy", "paper"])
def test_the_stages_compose_the_jobs_of_the_grid(grid_of, scale):
    grid = grid_of("overfitting", scale)
    for pool in grid.pools if scale == "paper" else grid.pools[::4]:
        cfg = _composed_by_the_stage("overfitting", scale, *pool)
        job = job_config(cfg, "overfitting")
        assert changes(grid.digests.search_depends[pool], search_depends(job)) == []
        assert grid.digests.search_depends[pool] == search_depends(job)
        assert grid.digests.score_depends[pool] == score_depends(job, grid.scoring(*pool))


def test_the_score_stage_composes_the_jobs_of_the_grid(grid_of):
    names = ["study=overfitting", "scale=toy", "protocol=kfold_sel", "searcher=cma", "dataset=any"]
    stage = Grid(configure("score", names, groups=("method", "selector")))
    job = job_config(stage.cfg, stage.draws)
    assert score_depends(job, stage.scoring("kfold_sel", "cma")) == grid_of().digests.score_depends["kfold_sel", "cma"]


def test_a_repetition_more_changes_no_digest(changed):
    def change(cfg):
        cfg["study"]["scales"]["toy"]["repetitions"]["kfold"] += 3
        cfg["study"]["scales"]["toy"]["suite"] = "overfitting118"
        cfg["scale"]["block_seconds"] = 1e-9

    assert _digests(changed().digests.search_depends) == _digests(changed(change).digests.search_depends)
    assert _digests(changed().digests.score_depends) == _digests(changed(change).digests.score_depends)


@pytest.mark.parametrize("name", ["rs", "gp_pm", "cma_gv_r", "gp_sel"])
def test_a_method_more_changes_only_the_scores_of_its_pool(changed, name):
    def drop(cfg):
        for key in ("methods", "curves"):
            cfg["study"][key] = [one for one in cfg["study"][key] if one != name]

    whole, less = changed(), changed(drop)
    assert not _different(_digests(whole.digests.search_depends), _digests(less.digests.search_depends))
    method = whole.methods[name]
    own = {(protocol_name(validation, method), method["searcher"]) for validation in ("holdout", "kfold")}
    assert _different(_digests(whole.digests.score_depends), _digests(less.digests.score_depends)) <= own
    assert {job.output for job in less.search_jobs()} <= {job.output for job in whole.search_jobs()}


def test_an_option_of_a_searcher_changes_its_own_pools_only(changed):
    old, new = changed(), changed(lambda cfg: cfg["searchers"]["cma"].update(sigma=0.3))
    moved = _different(_digests(old.digests.search_depends), _digests(new.digests.search_depends))
    assert moved == {pool for pool in old.pools if pool[1] == "cma"}
    old, new = (grid.digests.search_depends["kfold", "cma"] for grid in (old, new))
    assert changes(old, new) == ["key searcher.sigma"]


def test_an_option_of_a_selector_changes_no_search(changed):
    old, new = changed(), changed(lambda cfg: cfg["selectors"]["posterior_mean"]["candidates"].update(around_best=3))
    assert not _different(_digests(old.digests.search_depends), _digests(new.digests.search_depends))
    moved = _different(_digests(old.digests.score_depends), _digests(new.digests.score_depends))
    assert moved == {pool for pool in old.pools if {"gp_pm", "gp_pm_r"} & set(old.methods_on(*pool))}


def test_the_scale_counts_only_by_what_it_sets(grid_of):
    small, paper = (grid_of("overfitting", scale) for scale in ("small", "paper"))
    moved = _different(_digests(small.digests.search_depends), _digests(paper.digests.search_depends))
    assert {searcher for _, searcher in moved} == {"gp"}
    job = small.job("kfold", "gp"), paper.job("kfold", "gp")
    assert changes(*(depends([], one) for one in job)) == ["key searcher.candidates.size"]


def test_a_study_that_borrows_pools_has_the_owners_searches(changed):
    def borrow(cfg):
        cfg["names"]["study"], cfg["study"]["pools"] = "borrower", "overfitting"

    old, new = changed(), changed(borrow)
    assert new.search_jobs() == old.search_jobs()
    assert _digests(new.digests.search_depends) == _digests(old.digests.search_depends)
    assert [replace(job, study="overfitting") for job in new.score_jobs()] == old.score_jobs()
    assert not {job.output for job in new.score_jobs()} & {job.output for job in old.score_jobs()}


@pytest.mark.parametrize("key", ["pools", "seeds"])
def test_draws_of_a_study_that_has_anothers_are_that_ones(changed, key):
    """conditional_samme is paired with conditional: its pools, and what is paired with it, have conditional's draws."""
    assert changed(lambda cfg: cfg["study"].update({key: "conditional_samme"})).draws == "conditional"


def test_a_study_with_another_ones_draws_makes_pools_of_its_own_with_them(changed):
    def pair(cfg):
        cfg["names"]["study"], cfg["study"]["seeds"] = "variant", "overfitting"

    old, new = changed(), changed(pair)
    assert _digests(new.digests.search_depends) == _digests(old.digests.search_depends)
    assert [replace(job, study="overfitting") for job in new.search_jobs()] == old.search_jobs()
    assert not {job.output for job in new.search_jobs()} & {job.output for job in old.search_jobs()}


def test_a_refit_depends_on_all_that_trains_it_and_not_on_the_search(grid_of):
    found = [refit_depends(grid_of().job(*pool), 5000) for pool in (("holdout", "random"), ("kfold_sel_r", "gp"))]
    assert found[0] == found[1]
    needed = ("repetition", "splits", "seeds", "data.preparation", "learners.rbf_svm", "scoring.refit")
    assert {f"bayes_hpo.{name}" for name in needed} <= set(found[0]["modules"])
    assert not [name for name in found[0]["modules"] if name.startswith("bayes_hpo.search")]


def test_searches_and_refits_depend_on_how_the_study_prepares_its_data(grid_of):
    job = grid_of().job("holdout", "random")
    other = job | {"preparation": {"_target_": "bayes_hpo.data.preparation.standardised"}}
    assert changes(search_depends(job), search_depends(other)) == ["key preparation._target_"]
    assert changes(refit_depends(job, 5000), refit_depends(other, 5000)) == ["key preparation._target_"]


def test_a_search_depends_on_all_that_makes_its_pool(grid_of):
    needed = ("repetition", "splits", "seeds", "evaluation", "pool", "data.preparation", "learners.rbf_svm")
    for (_, searcher), search in grid_of().digests.search_depends.items():
        module = grid_of().cfg["searchers"][searcher]["_target_"].rpartition(".")[0]
        assert {module, *(f"bayes_hpo.{name}" for name in needed)} <= set(search["modules"])


def test_a_command_can_be_pasted(grid_of):
    job = grid_of().blocks("sklearn-iris", "kfold_r", "gp")[0]
    names = "study=overfitting dataset=sklearn-iris protocol=kfold_r searcher=gp scale=toy"
    assert job.command == f"python -m bayes_hpo.stages.search {names} repetitions=0-0"
    elsewhere = replace(job, results="/elsewhere")
    assert "results_dir=/elsewhere" in elsewhere.command
    assert elsewhere.output.startswith("/elsewhere/toy/pools/overfitting/sklearn-iris/kfold_r/gp/")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda cfg: cfg["study"].update(methods=["rs", "nope"]), "study overfitting: unknown method=nope; allowed: "),
        (lambda cfg: cfg["methods"]["rs"].update(searcher="nope"), "study overfitting: unknown searcher=nope"),
        (lambda cfg: cfg["methods"]["rs"].update(selector="nope"), "study overfitting: unknown selector=nope"),
        (lambda cfg: cfg["study"]["scales"].pop("toy"), "study overfitting has no scale toy; allowed: "),
        (lambda cfg: cfg["study"]["scales"]["toy"].update(suite="nope"), "unknown suite=nope; allowed: "),
        (
            lambda cfg: cfg["study"].update(seeds="random_forest", pools="svm_width"),
            "study.pools and study.seeds",
        ),
        (lambda cfg: cfg["study"].update(seeds="overfiting"), "unknown study.seeds=overfiting (did you mean overfitti"),
    ],
)
def test_a_wrong_name_in_the_files_is_one_sentence(changed, change, sentence):
    def use(grid):
        return grid.search_jobs(), grid.digests.search_depends, grid.digests.score_depends

    with pytest.raises(UserError) as caught:
        use(changed(change))
    assert sentence in str(caught.value)


def test_a_pool_without_a_method_is_refused(grid_of):
    with pytest.raises(UserError, match="study=overfitting has no method with searcher=grid and protocol=kfold_r"):
        grid_of().methods_on("kfold_r", "grid")


@pytest.mark.parametrize("name", ["../iris", "a/b", ".hidden", "", "irs", "-x", "a b"])
def test_a_data_set_cannot_leave_its_folder(tmp_path, name):
    with pytest.raises(UserError, match="dataset="):
        dataset_file(name, str(tmp_path))

"""Targets of Snakemake: names with the nearest one, and files below the results whose names are checked."""

import pytest

from bayes_hpo.campaign import needs
from bayes_hpo.campaign.jobs import MeasureJob, ScoreJob, SearchJob
from bayes_hpo.campaign.targets import measure_job, missing_target, named, score_job, search_job
from bayes_hpo.errors import UserError

IRIS = ("sklearn-iris", "holdout", "gp")


@pytest.fixture
def bare(monkeypatch):
    """A machine with no other module than the package's own."""
    monkeypatch.setattr(needs, "find_spec", lambda name: None)


def test_a_missing_target_names_the_nearest():
    assert "(did you mean smoke_svm_width?)" in missing_target("smoke_svm_widht")
    assert "(did you mean tables/small/thesis/T3_" in missing_target("tables/small/thesis/T3_9.tex")
    assert "did you mean" not in missing_target("zzzzzz")


def test_no_target_is_offered_in_its_own_place():
    for target in ("small_overfitting", "tables/small/thesis/T3_1.tex"):  # such as one of another products_dir
        assert target in named()
        assert "did you mean" not in missing_target(target)


def test_an_artifact_is_a_target_at_the_scales_of_its_studies(setting):
    scales = set(setting("svm_width", "study.scales"))
    assert {name.split("_")[0] for name in named() if name.endswith("_svm_width")} == scales


@pytest.mark.parametrize("target", ["paper_cifar", "tables/paper/thesis/T4_7.tex"])
def test_of_a_study_that_lacks_a_module_is_said_what_it_needs(bare, target):
    assert target not in named()
    assert missing_target(target) == f"nothing makes {target}: {needs.lacking('cifar')}"


def test_a_study_that_lacks_a_module_is_not_the_nearest(bare):
    assert "(did you mean paper_cifar?)" not in missing_target("paper_cifarr")


def test_of_a_study_without_the_scale_its_scales_are_said():
    assert missing_target("small_cifar") == (
        "nothing makes small_cifar: study cifar has no scale small; allowed: toy, smoke, paper"
    )


@pytest.mark.parametrize(
    ("pool", "words"),
    [
        (("ecolli", "holdout", "gp"), "unknown dataset=ecolli (did you mean ecoli"),
        (("../iris", "holdout", "gp"), "dataset=../iris is not a valid name"),
        (("sklearn-iris", "holdout", "gpp"), "gpp (did you mean "),
        (("sklearn-iris", "loo", "gp"), "loo"),
    ],
)
def test_a_wrong_name_in_the_path_of_a_file_is_one_sentence(grid_of, pool, words):
    for job, more in ((search_job, ("000", "000")), (score_job, ())):
        with pytest.raises(UserError) as refused:
            job(grid_of(), *pool, *more)
        assert words in str(refused.value)
        assert "allowed: " in str(refused.value) or "use letters" in str(refused.value)


@pytest.mark.parametrize(("last", "words"), [("009", "goes beyond the scale; allowed: 0"), ("000", "")])
def test_repetitions_in_the_path_of_a_manifest_are_those_of_the_scale(grid_of, last, words):
    if not words:
        assert search_job(grid_of(), *IRIS, "000", last) == SearchJob("overfitting", "toy", *IRIS, 0, 0)
        return
    with pytest.raises(UserError, match=words):
        search_job(grid_of(), *IRIS, "000", last)


def test_pools_are_requested_of_the_study_that_owns_them(grid_of):
    with pytest.raises(UserError, match="study ensembles_sklearn uses the pools of conditional; request those"):
        search_job(grid_of("ensembles_sklearn"), *IRIS, "000", "000")


def test_a_right_path_is_its_job(grid_of):
    grid = grid_of()
    assert score_job(grid, *IRIS) == ScoreJob("overfitting", "toy", *IRIS)
    assert {search_job(grid, *_names(job)) for job in grid.search_jobs()} == set(grid.search_jobs())
    assert {score_job(grid, job.dataset, job.protocol, job.searcher) for job in grid.score_jobs()} == set(
        grid.score_jobs()
    )


def _names(job):
    return job.dataset, job.protocol, job.searcher, str(job.first), str(job.last)


def test_a_measure_is_one_of_the_study(grid_of):
    grid = grid_of()
    for name in grid.measures:
        assert measure_job(grid, name) == MeasureJob("overfitting", "toy", name)
    with pytest.raises(UserError, match="study overfitting: unknown measure=nothing; allowed: "):
        measure_job(grid, "nothing")
